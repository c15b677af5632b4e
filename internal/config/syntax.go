package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A member is one key of the outermost object, with offsets into the file.
type member struct {
	name       string
	raw        json.RawMessage
	key        int // where the key's opening quote stands
	start, end int // of the value
}

// members cuts a configuration into its members. An error begins with
// "line:column: ". A file with nothing but white space and comments is an
// empty object.
func members(b []byte) ([]member, error) {
	plain, at, ok := blankComments(b)
	if !ok {
		return nil, errAt(b, at, errors.New("a comment is not closed"))
	}
	if skipSpace(plain, 0) == len(plain) {
		return nil, nil
	}
	// The whole is checked first: its errors carry an offset.
	var whole json.RawMessage
	if err := json.Unmarshal(plain, &whole); err != nil {
		at := len(b)
		syntax, ok := errors.AsType[*json.SyntaxError](err)
		if ok && !strings.HasPrefix(err.Error(), "unexpected end") {
			at = max(int(syntax.Offset)-1, 0)
		}
		return nil, errAt(b, at, err)
	}
	if i := skipSpace(plain, 0); plain[i] != '{' {
		return nil, errAt(b, i, errors.New("a configuration is an object: { … }"))
	}
	return cutMembers(plain)
}

func cutMembers(plain []byte) ([]member, error) {
	in := json.NewDecoder(bytes.NewReader(plain))
	if _, err := in.Token(); err != nil {
		return nil, err
	}
	var members []member
	for in.More() {
		key := skipSpace(plain, skipComma(plain, int(in.InputOffset())))
		token, err := in.Token()
		if err != nil {
			return nil, errAt(plain, key, err)
		}
		m := member{key: key}
		m.name, _ = token.(string)
		if err := in.Decode(&m.raw); err != nil && err != io.EOF {
			return nil, errAt(plain, key, err)
		}
		m.end = int(in.InputOffset())
		m.start = m.end - len(m.raw)
		members = append(members, m)
	}
	return members, nil
}

// blankComments returns a copy in which comments outside strings, and a byte
// order mark, are spaces, so that offsets stay. If a comment is not closed it
// reports false and where it opens.
func blankComments(b []byte) (plain []byte, at int, ok bool) {
	plain = bytes.Clone(b)
	if bytes.HasPrefix(plain, []byte("\ufeff")) {
		blank(plain[:3])
	}
	for i := 0; i < len(b); i++ {
		end := -1
		switch {
		case b[i] == '"':
			for i++; i < len(b) && b[i] != '"' && b[i] != '\n'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			continue
		case bytes.HasPrefix(b[i:], []byte("//")):
			if end = bytes.IndexByte(b[i:], '\n'); end < 0 {
				end = len(b) - i
			}
		case bytes.HasPrefix(b[i:], []byte("/*")):
			if end = bytes.Index(b[i+2:], []byte("*/")); end < 0 {
				return nil, i, false
			}
			end += 4
		default:
			continue
		}
		blank(plain[i : i+end])
		i += end - 1
	}
	return plain, 0, true
}

// blank overwrites everything but line ends with spaces.
func blank(b []byte) {
	for i, c := range b {
		if c != '\n' && c != '\r' {
			b[i] = ' '
		}
	}
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

func skipComma(b []byte, i int) int {
	if i = skipSpace(b, i); i < len(b) && b[i] == ',' {
		i++
	}
	return i
}

// lineCol is the place of an offset, "line:column" from 1, columns in
// characters.
func lineCol(b []byte, at int) string {
	at = min(at, len(b))
	start := bytes.LastIndexByte(b[:at], '\n') + 1
	return fmt.Sprintf("%d:%d", bytes.Count(b[:at], []byte("\n"))+1, utf8.RuneCount(b[start:at])+1)
}

func errAt(b []byte, at int, err error) error {
	return fmt.Errorf("%s: %w", lineCol(b, at), err)
}
