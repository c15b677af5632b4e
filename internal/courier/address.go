package courier

import (
	"errors"
	"strings"
)

// An Address is where a request goes, http or https, or where a file lies.
type Address struct {
	Scheme string // in small letters
	User   bool   // it holds a name or a password
	Host   string // with its port
	Path   string // as it is written, escapes and all
	Query  string // likewise, without the question mark
}

var errAddress = errors.New("not an address")

// ParseAddress takes an address apart, as far as is needed to tell whether it may be
// kept; who asks it parses it with net/url, and this takes nothing that net/url does
// not, but for a name and password that no caller takes. That package costs every
// start two tenths of a millisecond, a thread included.
func ParseAddress(s string) (a Address, err error) {
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return a, errAddress
		}
	}
	s, fragment, _ := strings.Cut(s, "#")
	s, a.Query, _ = strings.Cut(s, "?")
	scheme, rest, ok := strings.Cut(s, "://")
	if a.Scheme = strings.ToLower(scheme); !ok || a.Scheme != "http" && a.Scheme != "https" && a.Scheme != "file" {
		return a, errAddress
	}
	a.Host, a.Path = rest, ""
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		a.Host, a.Path = rest[:i], rest[i:]
	}
	if i := strings.LastIndexByte(a.Host, '@'); i >= 0 {
		a.User, a.Host = true, a.Host[i+1:]
	}
	if !goodHost(a.Host) {
		return a, errAddress
	}
	for _, escaped := range []string{a.Path, fragment} {
		if _, ok := unescape(escaped); !ok {
			return a, errAddress
		}
	}
	return a, nil
}

// goodHost says whether a host, perhaps with a port, is one beyond doubt: a name, an
// IPv4 address, or an IPv6 one without a zone.
func goodHost(host string) bool {
	if rest, ok := strings.CutPrefix(host, "["); ok {
		six, port, ok := strings.Cut(rest, "]")
		return ok && strings.Count(six, ":") >= 2 && only(six, "0123456789abcdefABCDEF:") && (port == "" || goodPort(port))
	}
	name, _, hasPort := strings.Cut(host, ":")
	return only(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~") && (!hasPort || goodPort(host[len(name):])) && (name != "" || !hasPort)
}

func goodPort(s string) bool { return s[0] == ':' && only(s[1:], "0123456789") }

func only(s, of string) bool { return strings.Trim(s, of) == "" }

// unescape reads the escapes of a path.
func unescape(path string) (string, bool) {
	var out []byte
	for i := 0; i < len(path); i++ {
		if path[i] != '%' {
			out = append(out, path[i])
			continue
		}
		if i+2 >= len(path) || hex(path[i+1]) < 0 || hex(path[i+2]) < 0 {
			return "", false
		}
		out = append(out, byte(hex(path[i+1])<<4|hex(path[i+2])))
		i += 2
	}
	return string(out), true
}

func hex(c byte) int { return strings.IndexByte("0123456789abcdef", c|0x20) }

// File is the path that a path stands for.
func (a Address) File() string {
	path, _ := unescape(a.Path) // it was read already
	return path
}

// Base is the address without its query, and without a name or a password.
func (a Address) Base() string { return a.Scheme + "://" + a.Host + a.Path }

// Redacted is the address as it may be shown.
func (a Address) Redacted() string {
	if a.User {
		a.Host = "xxxxx@" + a.Host
	}
	return a.Base()
}
