package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/think"
)

type reader = func(io.Reader, string, func(Dialogue, int, int64) error) error

// dialogues reads one of our own small files in a benchmark's format.
func dialogues(t *testing.T, read reader, file string) (out []Dialogue, dropped int) {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	err = read(f, file, func(d Dialogue, n int, _ int64) error {
		out, dropped = append(out, d), dropped+n
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, dropped
}

// TestLongMemEvalProtocols: the official protocol leaves out what has no answer
// and what only the assistant said; recall-any names the sessions of both.
func TestLongMemEvalProtocols(t *testing.T) {
	ds, _ := dialogues(t, LongMemEval, "longmemeval.json")
	var got []string
	for _, d := range ds {
		q := d.Asked[0]
		got = append(got, fmt.Sprintf("%s rule %d: official %v %v, any %v %v", q.ID, q.Rule, q.Official.Sessions, q.Official.Said, q.Any.Sessions, q.Any.Said))
		for _, s := range d.Said {
			if s.Aside != (s.Author == "assistant") || s.Date == "" || s.Section == "" {
				t.Errorf("%s: %+v", q.ID, s)
			}
		}
	}
	want := []string{
		"q-user rule 0: official [answer_a1] [answer_a1_1], any [answer_a1] [answer_a1_1]",
		"q-multi rule 0: official [answer_b1 answer_b2] [answer_b1_1 answer_b2_1], any [answer_b1 answer_b2] [answer_b1_1 answer_b2_1]",
		"q-temporal rule 1: official [answer_c1 answer_c2] [answer_c1_1 answer_c2_1], any [answer_c1 answer_c2] [answer_c1_1 answer_c2_1]",
		"q-update rule 2: official [answer_d1 answer_d2] [answer_d1_1 answer_d2_1], any [answer_d1 answer_d2] [answer_d1_1 answer_d2_1]",
		"q-preference rule 3: official [answer_e1] [answer_e1_1], any [answer_e1] [answer_e1_1]",
		"q-assistant rule 0: official [] [], any [answer_f1] []",
		"q-user_abs rule 4: official [] [], any [answer_a1_abs] []",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if a := ds[1].Asked[0].Answer; a != "2" {
		t.Errorf("an answer that is a number: %q", a)
	}
}

// TestSessionThatIsThereTwice: ids stay unique, the session stays one.
func TestSessionThatIsThereTwice(t *testing.T) {
	in := `[{"question_id":"q","question":"x?","haystack_session_ids":["s","s"],"haystack_dates":["2024/01/01","2024/01/02"],
		"haystack_sessions":[[{"role":"user","content":"x"}],[{"role":"user","content":"y"}]]}]`
	err := LongMemEval(strings.NewReader(in), "f", func(d Dialogue, _ int, _ int64) error {
		_, err := NewCorpus([]Line{d.Said[0].Line, d.Said[1].Line})
		if d.Said[0].Section != d.Said[1].Section {
			t.Errorf("two sessions: %+v", d.Said)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLoCoMoEvidence: several ids in one text, zeros before a number, and ids of
// messages that are not there.
func TestLoCoMoEvidence(t *testing.T) {
	ds, dropped := dialogues(t, LoCoMo, "locomo.json")
	if len(ds) != 1 || len(ds[0].Said) != 11 || dropped != 1 {
		t.Fatalf("%d conversations, %d evidence dropped", len(ds), dropped)
	}
	if s := ds[0].Said[2]; s.ID != "D1:3" || s.Author != "Ines" || s.Section != "session_1" || s.Date != "1:56 pm on 8 May, 2023" ||
		!strings.HasSuffix(s.Text, "[shares a photo of a lopsided green bowl on a windowsill]") {
		t.Errorf("a message with a picture: %+v", s)
	}
	var got []string
	for _, q := range ds[0].Asked {
		got = append(got, fmt.Sprintf("%s %s %v %v = %q", q.ID, q.Type, q.Official.Said, q.Any.Sessions, q.Answer))
	}
	want := []string{
		`conv-1-1 single-hop [D1:4] [session_1] = "Pixel"`,
		`conv-1-2 temporal [D2:1] [session_2] = "2 June 2023"`,
		`conv-1-3 multi-hop [D3:1 D2:2] [session_3 session_2] = "mugs, vases"`,
		`conv-1-4 open-domain [D1:2 D3:2] [session_1 session_3] = "Likely yes; he has an allotment"`,
		`conv-1-5 single-hop [D3:1] [session_3] = "9"`,
		`conv-1-6 adversarial [D2:4] [session_2] = ""`,
		`conv-1-7 open-domain [] [] = "unknown"`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestTally computes recall and gain as the benchmark's scripts do.
func TestTally(t *testing.T) {
	var all, share, some Tally
	hits, evidence := []string{"x", "a", "y", "z", "w", "b"}, []string{"a", "b"}
	all.take(hits, evidence, func(n, of int) float64 { return float64(n / of) })
	share.take(hits, evidence, func(n, of int) float64 { return float64(n) / float64(of) })
	some.take(hits, evidence, func(n, _ int) float64 { return float64(min(n, 1)) })
	some.take(hits, nil, nil) // left out
	for _, c := range []struct {
		name string
		got  Tally
		want string
	}{{"all", all, "0 0 1 1"}, {"share", share, "0 0.5 1 1"}, {"any", some, "0 1 1 1"}} {
		s := ""
		for _, k := range DepthKeys() {
			s += fmt.Sprintf("%g ", c.got.Recall[k])
		}
		if strings.TrimSpace(s) != c.want || c.got.N != 1 {
			t.Errorf("%s: %s of %d, want %s", c.name, s, c.got.N, c.want)
		}
	}
	// The second place counts 1, the sixth 1/log2(6); at best both count 1.
	if want := (1 + 1/math.Log2(6)) / 2; math.Abs(all.NDCG-want) > 1e-9 {
		t.Errorf("gain %g, want %g", all.NDCG, want)
	}
}

// dialogueReport runs a benchmark on our own file.
func dialogueReport(t *testing.T, read reader, file string, run DialogueRun) (rep DialogueReport) {
	t.Helper()
	run.Embedder, run.Temp, run.Clock = embed.NewStatic(), t.TempDir(), time.Now
	ds, dropped := dialogues(t, read, file)
	rep.Dropped = dropped
	for _, d := range ds {
		if err := rep.Add(t.Context(), d, &run); err != nil {
			t.Fatal(err)
		}
	}
	rep.Sum()
	return rep
}

// TestDialogueReports holds what is found in the small files, by type, under
// both protocols and at both levels.
func TestDialogueReports(t *testing.T) {
	var b strings.Builder
	for _, level := range []string{SessionLevel, TurnLevel} {
		for _, of := range []struct {
			read  reader
			file  string
			share bool
		}{{LongMemEval, "longmemeval.json", false}, {LoCoMo, "locomo.json", true}} {
			rep := dialogueReport(t, of.read, of.file, DialogueRun{Level: level, Share: of.share})
			fmt.Fprintf(&b, "%s by %s: %d messages, %d memories, %d dropped\n", of.file, level, rep.Messages, rep.Memories, rep.Dropped)
			for _, r := range rep.Rows {
				fmt.Fprintf(&b, "  %s: official %d %.2f %.2f gain %.2f, any %d %.2f %.2f\n", r.Type, r.Official.N, r.Official.Recall["1"],
					r.Official.Recall["5"], r.Official.NDCG, r.Any.N, r.Any.Recall["1"], r.Any.Recall["5"])
			}
		}
	}
	golden(t, "dialogues", b.String())
}

// TestDialogueLimit: no more questions than asked for, also within one memory.
func TestDialogueLimit(t *testing.T) {
	for n := 1; n < 4; n++ {
		rep := dialogueReport(t, LoCoMo, "locomo.json", DialogueRun{Level: TurnLevel, Limit: n})
		if got := rep.Rows[len(rep.Rows)-1]; got.Type != "all" || got.Any.N != n {
			t.Errorf("limit %d: %+v", n, got)
		}
	}
}

// clerk answers from what it is given and judges by the known answer.
type clerk struct {
	asked []think.Ask
}

func (c *clerk) Room(think.Ask) int { return 1 << 20 }
func (c *clerk) Close() error       { return nil }
func (c *clerk) Think(_ context.Context, a think.Ask) (think.Thought, error) {
	c.asked = append(c.asked, a)
	said := func(name string) string {
		i := slices.IndexFunc(a.Material, func(m think.Material) bool { return m.Name == name })
		if i < 0 {
			return ""
		}
		return a.Material[i].Text
	}
	switch {
	case said("known answer") != "":
		return think.Thought{Text: fmt.Sprintf("**%s.**", map[bool]string{true: "Yes", false: "No"}[said("given answer") == said("known answer")])}, nil
	case strings.Contains(said("memory"), "greyhound") && strings.Contains(said("question"), "dog"):
		return think.Thought{Text: "Pixel"}, nil
	case strings.Contains(said("question"), "sell at"):
		return think.Thought{Text: "nine mugs, two vases"}, nil
	}
	return think.Thought{Text: "not mentioned"}, nil
}

// TestDialogueAnswers: a model is given the best of the ranking and no more than
// allowed; its answers are judged by the rule of their question, and scored.
func TestDialogueAnswers(t *testing.T) {
	model := &clerk{}
	var found []Found
	rep := dialogueReport(t, LoCoMo, "locomo.json", DialogueRun{Level: TurnLevel, Model: model, Tokens: 120, F1: true,
		Each: func(f Found) error { found = append(found, f); return nil }})
	all := rep.Rows[len(rep.Rows)-1]
	if all.Asked != 7 || all.Right != 1 {
		t.Errorf("%d of %d right", all.Right, all.Asked)
	}
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s %v %.2f", f.Hypothesis, *f.Right, *f.F1))
	}
	if d := cmp.Diff([]string{"Pixel true 1.00", "not mentioned false 0.00", "nine mugs, two vases false 0.67", "not mentioned false 0.00",
		"not mentioned false 0.00", "not mentioned false 1.00", "not mentioned false 0.00"}, got); d != "" {
		t.Error(d)
	}
	for i, a := range model.asked {
		if m := a.Material[0]; m.Name == "memory" && (m.Text == "" || text.Tokens(m.Text) > 125) {
			t.Errorf("ask %d: %d tokens of memory", i, text.Tokens(m.Text))
		}
	}
	if judged := model.asked[11]; !strings.Contains(judged.Task, "has no answer") {
		t.Errorf("the adversarial question was judged by: %s", judged.Task)
	}
}

// TestReadGivesRepliesAlong: a message is read with what was answered to it, a
// session as a whole.
func TestReadGivesRepliesAlong(t *testing.T) {
	ds, _ := dialogues(t, LongMemEval, "longmemeval.json")
	d := ds[5]
	got := d.read([]string{"answer_f1_1"}, TurnLevel, 1000)
	want := "## 2024/02/26 (Mon) 15:00\nuser: I repair a valve radio. Which solder should I use?\nassistant: I recommend leaded 60/40 solder.\n\n"
	if got != want || d.read([]string{"answer_f1"}, SessionLevel, 1000) != want {
		t.Errorf("%q", got)
	}
	if cut := d.read([]string{"answer_f1"}, SessionLevel, 10); cut == "" || !strings.HasPrefix(want, strings.TrimSpace(cut)) || text.Tokens(cut) > 11 {
		t.Errorf("cut: %q", cut)
	}
}

func TestVerdicts(t *testing.T) {
	for said, want := range map[string]bool{"yes": true, "No.": false, "**Yes**": true, "": false, "Yes or no? No": false,
		"The answer is right, so: yes": true, "nothing known": false} {
		if yes(said) != want {
			t.Errorf("%q: %v", said, !want)
		}
	}
}

// TestF1 computes LoCoMo's score by hand.
func TestF1(t *testing.T) {
	for _, c := range []struct {
		typ, known, said string
		want             float64
	}{
		{"single-hop", "the greyhound", "A greyhound.", 1},
		{"single-hop", "a green bowl", "bowl", 2.0 / 3},
		{"single-hop", "walked the dogs", "walking a dog", 1}, // stems
		{"single-hop", "yes", "no", 0},
		{"single-hop", "", "something", 0},
		{"multi-hop", "mugs, vases", "vases, mugs", 1},
		{"multi-hop", "mugs, vases", "mugs", 0.5},
		{"open-domain", "Likely yes; he has an allotment", "likely yes", 1},
		{"adversarial", "", "This is not mentioned.", 1},
		{"adversarial", "", "the cello", 0},
	} {
		if got := (Sought{Type: c.typ, Answer: c.known}).f1(c.said); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %q for %q scores %g, want %g", c.typ, c.said, c.known, got, c.want)
		}
	}
}

// TestWrongFiles: what is no file of the benchmark says so, where, and what would be.
func TestWrongFiles(t *testing.T) {
	long, _ := os.ReadFile("testdata/longmemeval.json")
	loco, _ := os.ReadFile("testdata/locomo.json")
	for _, c := range []struct {
		name string
		read reader
		in   string
		want string
	}{
		{"empty", LongMemEval, "", "not a JSON list"},
		{"prose", LoCoMo, "# README", "not a JSON list"},
		{"object", LoCoMo, `{"qa":[]}`, "not a JSON list"},
		{"nothing", LoCoMo, "[]", "the list is empty"},
		{"cut", LongMemEval, string(long[:len(long)/2]), "ends in the middle"},
		{"cut after an item", LoCoMo, strings.TrimRight(string(loco), "]\n"), "ends in the middle"},
		{"the other", LongMemEval, string(loco), "pimento eval locomo FILE"},
		{"the other", LoCoMo, string(long), "pimento eval longmemeval FILE"},
		{"numbers", LongMemEval, "[1]", "item 1"},
		{"no sessions", LongMemEval, `[{"question_id":"a","question":"b"}]`, "no haystack_sessions"},
		{"dates", LongMemEval, `[{"question_id":"a","question":"b","haystack_sessions":[[]],"haystack_session_ids":["s"]}]`, "1 of their ids, 0 of their dates"},
		{"no questions", LoCoMo, `[{"conversation":{"session_1":[{"dia_id":"D1:1","text":"x"}]}}]`, "no qa"},
		{"category", LoCoMo, `[{"conversation":{"session_1":[{"dia_id":"D1:1","text":"x"}]},"qa":[{"question":"y","category":6}]}]`, "category 6"},
	} {
		err := c.read(strings.NewReader(c.in), "file.json", func(Dialogue, int, int64) error { return nil })
		e, ok := errors.AsType[*pimento.Error](err)
		if !ok || e.Kind != pimento.KindUsage || e.Hint == "" || !strings.Contains(err.Error()+e.Hint, c.want) || !strings.Contains(e.Path, "file.json") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestFoundIsAHypothesis: the lines are what LongMemEval's own script scores.
func TestFoundIsAHypothesis(t *testing.T) {
	b, err := json.Marshal(Found{ID: "q", Hypothesis: "x"})
	if err != nil || !strings.HasPrefix(string(b), `{"question_id":"q","question_type":"","hypothesis":"x"`) {
		t.Errorf("%s %v", b, err)
	}
}
