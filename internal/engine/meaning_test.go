package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/engine"
)

// fake is a strong embedder that knows three matters by their words.
type fake struct {
	calls *atomic.Int64
	fail  bool
	id    string
}

func (f fake) Info() embed.Info {
	return embed.Info{ID: "fake" + f.id, Dim: 4, Related: 0.5}
}
func (f fake) Close() error { return nil }

func (f fake) Embed(_ context.Context, texts []string) ([][]float32, error) {
	if f.fail {
		return nil, errors.New("the model is tired")
	}
	f.calls.Add(int64(len(texts)))
	out := make([][]float32, len(texts))
	for i, s := range texts {
		v := []float32{0.1, 0, 0, 0}
		for m, words := range []string{"zanzibar quokka", "wombat teapot", "pancake lathe"} {
			for w := range strings.FieldsSeq(words) {
				if strings.Contains(s, w) {
					v[m+1]++
				}
			}
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x * x)
		}
		for j := range v {
			v[j] /= float32(math.Sqrt(sum))
		}
		out[i] = v
	}
	return out, nil
}

func (w *world) with(f fake) *engine.Engine {
	w.Helper()
	put(w, filepath.Join(w.dirs.Config, "config.json"), `{"embedder": "fake"}`)
	opt := w.options()
	opt.Embed = func(context.Context, embed.Choice) (embed.Embedder, error) { return f, nil }
	e, err := engine.Open(opt)
	w.must(err)
	w.Cleanup(func() { e.Close() })
	return e
}

// TestAnotherEmbedder: what shares no word with the question is found by a model
// that the user chose; each text is embedded once, however often it is asked for
// and however many processes ask.
func TestAnotherEmbedder(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Ships sail to zanzibar\n- The wombat sleeps\n")
	f := fake{calls: &atomic.Int64{}}
	ask := func(question string) string {
		t.Helper()
		e := w.with(f)
		a := e.Recall(t.Context(), pimento.Query{Text: question})
		if len(a.Faults) > 0 {
			t.Error(a.Faults)
		}
		if len(a.Hits) == 0 {
			return ""
		}
		return a.Hits[0].Entry.Text
	}
	if got := ask("quokka?"); got != "Ships sail to zanzibar" {
		t.Errorf("found %q", got)
	}
	before := f.calls.Load()
	if got := ask("teapot?"); got != "The wombat sleeps" || f.calls.Load() != before+1 {
		t.Errorf("found %q, with %d texts embedded for a question", got, f.calls.Load()-before)
	}
	w.page("topics/new.md", "- Bread from a lathe\n")
	before = f.calls.Load()
	if got := ask("pancake"); got != "Bread from a lathe" || f.calls.Load() != before+2 {
		t.Errorf("found %q, with %d texts embedded for a question and a new entry", got, f.calls.Load()-before)
	}
}

// TestAnEmbedderThatFails is a fault; words answer.
func TestAnEmbedderThatFails(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Ships sail to zanzibar\n")
	e := w.with(fake{calls: &atomic.Int64{}, fail: true})
	a := e.Recall(t.Context(), pimento.Query{Text: "where do ships sail?"})
	if len(a.Hits) != 1 || len(a.Faults) != 1 || a.Faults[0].Kind != "embedder" || !strings.Contains(a.Faults[0].Detail, "tired") {
		t.Errorf("%+v", a)
	}
}

