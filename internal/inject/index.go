package inject

import (
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento"
)

// capIndex is the beginning of a curated page that a budget allows: whole lines
// of it, counted as they stand on the page. A line that alone is too long is
// cut between two characters.
func capIndex(body string, b pimento.Budget) string {
	limit := func(n int) int {
		if n <= 0 {
			return unlimited
		}
		return n
	}
	room, at := size{limit(b.Tokens), limit(b.Chars), limit(b.Bytes), limit(b.Lines)}, 0
	for at < len(body) {
		end := at + strings.IndexByte(body[at:], '\n') + 1
		if end == at {
			end = len(body)
		}
		line := measure(body[at:end])
		line.lines = 1
		if !line.within(room) {
			break
		}
		room, at = room.minus(line), end
	}
	if at == 0 {
		at = runeFloor(body, min(len(body), room.bytes, room.chars, 16*room.tokens))
	}
	return body[:at]
}

// capped cuts a curated page to the profile's cap for it and words the note.
func (b *build) capped(sec *pimento.Section, t *Text) (*Text, string) {
	if sec.Pick != pimento.PickMemory || b.p.Paged || b.p.Index == (pimento.Budget{}) {
		return t, ""
	}
	body := capIndex(t.Body, b.p.Index)
	if len(body) == len(t.Body) {
		return t, ""
	}
	short := *t
	short.Body, short.IDs, short.Spans = body, nil, nil
	for i := range min(len(t.IDs), len(t.Spans)) {
		if s := t.Spans[i]; s.Start+len(strings.TrimRight(t.Body[s.Start:s.End], " \t\r\n")) <= len(body) {
			s.End = min(s.End, len(body))
			short.IDs, short.Spans = append(short.IDs, t.IDs[i]), append(short.Spans, s)
		}
	}
	return &short, fmt.Sprintf("[Index truncated: showing %d of %d bytes. Keep %s concise; move detail to topic files.]\n",
		len(body), len(t.Body), inline(t.Page))
}
