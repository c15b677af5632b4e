// Package crypt encrypts pages for chosen readers and decrypts them again, in the format
// of age (age-encryption.org/v1). [Seal] encrypts to public keys, an [Identity] holds the
// secret keys that decrypt, and a [Choice] is what the user's configuration says about
// both.
//
// The package reads and writes no file: it gets bytes and returns bytes, and its only
// input beside them is the randomness that a seal needs. It takes age's own keys alone.
// Ssh keys are not taken, nor are plugins, because a plugin is a program that would run.
package crypt

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"filippo.io/age"
	"filippo.io/age/armor"
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
)

// A Choice is the value of the key "encryption" in the user's own config.json.
// The zero Choice encrypts nothing.
type Choice struct {
	// Recipients are public keys (age1...), to all of which a page is sealed.
	Recipients []string `json:"recipients"`
	// Identity is the path of the file with the secret keys that open pages, as
	// age-keygen writes it. "~/" is the home directory; a relative path begins at
	// the directory of the configuration.
	Identity string `json:"identity"`
	// Inject lets what answers a prompt come beside it; else encrypted pages are
	// only recalled when somebody asks.
	Inject bool `json:"inject"`
}

// ParseChoice reads the value of the key "encryption"; nothing is none. Its
// errors are KindUsage and say what is allowed.
func ParseChoice(raw json.RawMessage) (Choice, error) {
	var c Choice
	if len(raw) == 0 {
		return c, nil
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return Choice{}, misuse(text.Misfit(err))
	}
	if len(c.Recipients) > 0 {
		if _, err := recipients(c.Recipients); err != nil {
			return Choice{}, err
		}
	}
	return c, nil
}

// IdentityPath is where the secret keys lie, "" when no file is named.
func (c Choice) IdentityPath(home, configDir string) string {
	switch rest, ok := strings.CutPrefix(c.Identity, "~/"); {
	case c.Identity == "":
		return ""
	case ok:
		return filepath.Join(home, rest)
	case filepath.IsAbs(c.Identity):
		return c.Identity
	}
	return filepath.Join(configDir, c.Identity)
}

func misuse(err error) error {
	return &pimento.Error{Op: "encryption", Kind: pimento.KindUsage, Err: err,
		Hint: `use {"recipients": ["age1..."], "identity": "FILE", "inject": false}; age-keygen makes both keys`}
}

// Seal encrypts a page to every recipient, as armoured text, so that git and
// editors take it for a text file. Without a recipient, or with one that is no
// age key, the error is KindUsage.
func Seal(plain []byte, to []string) ([]byte, error) {
	keys, err := recipients(to)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	text := armor.NewWriter(&out)
	w, err := age.Encrypt(text, keys...)
	if err != nil {
		return nil, misuse(err)
	}
	_, err = w.Write(plain)
	if err := errors.Join(err, w.Close(), text.Close()); err != nil {
		return nil, misuse(err)
	}
	return out.Bytes(), nil
}

func recipients(keys []string) ([]age.Recipient, error) {
	var out []age.Recipient
	for _, k := range keys {
		r, err := age.ParseRecipients(strings.NewReader(k))
		if err != nil || len(r) != 1 {
			return nil, misuse(fmt.Errorf("recipient %q is not a public key of age", k))
		}
		out = append(out, r[0])
	}
	if len(out) == 0 {
		return nil, misuse(errors.New("no recipient is named"))
	}
	return out, nil
}

// An Identity is a set of secret keys.
type Identity struct{ keys []age.Identity }

// ParseIdentity reads the file that age-keygen writes. The error never quotes
// the file.
func ParseIdentity(file []byte) (Identity, error) {
	keys, err := age.ParseIdentities(bytes.NewReader(file))
	if err != nil || len(keys) == 0 {
		return Identity{}, &pimento.Error{Op: "identity", Kind: pimento.KindUsage,
			Err: errors.New("the file holds no secret key of age"), Hint: "make one with: age-keygen -o FILE"}
	}
	return Identity{keys}, nil
}

// Open decrypts a page, armoured or not, of at most limit bytes. A page for
// other readers is KindDenied; one that is damaged is KindRefused.
func (id Identity) Open(sealed []byte, limit int64) ([]byte, error) {
	var in io.Reader = bytes.NewReader(sealed)
	if bytes.HasPrefix(bytes.TrimLeft(sealed, " \t\r\n"), []byte(armor.Header)) {
		in = armor.NewReader(in)
	}
	plain, err := age.Decrypt(in, id.keys...)
	if err == nil {
		var b []byte
		if b, err = io.ReadAll(io.LimitReader(plain, limit+1)); err == nil && int64(len(b)) <= limit {
			return b, nil
		}
	}
	_, stranger := errors.AsType[*age.NoIdentityMatchError](err)
	switch {
	case stranger:
		return nil, &pimento.Error{Op: "decrypt", Kind: pimento.KindDenied,
			Err: errors.New("it is encrypted for other keys than yours"), Hint: "ask who has it to encrypt it for your public key, too"}
	case err == nil:
		return nil, &pimento.Error{Op: "decrypt", Kind: pimento.KindRefused, Err: fmt.Errorf("more than %d bytes", limit), Hint: "open it with: age --decrypt"}
	}
	return nil, &pimento.Error{Op: "decrypt", Kind: pimento.KindRefused, Err: errors.New("the page is damaged: " + err.Error()),
		Hint: "take it back from git or a backup"}
}

// NewIdentity makes a pair of keys: the file for the secret one, in the form of
// age-keygen, and the public one.
func NewIdentity() (file []byte, public string, err error) {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		return nil, "", err
	}
	public = id.Recipient().String()
	return fmt.Appendf(nil, "# public key: %s\n%s\n", public, id), public, nil
}
