package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/pimento-memory/pimento"
)

// Set is an edit of the config.json at path, the user's own or a scope's, that sets
// one key and leaves every other byte as it is, comments included. A file that does
// not exist is begun. Its error, of KindUsage, is of a malformed file or a key that
// such a file may not set.
func Set(path string, own bool, key string, value any) func([]byte) ([]byte, error) {
	usage := func(err error, hint string) error {
		return &pimento.Error{Op: "config", Path: path, Kind: pimento.KindUsage, Err: err, Hint: hint}
	}
	return func(b []byte) ([]byte, error) {
		switch isOwn := slices.Contains(ownKeys(), key); {
		case isOwn && !own:
			return nil, usage(errors.New("key "+key+" belongs into your own config.json"), "")
		case !isOwn && !slices.Contains(scopeKeys(), key):
			return nil, usage(fmt.Errorf("unknown key %q", key), meant(key, own))
		}
		next, err := setKey(b, key, value)
		if err != nil {
			return nil, usage(err, "correct the file; it was not changed")
		}
		return next, nil
	}
}

// setKey returns the file with one key set. An error begins with
// "line:column: ".
func setKey(b []byte, key string, value any) ([]byte, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	all, err := members(b)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		if m.name == key {
			return splice(b, pimento.Splice{Off: m.start, Del: m.end - m.start, Ins: raw}), nil
		}
	}
	name, _ := json.Marshal(key)
	pair := fmt.Sprintf("%s: %s", name, raw)
	plain, _, _ := blankComments(b)
	brace := bytes.LastIndexByte(plain, '}')
	if brace < 0 { // nothing but comments
		if len(b) > 0 && b[len(b)-1] != '\n' {
			pair = "\n" + "{\n  " + pair + "\n}\n"
			return append(bytes.Clone(b), pair...), nil
		}
		return append(bytes.Clone(b), "{\n  "+pair+"\n}\n"...), nil
	}
	return insertMember(b, all, brace, pair), nil
}

// insertMember adds a pair behind the last member and the comments behind it.
func insertMember(b []byte, all []member, brace int, pair string) []byte {
	behind := len(bytes.TrimRight(b[:brace], " \t\r\n")) // the last thing inside, a comment perhaps
	if len(all) == 0 {
		ins := "\n  " + pair
		if behind == brace || !bytes.ContainsRune(b[behind:brace], '\n') {
			ins += "\n"
		}
		return splice(b, pimento.Splice{Off: behind, Ins: []byte(ins)})
	}
	last := all[len(all)-1]
	comma := pimento.Splice{Off: last.end, Ins: []byte(",")}
	gap := b[bytes.LastIndexByte(b[:last.key], '\n')+1 : last.key]
	if len(bytes.TrimLeft(gap, " \t")) > 0 || !bytes.ContainsRune(b[:last.key], '\n') {
		if bytes.ContainsRune(b[last.end:brace], '\n') && behind > last.end {
			return splice(b, comma, pimento.Splice{Off: behind, Ins: []byte("\n  " + pair)})
		}
		comma.Ins = []byte(", " + pair) // all on one line
		return splice(b, comma)
	}
	eol := "\n"
	if bytes.Contains(b, []byte("\r\n")) {
		eol = "\r\n"
	}
	return splice(b, comma, pimento.Splice{Off: behind, Ins: []byte(eol + string(gap) + pair)})
}

// splice is [pimento.ApplySplices] for splices that fit.
func splice(b []byte, splices ...pimento.Splice) []byte {
	out, _ := pimento.ApplySplices(b, splices)
	return out
}
