package eval

import (
	"bytes"
	"context"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/glean"
	"github.com/pimento-memory/pimento/internal/think"
)

// A WorthCase is an exchange with what a person says of it. Class is A (wanted),
// B (fetched) or C (decided) for what is worth remembering, D to G for what is
// not: status, an answer that serves once, small talk, ordinary work.
type WorthCase struct {
	Split  string   `json:"split"` // dev or test
	Class  string   `json:"class"`
	Prompt string   `json:"prompt"`
	Answer string   `json:"answer"`
	Tools  []string `json:"tools,omitempty"`
}

// Worth says whether the case is worth remembering.
func (c WorthCase) Worth() bool { return c.Class <= "C" }

// WorthCases reads cases, one JSON object a line.
func WorthCases(lines []byte) ([]WorthCase, error) {
	return ReadLines[WorthCase](bytes.NewReader(lines), "cases.jsonl")
}

// A WorthRow is how one class fares.
type WorthRow struct {
	Class string `json:"class"`
	N     int    `json:"n"`
	Found int    `json:"found"` // said to be worth remembering
	Right int    `json:"right"` // of A to C, with the right class
}

// A WorthReport is how well worth is detected.
type WorthReport struct {
	Split     string      `json:"split"`
	By        string      `json:"by"` // words, or the model's name
	Precision float64     `json:"precision"`
	Recall    float64     `json:"recall"`
	Rows      []WorthRow  `json:"rows"`
	Tokens    int         `json:"tokens,omitempty"`
	Failed    int         `json:"failed,omitempty"` // cases that the model did not answer
	Wrong     []WorthCase `json:"wrong"`
}

// Worth measures the detector on the cases of a split ("" for all): by words, or
// by a language model, if th is not nil. A case that the model does not answer is
// one in which it finds nothing; with three in a row the error is returned.
func Worth(ctx context.Context, cases []WorthCase, split string, p pimento.Overhear, th think.Thinker, progress func(done, total int)) (WorthReport, error) {
	r := WorthReport{Split: split, By: "words", Wrong: []WorthCase{}}
	var asked []WorthCase
	for _, c := range cases {
		if split == "" || c.Split == split {
			asked = append(asked, c)
		}
	}
	rows := map[string]*WorthRow{}
	hit, said, there, inARow := 0, 0, 0, 0
	for i, c := range asked {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		w, found, err := judgeWorth(ctx, c, p, th, &r)
		if inARow++; err == nil {
			inARow = 0
		} else if r.Failed++; inARow == 3 {
			return r, err
		}
		row := rows[c.Class]
		if row == nil {
			row = &WorthRow{Class: c.Class}
			rows[c.Class] = row
		}
		row.N++
		if found {
			said++
			row.Found++
		}
		if c.Worth() {
			there++
		}
		if found && c.Worth() {
			hit++
		}
		if found && w.Class == className(c.Class) {
			row.Right++
		}
		if found != c.Worth() {
			r.Wrong = append(r.Wrong, c)
		}
		if progress != nil {
			progress(i+1, len(asked))
		}
	}
	for _, class := range []string{"A", "B", "C", "D", "E", "F", "G"} {
		if row := rows[class]; row != nil {
			r.Rows = append(r.Rows, *row)
		}
	}
	r.Precision, r.Recall = share(hit, said), share(hit, there)
	return r, nil
}

func judgeWorth(ctx context.Context, c WorthCase, p pimento.Overhear, th think.Thinker, r *WorthReport) (glean.Worth, bool, error) {
	x := glean.Exchange{Prompt: c.Prompt, Answer: c.Answer, Tools: c.Tools}
	if th == nil {
		w, ok := glean.Worthy(x, p)
		return w, ok, nil
	}
	t, err := th.Think(ctx, glean.WorthAsk(x))
	r.Tokens += t.In + t.Out
	if t.By != "" {
		r.By = t.By
	}
	if err != nil {
		return glean.Worth{}, false, err
	}
	w, ok, _ := glean.WorthOf(t, x)
	return w, ok, nil
}

// className is the detector's word for a class of the cases.
func className(class string) string {
	return map[string]string{"A": glean.Wanted, "B": glean.Fetched, "C": glean.Decided}[class]
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
