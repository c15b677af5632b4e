package text_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/pimento-memory/pimento/internal/text"
)

func TestMisfit(t *testing.T) {
	type choice struct {
		URL  string
		Dim  int
		Keys []string
	}
	for in, want := range map[string]string{
		`42`:              "a number where an object is wanted",
		`{"URL": true}`:   "key URL: a bool where a string is wanted",
		`{"URL": []}`:     "key URL: an array where a string is wanted",
		`{"Dim": "x"}`:    "key Dim: a string where a whole number is wanted",
		`{"Keys": "one"}`: "key Keys: a string where an array is wanted",
	} {
		var c choice
		if got := text.Misfit(json.Unmarshal([]byte(in), &c)); got == nil || got.Error() != want {
			t.Errorf("%s: %v, want %s", in, got, want)
		}
	}
	if err := errors.New("unexpected end"); text.Misfit(err) != err || text.Misfit(nil) != nil {
		t.Error("another error is changed")
	}
}
