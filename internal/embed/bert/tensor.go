package bert

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"
)

// dtype is how a tensor's numbers are stored, all little-endian.
type dtype uint8

const (
	f32 dtype = iota
	f16
	bf16
)

func (d dtype) size() int {
	if d == f32 {
		return 4
	}
	return 2
}

// A tensor is a block of numbers in a mapped file. Its data has exactly the
// length that type and shape ask for; who makes one checks that with newTensor.
type tensor struct {
	dtype dtype
	shape []int
	data  []byte

	// turned says that the file holds a matrix as [in, out] where the layer wants
	// [out, in], as ONNX exports do.
	turned bool
}

// newTensor checks a shape against the bytes that there are.
func newTensor(d dtype, shape []int, data []byte) (tensor, error) {
	n := d.size()
	for _, dim := range shape {
		if dim < 0 || dim > 0 && n > len(data)/dim {
			return tensor{}, fmt.Errorf("shape %v does not fit %d bytes", shape, len(data))
		}
		n *= dim
	}
	if n != len(data) {
		return tensor{}, fmt.Errorf("shape %v does not fit %d bytes", shape, len(data))
	}
	return tensor{dtype: d, shape: shape, data: data}, nil
}

// at decodes number i.
func (t tensor) at(i int) float32 {
	switch t.dtype {
	case f16:
		return halfToFloat(binary.LittleEndian.Uint16(t.data[2*i:]))
	case bf16:
		return math.Float32frombits(uint32(binary.LittleEndian.Uint16(t.data[2*i:])) << 16)
	default:
		return math.Float32frombits(binary.LittleEndian.Uint32(t.data[4*i:]))
	}
}

// add adds row r of a matrix to dst. Tables are read so, row by row, because
// a text uses few rows of a large table.
func (t tensor) add(dst []float32, r int) {
	for i := range dst {
		dst[i] += t.at(r*len(dst) + i)
	}
}

// view is all numbers, row by row, where the file's bytes are floats already.
func (t tensor) view() ([]float32, bool) {
	if t.turned || t.dtype != f32 || !littleEndian() || len(t.data) == 0 || uintptr(unsafe.Pointer(&t.data[0]))%4 != 0 {
		return nil, false
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&t.data[0])), len(t.data)/4), true
}

// floats are all numbers, row by row: a view if there is one, else a copy.
func (t tensor) floats() []float32 {
	if v, ok := t.view(); ok {
		return v
	}
	out := make([]float32, len(t.data)/t.dtype.size())
	if !t.turned {
		for i := range out {
			out[i] = t.at(i)
		}
		return out
	}
	in, rows := t.shape[0], t.shape[1]
	for r := range rows {
		for c := range in {
			out[r*in+c] = t.at(c*rows + r)
		}
	}
	return out
}

func littleEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}

// halfToFloat widens an IEEE 754 binary16 number.
func halfToFloat(h uint16) float32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exp {
	case 0: // zero or subnormal: frac * 2^-24
		f := float32(frac) / (1 << 24)
		return math.Float32frombits(sign | math.Float32bits(f))
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	default:
		return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
	}
}
