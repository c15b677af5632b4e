package usage_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/usage"
)

// A labelled case: what an answer made of one memory, as a person sees it.
type labelled struct{ Split, Prompt, Answer, Memory, ID, Want string }

func cases(t *testing.T) []labelled {
	t.Helper()
	f, err := os.Open("testdata/labelled.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []labelled
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c labelled
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		all = append(all, c)
	}
	if len(all) < 60 {
		t.Fatalf("only %d cases", len(all))
	}
	return all
}

func verdict(c labelled) string {
	v := usage.Judge(c.Prompt, c.Answer, []usage.Memory{{ID: c.ID, Text: c.Memory}})[0]
	switch {
	case v.Contradicted:
		return "contradicted"
	case v.Used:
		return "used"
	}
	return "unused"
}

// firstForty is the test that the situation report's document used.
func firstForty(c labelled) string {
	m := c.Memory
	if strings.HasPrefix(m, "[") {
		_, m, _ = strings.Cut(m, "] ")
	}
	rs := []rune(strings.ToLower(m))
	if len(c.Answer) > 50 && strings.Contains(strings.ToLower(c.Answer), string(rs[:min(40, len(rs))])) {
		return "used"
	}
	return "unused"
}

// A tally is how a judge does on one label.
type tally struct{ hit, said, there int }

func (x tally) precision() float64 { return float64(x.hit) / float64(max(1, x.said)) }
func (x tally) recall() float64    { return float64(x.hit) / float64(max(1, x.there)) }

func measure(all []labelled, split, label string, judge func(labelled) string) (x tally) {
	for _, c := range all {
		if split != "" && c.Split != split {
			continue
		}
		got := judge(c)
		if got == label {
			x.said++
		}
		if c.Want == label {
			x.there++
			if got == label {
				x.hit++
			}
		}
	}
	return x
}

// A change that judges worse than this fails. The constants were chosen on dev
// alone; go test -v prints each half, every case that is judged wrongly, and how
// the first 40 characters do.
func TestJudgeOnTheLabelledSet(t *testing.T) {
	all := cases(t)
	for _, c := range all {
		if got := verdict(c); got != c.Want {
			t.Logf("%s: %s, want %s\n  memory %s\n  answer %s", c.Split, got, c.Want, c.Memory, c.Answer)
		}
	}
	for _, split := range []string{"dev", "test", ""} {
		used, forty := measure(all, split, "used", verdict), measure(all, split, "used", firstForty)
		t.Logf("%-4s used: precision %.2f recall %.2f (%d cases); first 40 characters: precision %.2f recall %.2f", split,
			used.precision(), used.recall(), used.there, forty.precision(), forty.recall())
		con := measure(all, split, "contradicted", verdict)
		t.Logf("%-4s contradicted: precision %.2f recall %.2f (%d cases)", split, con.precision(), con.recall(), con.there)
	}
	used, con := measure(all, "", "used", verdict), measure(all, "", "contradicted", verdict)
	if used.precision() < 0.97 || used.recall() < 0.85 || con.precision() < 1 || con.recall() < 1 {
		t.Errorf("used %.2f %.2f, contradicted %.2f %.2f", used.precision(), used.recall(), con.precision(), con.recall())
	}
}

// What proves nothing: the prompt's own words, an answer without any, a memory
// without text, an id that is too short.
func TestNothingProvesNothing(t *testing.T) {
	for _, c := range []labelled{
		{Prompt: "why does staging listen on 6432?", Answer: "Staging listens on 6432.", Memory: "staging listens on 6432"},
		{Prompt: "x", Answer: "", Memory: "staging listens on 6432"},
		{Prompt: "x", Answer: "It is 6432.", Memory: ""},
		{Prompt: "x", Answer: "abc 1234567", Memory: "nothing of this", ID: "1234567"},
		{Prompt: "x", Answer: "port 64321 and version 16432.5", Memory: "the port is 6432 on staging"},
	} {
		if got := verdict(c); got != "unused" {
			t.Errorf("%q from %q: %s", c.Answer, c.Memory, got)
		}
	}
	// Words far apart are not said together.
	far := "The canary failed. " + strings.Repeat("Something else was said here. ", 20) + "It took ten minutes. " +
		strings.Repeat("And more was said. ", 20) + "Then came the promotion."
	if got := verdict(labelled{Answer: far, Memory: "deploys go through a canary of ten minutes before promotion"}); got != "unused" {
		t.Errorf("far apart: %s", got)
	}
}

func BenchmarkJudge(b *testing.B) {
	var ms []usage.Memory
	for range 60 {
		ms = append(ms, usage.Memory{ID: "0123456789abcdef", Text: "deploys go through a canary of ten minutes in staging-7 before promotion by the release manager"})
	}
	answer := strings.Repeat("Something else was said here about the canary and the pipeline. ", 400)
	for b.Loop() {
		usage.Judge("why?", answer, ms)
	}
}
