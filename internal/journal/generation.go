package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
)

// typeGeneration is the type of a journal's first line. It has the form of an
// event, so that every reader of events can skip it as one it does not know.
const typeGeneration = "generation"

// A generation is what the first line says: which journal this is, and how
// often it has been rewritten. Offsets hold for a lineage, the fold for a
// generation. The zero generation is a journal without events.
type generation struct {
	lineage string
	rewrite int // -1: there is no such line, the lineage is a digest of what stands there
}

// line is the first line of a journal; it has a fixed width, so that a rewrite
// does not move what follows.
func (g generation) line() []byte {
	return fmt.Appendf(nil, `{"v":1,"id":"%s","type":"%s","reason":"%08d"}`+"\n", g.lineage, typeGeneration, g.rewrite)
}

// String is what Mark.Gen holds, "" for the zero generation.
func (g generation) String() string {
	if g.lineage == "" {
		return ""
	}
	return g.lineage + "." + strconv.Itoa(g.rewrite)
}

// firstBytes is how much of a file without a generation line names it.
const firstBytes = 512

// readGeneration reads a journal's first line. A file without a whole first
// line has the zero generation.
func readGeneration(r io.ReaderAt) (generation, error) {
	var buf [firstBytes]byte
	n, err := r.ReadAt(buf[:], 0)
	if err != nil && err != io.EOF {
		return generation{}, err
	}
	b := buf[:n]
	for i, c := range b {
		if c == '\n' {
			return generationOf(b[:i:i]), nil
		}
	}
	if n < firstBytes {
		return generation{}, nil
	}
	return generationOf(b), nil
}

func generationOf(line []byte) generation {
	f, ok := scanLine(line)
	if ok && string(f.typ) == typeGeneration && len(f.id) == 16 && len(f.reason) == 8 {
		n, err := strconv.Atoi(string(f.reason))
		// To the byte, because a rewrite puts its own line in this place.
		if g := (generation{string(f.id), n}); err == nil && bytes.Equal(g.line(), append(line, '\n')) {
			return g
		}
	}
	sum := sha256.Sum256(line)
	return generation{hex.EncodeToString(sum[:8]), -1}
}
