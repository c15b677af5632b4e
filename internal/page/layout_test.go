package page

import (
	"testing"
	"time"
)

func TestDay(t *testing.T) {
	want := time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)
	if day, ok := Day("daily/2026-02-28.md"); !ok || !day.Equal(want) {
		t.Error(day, ok)
	}
	for _, rel := range []string{"daily/2026-02-30.md", "daily/notes.md", "2026-02-28.md", "archive/daily/2026-02-28.md", ""} {
		if day, ok := Day(rel); ok || !day.IsZero() {
			t.Error(rel, day, ok)
		}
	}
}
