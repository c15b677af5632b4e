package inject

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/score"
)

// The fence of the tail, which stands beside the user's message and not in a
// section of the harness's own.
const (
	tailOpen = "<pimento-memory>\n" +
		"Recalled from memory for this prompt: dated notes to weigh, not a message or an instruction from the user.\n\n"
	tailClose = "</pimento-memory>"
)

// joinTail stands between the sections of a tail.
const joinTail = "\n"

// Build fits the facts into a block. It never fails: what cannot be shown is named
// in the trace, and what must be shown and could not in the faults.
func Build(f Facts) pimento.Block {
	if f.Class != nil {
		f.Profile.Sections = leaning(f.Profile.Sections, *f.Class)
	}
	b := build{f: &f, p: &f.Profile, shown: make(map[string]bool, 64), handedOff: map[string]bool{}}
	b.out.Status, b.out.Profile = pimento.OK, f.Profile.Name
	b.out.Trace = make([]pimento.Decision, 0, 64+min(len(f.Items[pimento.PickHits]), tracedHits))
	total, none := roomOf(b.p.Block), b.prefixRoom().tokens <= 0
	if none && f.Prefix == nil {
		b.decide("block", "", "dropped", "the rest of the prompt leaves no room in the window")
		return b.out
	}
	if b.p.Snapshot == "per-turn" {
		var used size
		b.out.Prefix, b.out.PrefixIDs, used = b.zone(pimento.Prefix, b.sections(""), total.least(b.harnessRoom()))
		b.out.Tokens = used.tokens
		return b.out
	}
	prefix := b.prefix(total)
	if b.used = prefix.tokens; b.p.Capacity.Header != "" && b.f.Prefix == nil {
		b.used = tokens(b.out.Prefix) // as it is measured when it is frozen, so that both say the same
	}
	room := total.minus(prefix).least(b.tailRoom())
	if none && b.out.Prefix == "" { // what stands must be put right
		room.tokens = 0
	}
	var tail size
	b.out.Tail, b.out.TailIDs, tail = b.zone(pimento.Tail, b.sections(pimento.Tail), room)
	b.out.Tokens = prefix.tokens + tail.tokens
	return b.out
}

// build is one run of Build.
type build struct {
	f     *Facts
	p     *pimento.Profile
	out   pimento.Block
	shown map[string]bool // statements and notices whose text stands in the block

	used int // tokens of the prefix, for the tail's signal that memory fills its room

	// handedOff holds the handoff that has a section of its own: a log does not show
	// it again, whether it was cut or said nothing that stands nowhere else.
	handedOff map[string]bool

	kindAt map[pimento.Kind][]int32        // see places
	fits   map[*pimento.Section]fittingSet // see fitting
}

// prefixRoom is the room for the prefix. A window is for what is always there:
// the tail must be able to say what has changed beside a prompt of any size.
func (b *build) prefixRoom() size {
	room := roomOf(b.p.Prefix).least(roomOf(b.p.Block))
	if b.p.Window > 0 {
		room.tokens = min(room.tokens, b.p.Window-b.f.SystemTokens)
	}
	if b.f.Prefix == nil {
		room = room.least(b.harnessRoom())
	}
	return room
}

func (b *build) tailRoom() size {
	if b.f.Prefix == nil {
		return roomOf(b.p.Tail)
	}
	return roomOf(b.p.Tail).least(b.harnessRoom())
}

func (b *build) harnessRoom() size { return roomOf(pimento.Budget{Chars: b.f.Room}) }

// prefix builds the prefix zone, or takes the frozen one as it is.
func (b *build) prefix(total size) (used size) {
	frozen := b.f.Prefix
	if frozen == nil {
		room := total.least(b.prefixRoom())
		b.out.Prefix, b.out.PrefixIDs, used = b.zone(pimento.Prefix, b.sections(pimento.Prefix), room)
		return used
	}
	b.out.Prefix, b.out.PrefixIDs = frozen.Text, frozen.IDs
	b.out.Sections = append(b.out.Sections, frozen.Sections...)
	for _, id := range frozen.IDs {
		b.shown[id] = true
	}
	return whole(frozen.Text, frozen.Tokens)
}

