package usage

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"time"
)

// The rows of the telemetry, told apart by Event.
const (
	RowInjection = ""               // what stood beside one prompt
	RowUsage     = "usage"          // what the answer made of it
	RowSession   = "session-inject" // past sessions that stood beside a prompt
)

// A Row is one line of the telemetry. The names of the fields are those of the
// situation report's document; id, session, tokens, wasted and contradicted
// are ours.
type Row struct {
	Time    time.Time `json:"ts"`
	Event   string    `json:"event,omitempty"`
	Session string    `json:"session,omitempty"`
	Prompt  string    `json:"prompt,omitempty"` // at most 200 characters
	Class   string    `json:"queryClass,omitempty"`

	Injected []Shown `json:"injected,omitempty"`

	InjectedCount int     `json:"injectedCount,omitempty"`
	UsedCount     int     `json:"usedCount,omitempty"`
	UsageRate     float64 `json:"usageRate,omitempty"`
	Used          []Shown `json:"used,omitempty"`
	Contradicted  []Shown `json:"contradicted,omitempty"`
	PrefixUsed    int     `json:"prefixUsed,omitempty"` // of what stands in the prefix, which counts neither as injected nor as wasted
	Tokens        int     `json:"tokens,omitempty"`
	Wasted        int     `json:"wasted,omitempty"` // tokens of what was shown and not used

	SessionCount int `json:"sessionCount,omitempty"`
}

// A Shown is a memory in a row.
type Shown struct {
	ID         string  `json:"id,omitempty"`
	Text       string  `json:"text"` // at most 100 characters
	Category   string  `json:"category"`
	Similarity float64 `json:"similarity,omitempty"`
}

// Rate is used over injected with two decimals, 0 for nothing injected.
func Rate(used, injected int) float64 {
	if injected == 0 {
		return 0
	}
	return math.Round(100*float64(used)/float64(injected)) / 100
}

// A Day sums up the answers of one day.
type Day struct {
	Day                                                   string
	Answers, Injected, Used, Contradicted, Tokens, Wasted int
	PrefixUsed                                            int
}

// A Sum is what many rows come to.
type Sum struct {
	Day
	Prompts, Sessions int // prompts with injected memories, and with past sessions
	Days              []Day
	Times             map[string]int // how often each memory was injected, by id
	Uses              map[string]int
}

// Add takes up a row. A line that is no row is passed over.
func (s *Sum) Add(line []byte) {
	var r Row
	if json.Unmarshal(line, &r) != nil {
		return
	}
	if s.Times == nil {
		s.Times, s.Uses = map[string]int{}, map[string]int{}
	}
	switch r.Event {
	case RowInjection:
		s.Prompts++
		for _, m := range r.Injected {
			s.Times[m.ID]++
		}
	case RowSession:
		s.Sessions++
	case RowUsage:
		day := r.Time.Format(time.DateOnly)
		i, ok := slices.BinarySearchFunc(s.Days, day, func(d Day, day string) int { return cmp.Compare(d.Day, day) })
		if !ok {
			s.Days = slices.Insert(s.Days, i, Day{Day: day})
		}
		s.Days[i].add(r)
		s.Day.add(r)
		for _, m := range r.Used {
			s.Uses[m.ID]++
		}
	}
}

func (d *Day) add(r Row) {
	d.Answers++
	d.Injected += r.InjectedCount
	d.Used += r.UsedCount
	d.Contradicted += len(r.Contradicted)
	d.Tokens += r.Tokens
	d.Wasted += r.Wasted
	d.PrefixUsed += r.PrefixUsed
}

// Rate is the day's share of injected memories that an answer used.
func (d Day) Rate() float64 { return Rate(d.Used, d.Injected) }

// deadAfter is how often a memory is injected without being used before it is
// dead weight.
const deadAfter = 5

// Dead lists the ids of memories that were injected often and never used, the
// most often first.
func (s *Sum) Dead() []string {
	var ids []string
	for id, n := range s.Times {
		if id != "" && n >= deadAfter && s.Uses[id] == 0 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(s.Times[b]-s.Times[a], cmp.Compare(a, b)) })
	return ids
}
