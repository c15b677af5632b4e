package journal

import (
	"context"
	"errors"
	"os"
)

// DamagedPath is the file into which Repair puts what it takes out.
func (j *Journal) DamagedPath() string { return j.path("damaged") }

// Repair takes the lines that are no events, see Damaged, out of the journal and
// returns how many there were. Their bytes are added to the file at DamagedPath,
// and are on the disk before the journal changes; a Rewrite deletes it. Every other
// line stays as it is and where it is.
func (j *Journal) Repair(ctx context.Context) (n int, err error) {
	f, err := j.openEvents()
	if err != nil || f == nil {
		return 0, j.fail("repair", err)
	}
	f.Close()
	unlock, err := j.lock(ctx)
	if err != nil {
		return 0, j.fail("repair", err)
	}
	defer unlock()
	if _, err := j.write(batch{}, false); err != nil { // the end is healed as before any write
		return 0, j.fail("repair", err)
	}
	damaged, n, err := j.damagedLines(ctx)
	if err != nil || n == 0 {
		return 0, j.fail("repair", err)
	}
	if err := j.keepDamaged(damaged); err != nil {
		return 0, j.fail("repair", err)
	}
	return n, j.fail("repair", j.replace(ctx, func(line []byte) ([]byte, error) {
		if noEvent(line) {
			return nil, nil
		}
		return line, nil
	}))
}

// noEvent says whether a line is damaged: neither an object nor what a rewrite
// left of one.
func noEvent(line []byte) bool {
	_, ok := scanLine(line)
	return !ok && !blank(line)
}

// damagedLines are the lines of the journal that are damaged, each with a newline.
func (j *Journal) damagedLines(ctx context.Context) (lines []byte, n int, err error) {
	f, err := j.openEvents()
	if err != nil || f == nil {
		return nil, 0, err
	}
	defer f.Close()
	_, err = eachLine(ctx, f, 0, f.stamp.Size(), func(_ int64, line []byte) bool {
		if noEvent(line) {
			lines = append(append(lines, line...), '\n')
			n++
		}
		return true
	})
	return lines, n, err
}

// keepDamaged adds lines to those that were set aside before.
func (j *Journal) keepDamaged(lines []byte) error {
	f, err := os.OpenFile(j.DamagedPath(), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		err = writeAt(f, info.Size(), lines)
	}
	return errors.Join(err, f.Sync(), f.Close(), syncDir(j.dir))
}
