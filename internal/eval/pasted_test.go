package eval

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pimento-memory/pimento/internal/recall"
)

// TestPasted holds how often the default profile recalls an answer where the output of a
// tool was pasted beside the question, and where it is a line of such an output that
// matters; and anything at all, where the output has nothing to do with the memory. In
// brackets what asking the whole prompt at once comes to.
func TestPasted(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/pasted.txtar")
	if err != nil {
		t.Fatal(err)
	}
	type tallies [2]tally // as it is, and asking the whole
	rows := map[string]*tallies{}
	var order []string
	all := projects(t)
	whole := recall.DefaultParams()
	whole.Typed = 0
	for _, p := range all {
		var rankers [2]*Ranker
		for i, params := range []recall.Params{recall.DefaultParams(), whole} {
			rankers[i] = corpus(t, p.Lines...)
			if err := rankers[i].Under("default", nil); err != nil {
				t.Fatal(err)
			}
			rankers[i].Params, rankers[i].Budgets = params, []int{1000}
		}
		ask := func(row, prompt string, now string, gold ...string) {
			if rows[row] == nil {
				rows[row], order = &tallies{}, append(order, row)
			}
			for i, r := range rankers {
				got := r.Rank(t.Context(), Question{ID: "q", Text: prompt, Now: now}).Budget["1000"]
				rows[row][i].count(len(gold) == 0 && len(got) > 0 || slices.ContainsFunc(gold, func(id string) bool { return slices.Contains(got, id) }))
			}
		}
		output := func(i int) string { return string(ar.Files[i%len(ar.Files)].Data) }
		mine, none := developed(p)
		for i, q := range mine {
			ask("answered: nothing pasted", q.Text, q.Now, q.Gold...)
			ask("answered: output pasted below, fenced", q.Text+"\n\n```\n"+output(i)+"```\n", q.Now, q.Gold...)
			ask("answered: output pasted below, as it is", q.Text+"\n"+output(i), q.Now, q.Gold...)
			ask("answered: much output pasted above", strings.Repeat(output(i), 4)+"\n"+q.Text, q.Now, q.Gold...)
		}
		n := 0
		for _, l := range p.Lines {
			var names []string
			for _, m := range regexp.MustCompile("`([^`]{4,39})`").FindAllStringSubmatch(l.Text, 2) {
				names = append(names, m[1])
			}
			if names == nil || l.Type == "log" {
				continue
			}
			lines := strings.SplitAfter(output(n%3), "\n")
			at := n % len(lines)
			line := fmt.Sprintf([]string{"error: %s failed with status 1\n", "2026-10-30T08:12:46Z WARN %s took too long\n", "    at %s (unexpected)\n"}[n%3], strings.Join(names, " "))
			ask("answered: a line of the output matters", []string{"What is going on here?", "Fix this please", "the build fails with this, any idea?", "why?"}[n%4]+
				"\n\n"+strings.Join(lines[:at], "")+line+strings.Join(lines[at:], ""), "2026-11-02", l.ID)
			n++
		}
		for i, q := range none {
			ask("something: no answer, and output pasted", q.Text+"\n\n"+output(i), q.Now)
		}
		for i := range ar.Files {
			for _, words := range []string{"What is going on here?", "Fix this please", "can you explain this output", "This is what CI says, please repair it.", ""} {
				ask("something: output of no concern", words+"\n\n"+output(i), "2026-11-02")
			}
		}
	}
	var b strings.Builder
	for _, row := range order {
		fmt.Fprintf(&b, "%s: %v (%v)\n", row, rows[row][0], rows[row][1])
	}
	golden(t, "pasted", b.String())
}

// TestWordsToTheAgent holds what the default profile recalls for prompts that steer an
// agent and ask a memory nothing ("show me the diff"): as little as can be.
func TestWordsToTheAgent(t *testing.T) {
	b, err := os.ReadFile("testdata/control.txt")
	if err != nil {
		t.Fatal(err)
	}
	var given tally
	entries := 0
	for _, p := range projects(t) {
		r := corpus(t, p.Lines...)
		if err := r.Under("default", nil); err != nil {
			t.Fatal(err)
		}
		r.Budgets = []int{1000}
		for prompt := range strings.Lines(string(b)) {
			got := r.Rank(t.Context(), Question{ID: "q", Text: strings.TrimSpace(prompt), Now: "2026-11-02"}).Budget["1000"]
			given.count(len(got) > 0)
			entries += len(got)
		}
	}
	golden(t, "control", fmt.Sprintf("recalled for %v; entries for a prompt %.2f\n", given, float64(entries)/float64(given.of)))
}

// TestFollowUps holds how often the answer of what is asked next in a conversation ("and
// the old rows?") is in front of the model: recalled for what was asked before, for the
// second question by its own words, for one of them; and, in its place, for both in one.
func TestFollowUps(t *testing.T) {
	b, err := os.ReadFile("testdata/followups.txt")
	if err != nil {
		t.Fatal(err)
	}
	rankers := map[string]*Ranker{}
	for _, p := range projects(t) {
		r := corpus(t, p.Lines...)
		if err := r.Under("default", nil); err != nil {
			t.Fatal(err)
		}
		r.Budgets = []int{1000}
		rankers[p.Name] = r
	}
	var before, then, either, joined tally
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSpace(line), " | ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		answers := func(prompt string) bool {
			return slices.Contains(rankers[f[0]].Rank(t.Context(), Question{ID: "q", Text: prompt, Now: "2026-11-02"}).Budget["1000"], f[3])
		}
		first, second := answers(f[1]), answers(f[2])
		before.count(first)
		then.count(second)
		either.count(first || second)
		joined.count(first || answers(f[1]+" "+f[2]))
	}
	golden(t, "followups", fmt.Sprintf("before %v, then %v, either %v; both asked in one %v\n", before, then, either, joined))
}
