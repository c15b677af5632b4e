package pimento

// A Stamp tells whether a file may have changed since it was last seen,
// without reading it: device, inode, size, and the times of the last change of
// content and of inode in nanoseconds since the epoch.
type Stamp struct {
	Dev   uint64
	Ino   uint64
	Size  int64
	Mtime int64
	Ctime int64
}
