package remember

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
)

// The answers to a proposal, reasons of an answered event.
const (
	Accepted = "accepted"
	Rejected = "rejected"
	Edited   = "edited"
)

// ProposalID is a proposal's identity: what it would write, in its folded form,
// where, and what it would take away. Who found it and why is no part of it, so
// that what was answered once is known again.
func ProposalID(p pimento.Proposal) string {
	gone := slices.Clone(p.Replaces)
	slices.Sort(gone)
	sum := sha256.Sum256([]byte(string(p.Scope) + "\n" + fold(p.Text) + "\n" + strings.Join(gone, "\n")))
	return hex.EncodeToString(sum[:8])
}

// An Inbox is the fold of proposals and of the answers to them. The zero Inbox
// is empty.
//
// What was rejected stays rejected, however often it is found again. What was
// accepted and is proposed anew has been taken out since, and waits again.
type Inbox struct {
	items map[string]*proposed
	order []string // ids by their first event
}

type proposed struct {
	pimento.Proposal
	answer string // "" while it waits
}

// Take folds one event in; those of other types are passed over, and so is a
// proposal whose text was purged.
func (b *Inbox) Take(ev pimento.Event) {
	switch ev.Type {
	case pimento.Proposed:
		b.propose(ev)
	case pimento.Answered:
		it := b.items[ev.Txn]
		if it == nil {
			return
		}
		if ev.Reason != Edited {
			it.answer = ev.Reason
			if it.answer == Rejected { // what it said when it was found, and what it was edited to
				b.items[ProposalID(it.Proposal)] = it
			}
			return
		}
		var to pimento.Proposal
		if json.Unmarshal(ev.Data, &to) == nil && to.Text != "" {
			it.Text = to.Text
		}
	}
}

func (b *Inbox) propose(ev pimento.Event) {
	var p pimento.Proposal
	if json.Unmarshal(ev.Data, &p) != nil || ev.Txn == "" {
		return
	}
	p.ID, p.Time, p.Session = ev.Txn, ev.Time, ev.Session
	it := b.items[p.ID]
	switch {
	case it == nil:
		if b.items == nil {
			b.items = map[string]*proposed{}
		}
		b.items[p.ID] = &proposed{Proposal: p}
		b.order = append(b.order, p.ID)
	case it.answer == Accepted:
		*it = proposed{Proposal: p}
	}
}

// Waiting lists what waits for an answer, oldest first.
func (b *Inbox) Waiting() []pimento.Proposal {
	var out []pimento.Proposal
	for _, id := range b.order {
		if it := b.items[id]; it.answer == "" {
			out = append(out, it.Proposal)
		}
	}
	return out
}

// Answer is what became of a proposal: "" while it waits, and known says
// whether there ever was one.
func (b *Inbox) Answer(id string) (answer string, known bool) {
	it := b.items[id]
	if it == nil {
		return "", false
	}
	return it.answer, true
}

// MaxWaiting is how many proposals wait at most. A person reads an inbox of
// this size once and never one that is larger.
const MaxWaiting = 100

// WaitsAlready is why a proposal that waits is not proposed again.
const WaitsAlready = "it waits in the inbox already"

// MaxProposal is the longest text of a proposal in bytes.
const MaxProposal = 4000

// AdmitProposal says why a proposal does not go into the inbox, "" when it does.
// refused is what [Admit] says against its text, "" for nothing.
func AdmitProposal(b *Inbox, p pimento.Proposal, refused string) string {
	answer, known := b.Answer(p.ID)
	switch {
	case strings.TrimSpace(p.Text) == "" && len(p.Replaces) == 0:
		return "it changes nothing"
	case len(p.Text) > MaxProposal:
		return "it is too long for the inbox; write it with remember, or into a page"
	case answer == Rejected:
		return "you said no to it earlier"
	case known && answer == "":
		return WaitsAlready
	case refused != "":
		return refused
	case len(b.Waiting()) >= MaxWaiting:
		return "the inbox is full; answer some of it first: pimento inbox"
	}
	return ""
}
