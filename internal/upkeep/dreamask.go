package upkeep

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/think"
)

// ideas is what a language model answers about a dream's material.
type ideas struct {
	Remember []newIdea   `json:"remember"`
	Merge    []mergeIdea `json:"merge"`
	Drop     []dropIdea  `json:"drop"`
	Skills   []Skill     `json:"skills"`
}

type newIdea struct {
	Text string       `json:"text"`
	Kind pimento.Kind `json:"kind"`
	Why  string       `json:"why"`
}

type mergeIdea struct {
	Numbers []int  `json:"numbers"`
	Text    string `json:"text"`
	Why     string `json:"why"`
}

type dropIdea struct {
	Number int    `json:"number"`
	Why    string `json:"why"`
}

const (
	maxIdeas   = 10   // of one sort that one answer may hold
	maxSkills  = 3    // likewise
	dreamWords = 1500 // tokens of the answer
	// sessionShare is how much of the material's room sessions get; the rest is
	// for the entries, which they are held against.
	sessionShare = 0.6
	// materialCost is what the lines around one piece of material take, in tokens.
	materialCost = 60
)

const dreamTask = `You look after the memory of a coding agent. The material holds what is in the memory now, numbered, and what was said in sessions since you last looked. Propose changes. A person decides about each of them.

remember: what a later session must know and the memory does not hold. Corrections and what was learned (lesson), what the user wants (preference), mistakes not to repeat (mistake), how things are done here (pattern), choices with their reason (decision), finished work that later work builds on (done), lasting facts (fact). One line of at most 120 characters that is understood alone, in the language of the session. Only what the sessions say, in their words, names and numbers. Not: greetings, plans, questions, what happened along the way. Most sessions hold nothing: then leave it empty.
merge: the numbers of entries that say the same, and one text that keeps every name, number and condition of all of them. Different versions, hosts or dates are different entries.
drop: the number of an entry that the sessions show to be no longer so, and why.
skills: a workflow of at least three steps that several sessions went through: a short name (small letters and dashes), what it is for, and its steps.

Never touch an entry that is marked pinned.`

var dreamSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["remember","merge","drop","skills"],"properties":{` +
	`"remember":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["text","kind","why"],"properties":{"text":{"type":"string"},"kind":{"type":"string","enum":["preference","lesson","mistake","pattern","decision","done","fact"]},"why":{"type":"string"}}}},` +
	`"merge":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["numbers","text","why"],"properties":{"numbers":{"type":"array","items":{"type":"integer"}},"text":{"type":"string"},"why":{"type":"string"}}}},` +
	`"drop":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["number","why"],"properties":{"number":{"type":"integer"},"why":{"type":"string"}}}},` +
	`"skills":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["name","description","steps"],"properties":{"name":{"type":"string"},"description":{"type":"string"},"steps":{"type":"array","items":{"type":"string"}}}}}}}`)

func dreamAsk() think.Ask {
	return think.Ask{For: DreamSource, Task: dreamTask, Schema: dreamSchema, Max: dreamWords}
}

// material is what the model is given within so many tokens, and how many of the
// sessions that holds. The first session is cut, if need be, rather than left.
func (w *waking) material(sessions []Session, room int) (out []think.Material, fit int) {
	left := int(float64(room) * sessionShare)
	for i, s := range sessions {
		told := s.tell()
		cost := text.Tokens(told) + materialCost
		if cost > left && i > 0 {
			break
		}
		if cost > left {
			told = cutTo(told, left-materialCost)
			cost = left
		}
		left -= cost
		room -= cost
		out = append(out, think.Material{Name: "session " + text.OneLine(s.ID, 8) + " of " + s.Time.Format("2006-01-02"), Text: told})
		fit++
	}
	if entries := w.entryLines(room - materialCost); entries != "" {
		out = append(out, think.Material{Name: "the memory", Text: entries})
	}
	return out, fit
}

// entryLines numbers the entries, as many as there is room for; a number is an
// index from 1.
func (w *waking) entryLines(room int) string {
	var b strings.Builder
	for i, k := range w.f.Entries {
		mark := ""
		if k.Pinned {
			mark = " (pinned)"
		}
		line := fmt.Sprintf("%d [%s]%s %s\n", i+1, k.Kind, mark, text.OneLine(k.Text, maxEntry))
		if room -= text.Tokens(line); room < 0 {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}

// cutTo is the start of a text, in so many tokens.
func cutTo(s string, tokens int) string {
	tokens = max(tokens, 0)
	for n := text.Tokens(s); n > tokens; n = text.Tokens(s) {
		s = text.ClipBytes(s, len(s)*tokens/n)
	}
	return s
}

// maxEntry is how much of an entry the model is shown, in runes.
const maxEntry = 300

func (w *waking) numbered(n int) (Known, bool) {
	if n < 1 || n > len(w.f.Entries) {
		return Known{}, false
	}
	return w.f.Entries[n-1], true
}

// tell is a session as the model is given it.
func (s Session) tell() string {
	var b strings.Builder
	for _, sum := range s.Summaries {
		b.WriteString("Summary of a part of it: " + sum + "\n")
	}
	if s.Said != "" {
		b.WriteString("The user said, message after message: " + s.Said + "\n")
	}
	if len(s.Edited) > 0 {
		b.WriteString("Files written: " + strings.Join(s.Edited[:min(len(s.Edited), 20)], ", ") + "\n")
	}
	return b.String()
}

const (
	// minExchanges and minTerms are what a session holds at least that is worth
	// reading: as published, three exchanges, and more than greetings.
	minExchanges = 3
	minTerms     = 12
)

// Worth is the gate before a language model: a session that was compacted or in
// which files were written is worth reading, one in which little was said, or
// nothing that decides, corrects or completes anything, is not.
func (s Session) Worth() bool {
	terms := 0
	for _, t := range gistOf(pimento.Entry{Text: s.Said}).terms {
		if len(t) > 2 {
			terms++
		}
	}
	switch {
	case len(s.Summaries) > 0:
		return true
	case s.Messages < minExchanges || terms < minTerms:
		return false
	}
	return len(s.Edited) > 0 || tells(s.Said)
}

// tells says whether somebody decided, corrected or completed something, by
// words that such messages have.
func tells(said string) bool {
	for chunk := range slices.Chunk(strings.Fields(said), maxTokens) {
		for _, t := range tokensOf(strings.Join(chunk, " ")) {
			if t.neg || happened(t.stem) || telling(t.stem) {
				return true
			}
		}
	}
	for _, sign := range []string{"不要", "以后", "记住", "应该", "改成", "完成", "修好", "决定", "别", "总是", "因为"} {
		if strings.Contains(said, sign) {
			return true
		}
	}
	return false
}

func telling(stem string) bool {
	switch stem {
	case "alway", "never", "prefer", "instead", "actual", "wrong", "must", "should", "decid", "decis", "use", "switch", "becaus", "rememb",
		"work", "done", "bug", "caus", "rule", "correct", "mistak", "chang", "replac", "remov", "rather", "rais", "set":
		return true
	}
	return false
}

// The longest text of a new entry in runes, and its fewest words of content.
const (
	maxNew   = 300
	minWords = 2
)

// check makes an entry of what a model says is new; why says what speaks against
// it.
func (n newIdea) check(grounds map[string]bool, f DreamFacts) (k Known, why string) {
	said := oneLine(n.Text)
	kinds := []pimento.Kind{pimento.KindPreference, pimento.KindLesson, pimento.KindMistake, pimento.KindPattern, pimento.KindDecision, pimento.KindDone, pimento.KindFact}
	g := gistOf(pimento.Entry{Text: said})
	switch {
	case !slices.Contains(kinds, n.Kind):
		return k, fmt.Sprintf("%q is no kind", text.OneLine(string(n.Kind), 40))
	case len([]rune(said)) > maxNew:
		return k, "it is too long for one entry"
	case len(g.terms) < minWords:
		return k, "it says nothing"
	case !grounded(g, grounds):
		return k, "no session says so"
	}
	id := pimento.StatementOf(said)
	for _, e := range f.Entries {
		if e.Statement == id {
			return k, "it stands there already"
		}
	}
	return Known{Entry: pimento.Entry{Occurrence: pimento.Occurrence{Scope: f.Scope, Statement: id}, Kind: n.Kind, Text: said,
		Stamp: f.Now, Heading: oneLine(n.Why)}}, ""
}

// groundShare is the share of a text's words that its source must hold, if it is
// to count as said there; of numbers, names and paths all.
const groundShare = 0.6

func grounded(g gist, grounds map[string]bool) bool {
	found := 0
	for _, t := range g.terms {
		if grounds[t] {
			found++
		}
	}
	for _, m := range g.marks {
		if !grounds[m] {
			return false
		}
	}
	return float64(found) >= groundShare*float64(len(g.terms))
}

// groundsOf are all terms of what sessions say.
func groundsOf(sessions []Session) map[string]bool {
	var told []string
	for _, s := range sessions {
		told = append(told, s.tell())
	}
	return groundsIn(told...)
}

func groundsIn(texts ...string) map[string]bool {
	out := map[string]bool{}
	for _, t := range texts {
		words := strings.Fields(t)
		for chunk := range slices.Chunk(words, maxTokens) {
			for _, t := range tokensOf(strings.Join(chunk, " ")) {
				out[t.stem] = true
			}
		}
	}
	return out
}

// speaksAgainst says why entries are not merged into a text.
func (w *waking) speaksAgainst(merged string, all []Known) string {
	if len(all) < 2 {
		return "it merges fewer than two entries"
	}
	for _, k := range all {
		switch {
		case k.Pinned:
			return "one of them is pinned"
		case w.touched[k.Occurrence]:
			return "one of them is spoken for already"
		case k.Scope != all[0].Scope || k.Task:
			return "they are of different scopes, or tasks"
		}
	}
	return unfaithful(merged, all)
}

// unfaithful says what a merged text leaves out, or adds.
func unfaithful(merged string, all []Known) string {
	m := gistOf(pimento.Entry{Text: merged})
	grounds := map[string]bool{}
	for _, k := range all {
		g := gistOf(k.Entry)
		for _, mark := range g.marks {
			if !slices.Contains(m.marks, mark) {
				return "it leaves out " + mark
			}
		}
		if g.negated != m.negated {
			return "it denies what one of them says"
		}
		for _, t := range tokensOf(k.Text) {
			grounds[t.stem] = true
		}
	}
	if len([]rune(merged)) > 2*maxNew || len(m.terms) < minWords || !grounded(m, grounds) {
		return "it is not what they say"
	}
	return ""
}

// skills keeps what can be written down as a skill, and what sessions went
// through.
func (w *waking) skills(all []Skill, read []Session) {
	grounds := groundsOf(read)
	for _, s := range all[:min(len(all), maxSkills)] {
		s.Name, s.Description = strings.ToLower(strings.TrimSpace(s.Name)), oneLine(s.Description)
		for i, step := range s.Steps {
			s.Steps[i] = oneLine(step)
		}
		s.Steps = slices.DeleteFunc(s.Steps, func(step string) bool { return step == "" })
		if !skillName(s.Name) || s.Description == "" || len(s.Steps) < 3 || len(s.Steps) > 20 {
			w.throw(s.Name, "it is no workflow of at least three steps with a name of small letters and dashes")
			continue
		}
		if !grounded(gistOf(pimento.Entry{Text: s.Description + ". " + strings.Join(s.Steps, ". ")}), grounds) {
			w.throw(s.Name, "no session went through it")
			continue
		}
		w.d.Skills = append(w.d.Skills, s)
	}
}

func skillName(s string) bool {
	return s != "" && len(s) <= 64 && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
}

// Page is the text of the SKILL.md that a skill becomes.
func (s Skill) Page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %q\n---\n\n# %s\n\n", s.Name, s.Description, s.Name)
	for i, step := range s.Steps {
		fmt.Fprintf(&b, "%d. %s\n", i+1, step)
	}
	return b.String()
}

func oneLine(s string) string { return text.OneLine(s, 2*maxNew) }

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}
