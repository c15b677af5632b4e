package text

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
)

// Misfit is an error of decoding JSON in the words of JSON: a number where an
// object is wanted, instead of the name of a type of ours. Other errors it returns
// as they are.
func Misfit(err error) error {
	e, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	said := Given(e)
	if e.Field != "" {
		said = "key " + e.Field + ": " + said
	}
	return errors.New(said)
}

// Given says what is there and what is wanted instead: "a number where an object is
// wanted".
func Given(e *json.UnmarshalTypeError) string {
	article := "a "
	if strings.HasPrefix(e.Value, "array") || strings.HasPrefix(e.Value, "object") {
		article = "an "
	}
	return article + e.Value + " where " + wanted(e.Type) + " is wanted"
}

// wanted names a Go type in the words of JSON.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "an array"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	case reflect.Int:
		return "a whole number"
	}
	return "a number"
}
