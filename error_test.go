package pimento_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/pimento-memory/pimento"
)

func TestHintOfFindsJoinedErrors(t *testing.T) {
	hinted := &pimento.Error{Op: "vault.apply", Kind: pimento.KindUnavailable, Hint: "free some space", Err: errors.New("full")}
	for name, err := range map[string]error{
		"itself": hinted, "wrapped": fmt.Errorf("a: %w", hinted), "joined": errors.Join(errors.New("x"), hinted),
		"inside": &pimento.Error{Op: "remember", Err: errors.Join(hinted, nil)},
	} {
		if got := pimento.HintOf(err); got != "free some space" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := pimento.HintOf(nil) + pimento.HintOf(errors.New("x")); got != "" {
		t.Errorf("no hint: %q", got)
	}
}