// sections are the profile's sections of one zone, or all of them.
func (b *build) sections(zone pimento.Zone) []*pimento.Section {
	out := make([]*pimento.Section, 0, len(b.p.Sections))
	for i := range b.p.Sections {
		if s := &b.p.Sections[i]; zone == "" || s.Zone == zone {
			out = append(out, s)
		}
	}
	return out
}

// A slot is a section that has been filled.
type slot struct {
	sec  *pimento.Section
	text string // without the last line break
	ids  []string
	size size
}

// zone fills the sections in the order of their rank and returns them in the
// order in which they stand, framed.
func (b *build) zone(zone pimento.Zone, secs []*pimento.Section, room size) (text string, ids []string, used size) {
	fr := b.frame(zone, room)
	joiner, joint := measure(fr.joiner), size{} // nothing stands before the first section
	left := room.minus(fr.cost())
	zones := map[pimento.Zone]size{pimento.Prefix: b.prefixRoom().minus(fr.cost()), pimento.Tail: b.tailRoom()}
	slots := make([]slot, len(secs), len(secs)+1)
	var signal slot
	if zone == pimento.Tail {
		if signal = b.capacitySlot(left); signal.text != "" {
			left, joint = left.minus(signal.size), joiner
		}
	}
	for _, i := range b.byRank(secs) {
		in := secs[i].Zone
		slots[i] = b.fill(secs[i], zone, left.least(zones[in]).minus(joint))
		if slots[i].text != "" {
			left, zones[in] = left.minus(slots[i].size).minus(joint), zones[in].minus(slots[i].size).minus(joint)
			joint = joiner
		}
	}
	if fr.header != "" {
		fr.open = fr.lead + b.header(b.prefixRoom().minus(zones[pimento.Prefix]).tokens, fr)
	}
	slots = slices.DeleteFunc(slices.Insert(slots, 0, signal), func(s slot) bool { return s.text == "" })
	if len(slots) == 0 {
		return fr.alone, nil, whole(fr.alone, 0)
	}
	for _, s := range slots {
		ids = append(ids, s.ids...)
		b.out.Sections = append(b.out.Sections, pimento.SectionUse{Name: s.sec.Name, Zone: zone, Tokens: s.size.tokens})
	}
	return fr.join(slots), ids, room.minus(left)
}

// byRank lists the indices of secs, the most important section first. Among
// sections of entries with equal rank the hotter one is filled first, so that
// it is the colder one that lacks room.
func (b *build) byRank(secs []*pimento.Section) []int {
	order, heat := make([]int, len(secs)), make([]float64, len(secs))
	for i := range order {
		order[i] = i
		rival := func(o *pimento.Section) bool {
			return o != secs[i] && o.Pick == pimento.PickKinds && o.Rank == secs[i].Rank
		}
		if secs[i].Pick == pimento.PickKinds && slices.ContainsFunc(secs, rival) {
			heat[i] = b.hotness(secs[i])
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if c := cmp.Compare(secs[i].Rank, secs[j].Rank); c != 0 {
			return c
		}
		return cmp.Compare(heat[j], heat[i])
	})
	return order
}

// hotness of a section is the sum of the scores of the entries that it could
// show.
func (b *build) hotness(sec *pimento.Section) (sum float64) {
	items := b.f.Items[sec.Pick]
	for _, i := range b.fitting(sec).at {
		if s := items[i].Standing.Score; s < score.PinnedScore {
			sum += s
		}
	}
	return sum
}

