package vault

import (
	"io"
	"io/fs"
	"os"
)

// A Disk makes the changes that a writer makes, each inside one directory that
// is already open. It is an interface so that a test can fail every call in
// turn; [OSDisk] is the real one.
type Disk interface {
	// Mkdir makes a directory.
	Mkdir(dir *os.Root, name string, mode fs.FileMode) error

	// Create writes a new file with exactly that mode and syncs it. If it fails
	// after the file was made, the file is removed again.
	Create(dir *os.Root, name string, b []byte, mode fs.FileMode) error

	// Append adds b to the end of an open file in one write and syncs it. If it
	// fails, what was written of b is taken off again.
	Append(f *os.File, b []byte) error

	// Rename moves or removes names without touching bytes.
	Rename(dir *os.Root, how How, from, to string) error

	// Sync makes the names of a directory durable.
	Sync(dir *os.Root) error
}

// How a [Disk] renames.
type How uint8

const (
	// NoReplace moves from to to and fails with fs.ErrExist if to exists.
	NoReplace How = iota
	// Exchange swaps from and to in one step; errors.ErrUnsupported where the
	// file system cannot.
	Exchange
	// Replace moves from over to.
	Replace
	// Link gives the file from the second name to.
	Link
	// Unlink removes the name from; to is not used.
	Unlink
)

// OSDisk is the machine's own disk.
type OSDisk struct{}

// Mkdir implements [Disk].
func (OSDisk) Mkdir(dir *os.Root, name string, mode fs.FileMode) error { return dir.Mkdir(name, mode) }

// Create implements [Disk].
func (OSDisk) Create(dir *os.Root, name string, b []byte, mode fs.FileMode) error {
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Chmod(mode) // the umask does not decide about a page that has a mode
	}
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = dir.Remove(name)
	}
	return err
}

// Append implements [Disk].
func (OSDisk) Append(f *os.File, b []byte) error {
	before, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	n, err := f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		return nil
	}
	// Take the torn part off, unless somebody has already written behind it.
	if info, statErr := f.Stat(); statErr == nil && info.Size() == before+int64(n) {
		_ = f.Truncate(before)
	}
	return err
}

// Rename implements [Disk].
func (OSDisk) Rename(dir *os.Root, how How, from, to string) error {
	switch how {
	case Replace:
		return dir.Rename(from, to)
	case Link:
		return dir.Link(from, to)
	case Unlink:
		return dir.Remove(from)
	default:
		return rename(dir, how, from, to)
	}
}

// moveByLink is NoReplace where the system has no such call.
func moveByLink(dir *os.Root, from, to string) error {
	if err := dir.Link(from, to); err != nil {
		return err
	}
	return dir.Remove(from)
}

// Sync implements [Disk].
func (OSDisk) Sync(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return syncDir(f)
}
