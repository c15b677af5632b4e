package upkeep

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/page"
	"github.com/pimento-memory/pimento/internal/text"
)

// Summary is what a session leaves in the daily log when it ends: what it
// decided, learned, noted and left open, each on one line. Without a language
// model it lists what the session wrote into memory; with one it is read out of
// the model's answer by [ReadSummary].
type Summary struct {
	Decisions, Lessons, Notes, FollowUps []string
}

// The limits of a summary's sections.
const (
	summaryItems = 12  // lines of one section
	summaryRunes = 240 // of one line
)

// The headings of a summary, in their order.
const (
	decisionsHeading = "Decisions"
	lessonsHeading   = "Lessons Learned"
	notesHeading     = "Notes"
	followUpsHeading = "Follow-ups"

	// Harnesses do not say how a session was left, by a key or a command, but
	// the layout wants a word.
	summaryTitle = "Session Summary (auto, exit: session-end)"
	nothing      = "None."
)

// section is the list below a heading, nil for no heading of a summary.
func (s *Summary) section(heading string) *[]string {
	switch heading {
	case decisionsHeading:
		return &s.Decisions
	case lessonsHeading:
		return &s.Lessons
	case notesHeading:
		return &s.Notes
	case followUpsHeading:
		return &s.FollowUps
	}
	return nil
}

// Empty says that nothing of the session is worth a line.
func (s Summary) Empty() bool {
	return len(s.Decisions)+len(s.Lessons)+len(s.Notes)+len(s.FollowUps) == 0
}

// String is the summary in markdown, all four headings always.
func (s Summary) String() string {
	var b strings.Builder
	for i, heading := range []string{decisionsHeading, lessonsHeading, notesHeading, followUpsHeading} {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("### " + heading + "\n")
		items := slices.Clone(*s.section(heading))
		for j, it := range items {
			items[j] = text.OneLine(it, summaryRunes)
		}
		items = slices.DeleteFunc(items, func(it string) bool { return it == "" })
		if len(items) == 0 {
			b.WriteString(nothing + "\n")
		}
		for j, it := range items {
			if j == summaryItems {
				fmt.Fprintf(&b, "- ... %d more\n", len(items)-j)
				break
			}
			b.WriteString("- " + it + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// SummaryTask is what a language model is asked for a summary.
const SummaryTask = `Summarise the end of this session between a user and a coding agent for the agent's next session. Answer in markdown with exactly these four headings, in this order, each followed by bullets of one line, or by "None.":

### Decisions
### Lessons Learned
### Notes
### Follow-ups

Decisions: what was decided, and why. Lessons Learned: what went wrong or turned out otherwise than expected. Notes: facts about the user or the project that will matter again. Follow-ups: what is still to do. At most six bullets each. Leave out what the code or its history says anyway, pleasantries, and all secrets.`

// ReadSummary reads a model's answer: the bullets below the four headings, and
// nothing else of it. ok is false when it has none of the headings.
func ReadSummary(answer string) (s Summary, ok bool) {
	var into *[]string
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(line)
		if heading, is := strings.CutPrefix(line, "#"); is {
			into = s.section(strings.TrimSpace(strings.TrimLeft(heading, "#")))
			ok = ok || into != nil
			continue
		}
		item, is := strings.CutPrefix(line, "- ")
		if !is {
			item, is = strings.CutPrefix(line, "* ")
		}
		if item = strings.TrimSpace(item); !is || into == nil || strings.EqualFold(strings.TrimRight(item, "."), "none") {
			continue
		}
		*into = append(*into, item)
	}
	return s, ok
}

// PlanSummary plans the summary of a session that ended as one append to the log.
// An empty one is a refusal without changes; that is no failure.
func PlanSummary(s Summary, now time.Time, session string, to Place) pimento.Plan {
	if s.Empty() {
		return pimento.Plan{Verb: "summary", Action: pimento.Refuse, Reason: "there is nothing to sum up"}
	}
	return planEntry("summary", page.New{Kind: pimento.KindHandoff, Heading: summaryTitle,
		Text: s.String(), Stamp: now, Session: session}, to)
}