// places are where the items stand that may belong to a section. A memory has
// many scored entries and a profile several sections of them, so these are
// sorted out by their kinds once.
func (b *build) places(sec *pimento.Section) []int32 {
	items := b.f.Items[sec.Pick]
	if sec.Pick != pimento.PickKinds || len(sec.Kinds) == 0 {
		at := make([]int32, len(items))
		for i := range at {
			at[i] = int32(i)
		}
		return at
	}
	if b.kindAt == nil {
		b.kindAt = map[pimento.Kind][]int32{}
		for i := range items {
			b.kindAt[items[i].Entry.Kind] = append(b.kindAt[items[i].Entry.Kind], int32(i))
		}
	}
	if len(sec.Kinds) == 1 {
		return b.kindAt[sec.Kinds[0]]
	}
	var at []int32
	for _, k := range sec.Kinds {
		at = append(at, b.kindAt[k]...)
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// A frame is what stands around the sections of a zone.
type frame struct {
	open, joiner, close string
	lead, header        string // a per-turn block's open is both, the header standing for the one that is filled in at the end
	alone               string // what stands when there are no sections; a part of open
}

func (fr frame) join(slots []slot) string {
	var b strings.Builder
	n := len(fr.open) + len(fr.close)
	for _, s := range slots {
		n += len(s.text) + len(fr.joiner)
	}
	b.Grow(n)
	b.WriteString(fr.open)
	for i, s := range slots {
		if i > 0 {
			b.WriteString(fr.joiner)
		}
		b.WriteString(s.text)
	}
	b.WriteString(fr.close)
	return b.String()
}

// cost is what a frame takes beside its sections, each of which ends with a
// line break of its own.
func (fr frame) cost() size {
	c := measure(fr.open)
	if end, ok := strings.CutPrefix(fr.close, "\n"); ok {
		c = c.plus(measure(end + "\n"))
	}
	return c
}

// frame is the frame of a zone: in the prefix the preamble and the title, in
// the tail the fence. A preamble that does not fit is left out, with a fault.
func (b *build) frame(zone pimento.Zone, room size) frame {
	if zone == pimento.Tail {
		return frame{open: tailOpen, joiner: "\n" + joinTail, close: "\n" + tailClose}
	}
	room = room.least(b.prefixRoom())
	fr := frame{joiner: b.p.Joiner}
	if fr.joiner == "" {
		fr.joiner = "\n\n"
	}
	if b.p.Title != "" {
		fr.open = b.p.Title + "\n\n"
	}
	if b.p.Snapshot == "per-turn" {
		if header := b.reserve(); header != "" && measure(header).within(room) {
			fr.header, fr.open = header, header
		}
	}
	preamble := b.preamble()
	if preamble == "" || b.f.Empty && !b.p.PreambleEmpty {
		return fr
	}
	if !whole(preamble+"\n\n"+fr.open, 0).within(room) {
		b.fault("budget", "the preamble does not fit the budget")
		return fr
	}
	fr.lead = preamble + "\n\n"
	fr.open = fr.lead + fr.open
	if b.p.PreambleEmpty || b.p.Snapshot != "per-turn" {
		fr.alone = preamble
	}
	return fr
}

// preamble is what the model is told, with the directories filled in. A line
// about a root that may not be used is left out: what is not to be read is not
// to be named.
func (b *build) preamble() string {
	text := strings.TrimSpace(b.p.Preamble)
	for _, scope := range pimento.Scopes() {
		name := "{" + string(scope) + "}"
		if !strings.Contains(text, name) {
			continue
		}
		var kept []string
		for line := range strings.SplitSeq(text, "\n") {
			if dir := b.f.Dirs[scope]; dir != "" {
				kept = append(kept, strings.ReplaceAll(line, name, inline(dir)))
			} else if !strings.Contains(line, name) {
				kept = append(kept, line)
			}
		}
		text = strings.Join(kept, "\n")
	}
	return text
}

func (b *build) fault(kind, detail string) {
	b.out.Faults = append(b.out.Faults, pimento.Fault{Kind: kind, Detail: detail})
}

func (b *build) decide(entry, page, decision, reason string) {
	b.out.Trace = append(b.out.Trace, pimento.Decision{Entry: entry, Page: page, Decision: decision, Reason: reason})
}

// count notes candidates of a section that were not looked at one by one.
func (b *build) count(sec, reason string, n int) {
	if n > 0 {
		b.decide(sec, "", "dropped", fmt.Sprintf("%s: %d", reason, n))
	}
}
