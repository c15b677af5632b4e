package plainjson

import "reflect"

// Foreign is the first type that leaves values of t to encoding/json, nil when none
// does.
func Foreign(t reflect.Type) reflect.Type { return foreignIn(t, map[reflect.Type]bool{}) }

func foreignIn(t reflect.Type, met map[reflect.Type]bool) reflect.Type {
	if met[t] {
		return nil
	}
	met[t] = true
	s := shapeOf(t)
	switch {
	case s.form == foreign || s.reads == foreign:
		return t
	case s.form == list || s.form == table || s.form == pointer:
		return foreignIn(t.Elem(), met)
	}
	for _, m := range s.members {
		if found := foreignIn(t.FieldByIndex(m.index).Type, met); found != nil {
			return found
		}
	}
	return nil
}
