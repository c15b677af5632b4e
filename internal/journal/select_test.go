package journal

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/pimento-memory/pimento"
)

// TestSelectLooksOnce: from the mark that a Select returned, the next one finds
// the same events and what came since, without reading what lies between.
func TestSelectLooksOnce(t *testing.T) {
	j := open(t, t.TempDir())
	ctx := t.Context()
	k := 0
	add := func(typ pimento.EventType, n int) {
		t.Helper()
		var evs []pimento.Event
		for range n {
			k++
			evs = append(evs, pimento.Event{V: 1, ID: fmt.Sprint(typ, "-", k), Type: typ, Statement: "0123456789abcdef",
				Text: strings.Repeat("x", 5000*(k%2))}) // every other line longer than one look
		}
		if err := j.Append(ctx, evs); err != nil {
			t.Fatal(err)
		}
	}
	find := func(m Mark) (next Mark, ids []string) {
		t.Helper()
		next, err := j.Select(ctx, m, []pimento.EventType{pimento.Remembered}, func(ev pimento.Event) { ids = append(ids, ev.ID) })
		if err != nil {
			t.Fatal(err)
		}
		return next, ids
	}
	end := func() int64 {
		m, err := j.Mark(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return m.Off
	}
	add(pimento.Injected, 5)
	m, got := find(Mark{})
	if got != nil || m.News != nil || m.Off != end() {
		t.Errorf("without news: %v, %v", got, m)
	}
	add(pimento.Used, 3)
	add(pimento.Remembered, 2)
	add(pimento.Confirmed, 2)
	m, got = find(m)
	if len(got) != 2 || len(m.News) != 2 || m.Off != end() {
		t.Errorf("with news: %v, %v", got, m)
	}
	add(pimento.Injected, 3)
	again, same := find(m)
	if !reflect.DeepEqual(same, got) || again.Off != end() || !reflect.DeepEqual(again.News, m.News) {
		t.Errorf("again: %v, %v", same, again)
	}
	add(pimento.Remembered, maxNews)
	add(pimento.Injected, 1)
	full, all := find(again)
	if len(all) != maxNews+2 || len(full.News) != maxNews || full.Off >= end() {
		t.Errorf("more than a mark carries: %d events, %d carried, at %d of %d", len(all), len(full.News), full.Off, end())
	}
	if next, rest := find(full); !reflect.DeepEqual(rest, all) || !reflect.DeepEqual(next, full) {
		t.Errorf("from there: %d events, want %d; %v", len(rest), len(all), next.Off)
	}
}
