package page

import (
	"slices"
	"testing"

	"github.com/pimento-memory/pimento"
)

// Every type has a kind that is written as a type that reads as that kind, and what
// became of an older type is one of today's.
func TestTypes(t *testing.T) {
	for _, typ := range KnownTypes() {
		if k := KindOfType(typ); KindOfType(TypeOf(k)) != k || !slices.Contains(KnownTypes(), TypeOf(k)) {
			t.Errorf("%s is a %s, which is written as %s", typ, k, TypeOf(k))
		}
		if NewerType(typ) != "" {
			t.Errorf("%s is both today's and an older one", typ)
		}
	}
	for old, want := range map[string]pimento.Kind{
		"feedback": pimento.KindLesson, "maintenance": pimento.KindLesson, "note": pimento.KindReference, "research": pimento.KindReference,
		"article": pimento.KindReference, "paper": pimento.KindReference, "concept": pimento.KindReference, "workflow": pimento.KindDecision,
		"Decision": pimento.KindDecision, "tool": pimento.KindDecision, "preference": pimento.KindPreference, "fact": pimento.KindFact,
		"nonsense": pimento.KindReference,
	} {
		if got := KindOfType(old); got != want {
			t.Errorf("%s is a %s", old, got)
		}
		if now := NewerType(old); now != "" && (!slices.Contains(Types(), now) || KindOfType(now) != want) {
			t.Errorf("%s became %s", old, now)
		}
	}
}
