package crypt_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/crypt"
)

func keys(t *testing.T) (secret []byte, public string) {
	t.Helper()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return []byte("# created: today\n" + id.String() + "\n"), id.Recipient().String()
}

func TestSealedForSeveralReaders(t *testing.T) {
	sa, a := keys(t)
	sb, b := keys(t)
	sc, _ := keys(t)
	plain := []byte("---\r\ntype: user\r\n---\r\nThe door code is 4711 ☃\xff\n")
	sealed, err := crypt.Seal(plain, []string{a, b})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(sealed), "-----BEGIN AGE ENCRYPTED FILE-----\n") || bytes.Contains(sealed, []byte("4711")) {
		t.Errorf("sealed: %q", sealed)
	}
	for _, secret := range [][]byte{sa, sb} {
		id, err := crypt.ParseIdentity(secret)
		if err != nil {
			t.Fatal(err)
		}
		got, err := id.Open(sealed, 1<<20)
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("opened %q, %v", got, err)
		}
		if _, err := id.Open(sealed, 10); pimento.KindOf(err) != pimento.KindRefused {
			t.Errorf("over the limit: %v", err)
		}
		broken := bytes.Replace(sealed, []byte("\n"), []byte("\nAAAA"), 3)
		if _, err := id.Open(broken, 1<<20); pimento.KindOf(err) != pimento.KindRefused {
			t.Errorf("damaged: %v", err)
		}
	}
	stranger, err := crypt.ParseIdentity(sc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stranger.Open(sealed, 1<<20); pimento.KindOf(err) != pimento.KindDenied {
		t.Errorf("for others: %v", err)
	}
}

func TestChoice(t *testing.T) {
	_, pub := keys(t)
	good, err := crypt.ParseChoice(json.RawMessage(`{"recipients": ["` + pub + `"], "identity": "~/k.txt", "inject": true}`))
	if err != nil || !good.Inject || good.IdentityPath("/home/u", "/c") != "/home/u/k.txt" {
		t.Errorf("%+v, %v", good, err)
	}
	if got := (crypt.Choice{Identity: "k.txt"}).IdentityPath("/home/u", "/c"); got != "/c/k.txt" {
		t.Errorf("relative: %s", got)
	}
	for _, bad := range []string{`true`, `{"recipient": "x"}`, `{"recipients": ["ssh-ed25519 AAAA"]}`, `{"recipients": "x"}`} {
		if _, err := crypt.ParseChoice(json.RawMessage(bad)); pimento.KindOf(err) != pimento.KindUsage || pimento.HintOf(err) == "" {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if _, err := crypt.Seal(nil, nil); pimento.KindOf(err) != pimento.KindUsage {
		t.Errorf("nobody to seal for: %v", err)
	}
	if _, err := crypt.ParseIdentity([]byte("AGE-SECRET-KEY-NO\n")); err == nil || strings.Contains(err.Error(), "KEY-NO") {
		t.Errorf("a bad identity: %v", err)
	}
}
