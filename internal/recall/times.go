package recall

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// Times are when something was first and last said, and when its text became what it is,
// zero where that is not known.
type Times struct{ First, Last, Edited time.Time }

// A stretch is the same by the clock on the asker's wall, in seconds since the epoch, 0
// where it is not known.
type stretch struct{ first, last, edited int64 }

// newest is when it was first said as it is.
func (s stretch) newest() int64 { return max(s.first, s.edited) }

// guessMost is how long a question is, in bytes, whose language is guessed by its times.
const guessMost = 300

// timeOf finds the time that a question in a language asks for, the question without the
// words that name it, and its language: a short question that shows none ("qu'avons-nous
// décidé hier ?") is in the one in which it names a time.
func (a *asking) timeOf(question string, l text.Language) (in text.Language, rest string) {
	if a.params.Date == 0 || a.q.Now.IsZero() {
		return l, question
	}
	now := wallClock(a.q.Now)
	maybe := []text.Language{l}
	if len(question) <= guessMost {
		if maybe = text.MayBe(question); l != text.English {
			maybe = slices.Insert(maybe, 0, l)
		}
	}
	for _, in := range maybe {
		if w, rest, ok := when.Window(question, in.Code(), now); ok {
			if w.To.IsZero() {
				w.To = now.AddDate(0, 0, 1)
			}
			if len(question) <= guessMost && (w.Holds(now) || dayOfLate(w, now)) && ought(question) {
				return l, question // it is about what is to come
			}
			a.window = &w
			return in, rest
		}
	}
	return l, question
}

// date looks up when matches were said of which the index does not know; of dated ones
// only whether they were edited since, and only if that is asked for.
func (a *asking) date(scope pimento.Scope, ms []index.Match, datedToo bool) {
	var sts []pimento.Statement
	for _, m := range ms {
		if _, ok := a.said[m.Doc.Statement]; !ok && (datedToo || m.Doc.Date == 0) {
			sts = append(sts, m.Doc.Statement)
		}
	}
	if len(sts) == 0 {
		return
	}
	if a.said == nil {
		a.said = make(map[pimento.Statement]stretch, len(sts))
	}
	seconds := func(t time.Time) int64 {
		if t.IsZero() {
			return 0
		}
		return wallClock(t.In(a.q.Now.Location())).Unix()
	}
	times := a.opts.Said(scope, sts)
	for _, st := range sts {
		a.said[st] = stretch{seconds(times[st].First), seconds(times[st].Last), seconds(times[st].Edited)}
	}
}

// edits looks up when candidates were edited whose pages are dated: what was said first is
// then no older than what it was compared with.
func (a *asking) edits(cs []*candidate) {
	if a.opts.Said == nil {
		return
	}
	of := map[pimento.Scope][]index.Match{}
	for _, c := range cs {
		of[c.root.Scope] = append(of[c.root.Scope], c.match)
	}
	for scope, ms := range of {
		a.date(scope, ms, true)
	}
}

// when is the time of a match.
func (a *asking) when(m *index.Match) stretch {
	if d := m.Doc.Date; d != 0 {
		return stretch{d, d, a.said[m.Doc.Statement].edited}
	}
	return a.said[m.Doc.Statement]
}

// inTime tells whether an entry is of the time that the question asks for.
func (a *asking) inTime(m *index.Match) bool {
	at := a.when(m)
	if a.window == nil {
		return a.latest && at.newest() != 0
	}
	holds := func(t int64) bool { return t != 0 && a.window.Holds(time.Unix(t, 0).UTC()) }
	return holds(at.first) || holds(at.edited)
}

// then are the entries of a root that were said in the time that is asked for, where
// hardly anything else is: words do not find those whose page tells no time.
func (a *asking) then(ctx context.Context, r *Source, found []*candidate) []*candidate {
	if !a.onlyTime() || a.opts.SaidWithin == nil {
		return nil
	}
	from, to := instant(a.window.From, a.q.Now.Location()), instant(a.window.To, a.q.Now.Location())
	sts := slices.DeleteFunc(a.opts.SaidWithin(ctx, r.Scope, from, to), func(st pimento.Statement) bool {
		return slices.ContainsFunc(found, func(c *candidate) bool { return c.match.Doc.Statement == st })
	})
	return a.find(ctx, r, sts)
}