// TestOtherWords: the built-in vectors find what shares no word with the prompt,
// in a turn too; "none" switches them off.
func TestOtherWords(t *testing.T) {
	w := newWorld(t)
	w.page("topics/storage.md", "- Chose PostgreSQL for everything that must not be lost\n")
	w.page("topics/other.md", "- The office plants get water on Fridays\n- Lunch is at noon\n")
	question := "which database do we run?"
	wantIn(t, "recall", w.finds(question), "PostgreSQL")
	c := w.chat("s")
	c.say("hello") // takes the prefix
	w.page("topics/later.md", "- Secrets are rotated by the vault operator each quarter\n")
	c.say("what is new?") // tells of it
	c.compact("1")
	if b := c.say("who changes the passwords?"); !strings.Contains(b.Prefix+b.Tail, "rotated") {
		t.Errorf("the model has not got it: %s", b.Tail)
	}
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"embedder": "none"}`)
	wantOut(t, "recall without vectors", w.finds(question), "PostgreSQL")
}

// TestLinksComeAlong: one hop from what answers, and what is replaced steps back.
func TestLinksComeAlong(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Checkout latency is explained in [[slow-queries]]\n- The meeting about [[queries]] went well\n")
	w.page("slow-queries.md", "# Vacuum\n\nAutovacuum was switched off by a migration.\n")
	w.page("knowledge/limit-old.md", "---\ntitle: Upload limit\n---\nThe upload limit is 5 megabytes per file and per customer.\n")
	w.page("knowledge/limit-new.md", "---\nsupersedes: limit-old\n---\nThe upload limit is 50 megabytes.\n")
	if got := w.finds("why is checkout latency so high?"); !strings.Contains(got, "Autovacuum") {
		t.Errorf("the linked page is missing: %s", got)
	}
	if got := w.finds("did the meeting go well?"); !strings.Contains(got, "went well") || strings.Contains(got, "Autovacuum") {
		t.Errorf("a part of a page's name led to it: %s", got)
	}
	w.page("MEMORY.md", "- Checkout latency is explained in [[vacuum]]\n- A release goes as [[topics/long]] says\n")
	w.page("topics/vacuum.md", "# Vacuum\n\n- Autovacuum is off.\n")
	w.page("topics/long.md", "# Long\n\n- Kiwis are green.\n- b\n- c\n- d\n- e\n- f\n- g\n- h\n- i\n")
	if got := w.finds("why is checkout latency so high?"); !strings.Contains(got, "Autovacuum is off") {
		t.Errorf("what stands on the linked list is missing: %s", got)
	}
	if got := w.finds("how does a release go?"); strings.Contains(got, "Kiwis") {
		t.Errorf("a long list came along: %s", got)
	}
	// What links to a page comes along with it, unless nobody can tell which is meant.
	w.page("hub.md", "# Glossary\n\nA marmalade is a batch of invoices.\n")
	for i := range 8 {
		w.page(fmt.Sprintf("linker%d.md", i), fmt.Sprintf("# Linker %d\n\nStep %d is as in [[hub]].\n", i, i))
	}
	if got := w.finds("marmalade"); strings.Count(got, "is as in [[hub]]") != 8 {
		t.Errorf("what links to the page is missing: %s", got)
	}
	w.page("linker8.md", "# Linker 8\n\nStep 8 is as in [[hub]].\n")
	if got := w.finds("marmalade"); !strings.Contains(got, "invoices") || strings.Contains(got, "is as in [[hub]]") {
		t.Errorf("some of those that link to a page that many link to: %s", got)
	}
	got := w.finds("upload limit per file for a customer")
	if n, o := strings.Index(got, "50 megabytes"), strings.Index(got, "5 megabytes per"); n < 0 || o >= 0 && o < n {
		t.Errorf("the replaced page comes first:\n%s", got)
	}
}

// TestModes: the words alone, meaning alone, and what happens without vectors.
func TestModes(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Chose PostgreSQL for orders\n- The database course starts on Monday\n")
	ask := func(mode pimento.Mode) (texts string, faults int) {
		e := w.open()
		defer e.Close()
		a := e.Recall(t.Context(), pimento.Query{Text: "database", Mode: mode})
		for _, h := range a.Hits {
			texts += h.Entry.Text + "\n"
		}
		return texts, len(a.Faults)
	}
	if got, _ := ask(pimento.Keyword); got != "The database course starts on Monday\n" {
		t.Errorf("keyword: %s", got)
	}
	for _, mode := range []pimento.Mode{"", pimento.Hybrid, pimento.Semantic} {
		if got, faults := ask(mode); !strings.Contains(got, "PostgreSQL") || !strings.Contains(got, "course") || faults > 0 {
			t.Errorf("%s: %d faults, %s", mode, faults, got)
		}
	}
	put(t, filepath.Join(w.dirs.Config, "config.json"), `{"embedder": "none"}`)
	if got, faults := ask(pimento.Semantic); got != "The database course starts on Monday\n" || faults != 1 {
		t.Errorf("semantic without vectors: %d faults, %s", faults, got)
	}
}

// TestPreferred: an installed model is used where nothing was chosen.
func TestPreferred(t *testing.T) {
	w := newWorld(t)
	w.page("MEMORY.md", "- Ships sail to zanzibar\n")
	f := fake{calls: &atomic.Int64{}}
	opt := w.options()
	opt.Preferred = embed.NamedChoice("fake")
	opt.Embed = func(context.Context, embed.Choice) (embed.Embedder, error) { return f, nil }
	e, err := engine.Open(opt)
	w.must(err)
	defer e.Close()
	if a := e.Recall(t.Context(), pimento.Query{Text: "quokka"}); len(a.Hits) != 1 || f.calls.Load() == 0 {
		t.Errorf("%+v", a)
	}
}
