package bert

import (
	"encoding/binary"
	"errors"
)

var errProto = errors.New("not a valid protobuf message")

// fields calls visit for every field of a protobuf message: its number, its
// value when it is a number, its bytes when it is a string, bytes, a message
// or packed numbers. Bytes are views.
// https://protobuf.dev/programming-guides/encoding
func fields(b []byte, visit func(field int, n uint64, data []byte) error) error {
	for len(b) > 0 {
		tag, size := binary.Uvarint(b)
		if size <= 0 || tag>>3 == 0 || tag>>3 > 1<<29-1 {
			return errProto
		}
		b = b[size:]
		var n uint64
		var data []byte
		switch tag & 7 {
		case 0:
			if n, size = binary.Uvarint(b); size <= 0 {
				return errProto
			}
			b = b[size:]
		case 1, 5:
			size = 8
			if tag&7 == 5 {
				size = 4
			}
			if len(b) < size {
				return errProto
			}
			data, b = b[:size], b[size:]
		case 2:
			if n, size = binary.Uvarint(b); size <= 0 || n > uint64(len(b)-size) {
				return errProto
			}
			data, b, n = b[size:size+int(n)], b[size+int(n):], 0
		default: // groups, which nobody writes any more
			return errProto
		}
		if err := visit(int(tag>>3), n, data); err != nil {
			return err
		}
	}
	return nil
}