// onlyTime says whether the question asks for a time, and no more than one word beside it
// says something ("what did we decide last week?").
func (a *asking) onlyTime() bool { return a.latest || a.window != nil && (a.doing || a.words.say <= 1) }

// heed finds out what the time means that a prompt names, given the prompt without it. With
// ok the prompt is to be read without some of its words. Who greets until Friday, or has
// something fixed today, does not ask what was said then; who has something done as it was
// agreed yesterday means what was said of that.
func (a *asking) heed(rest string) (without string, ok bool) {
	short := len(a.q.Text) <= guessMost
	job := task(a.q.Text) && !text.HasPhrase(a.q.Text, "show")
	kind, last, doing := onlyDoing(rest)
	searched := a.opts.MinConfidence == 0 // by somebody who wants to find what he says
	a.asked = searched || question(a.q.Text) || !job && (doing || a.words.say > 1 && names(rest) || strings.IndexFunc(rest, unicode.IsLetter) < 0)
	switch {
	case a.window != nil:
		a.doing, a.kind = doing, kind
		switch only := a.onlyTime(); {
		case a.asked:
		case agreed(rest):
			a.asked = only && !job
			a.words.allude()
		case only:
			a.window = nil
			return rest, true
		}
		return "", false
	case !short || job || a.params.Date == 0 || a.q.Now.IsZero():
		return "", false
	}
	rest, a.lately = when.Lately(rest)
	if a.lately {
		kind, _, doing = onlyDoing(rest)
	}
	a.latest, a.kind = doing && (last || a.lately), kind
	a.doing = a.latest
	a.asked = a.asked || a.latest
	return rest, a.lately
}

// namesMost is how many words a prompt may have beside a time that only names something.
const namesMost = 8

// names says whether a text is the name of something, and no sentence: "pen-test findings in".
func names(s string) bool {
	const joints = " a an the of in on at to for from by with about and or between before after during "
	n := 0
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' }) {
		if n++; n > namesMost || text.Silent(w) && !strings.Contains(joints, " "+w+" ") || text.Weak(w) || unspaced(w) {
			return false
		}
	}
	return true
}

// dayOfLate says whether a time is one day of the last week, but not yesterday: "can we
// deploy on Friday?" means the next one.
func dayOfLate(w when.Span, now time.Time) bool {
	ago := now.Sub(w.From)
	return w.To.Equal(w.From.AddDate(0, 0, 1)) && ago > 48*time.Hour && ago < 8*24*time.Hour
}

// ought says whether the asker wants to know what to do, not what was: "what should I cook
// tonight?"
func ought(question string) bool {
	const asks = "should i,should we,shall i,shall we,can i,can we,could i,could we,must i,must we,will we,would we,i should,we should,i must,we must," +
		"soll ich,sollen wir,sollten wir,kann ich,können wir,muss ich,müssen wir,dois je,devons nous,devrions nous,puis je,pouvons nous," +
		"debo,debemos,deberíamos,puedo,podemos,devo,devemos,posso,dobbiamo,possiamo,moet ik,moeten we,zullen we,kan ik,kunnen we," +
		"powinienem,powinniśmy,mogę,możemy,мы должны,нам нужно,ska jag,ska vi,bör vi,kan vi"
	said := " " + strings.Join(strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) }), " ") + " "
	for ask := range strings.SplitSeq(asks, ",") {
		if strings.Contains(said, " "+ask+" ") {
			return true
		}
	}
	return slices.ContainsFunc([]string{"应该", "该做", "可以", "べき", "しよう", "할까", "해야"}, func(w string) bool { return strings.Contains(question, w) })
}
