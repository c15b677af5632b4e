package page

import (
	"strings"
	"time"
)

// The pages and folders that have a role by their name, as paths from the root of a
// scope.
const (
	Memory      = "MEMORY.md"       // what is curated
	LocalMemory = "MEMORY.local.md" // the local scope's only page
	Scratchpad  = "SCRATCHPAD.md"
	Memories    = "memory.md" // what the scored-topics system kept before it had topics

	DailyDir      = "daily/"     // a log for each day
	TopicsDir     = "topics/"    // lists
	KnowledgeDir  = "knowledge/" // articles with front matter
	RawDir        = "raw/"       // what happened, as it was recorded
	CompactionDir = RawDir + "compaction/"
	ArchiveDir    = "archive/" // what faded or was merged; it is never injected
)

// Archived says whether a page lies in the archive.
func Archived(rel string) bool { return strings.HasPrefix(rel, ArchiveDir) }

// Origin is the path that an archived page had, and any other page's own.
func Origin(rel string) string { return strings.TrimPrefix(rel, ArchiveDir) }

// DailyPage is the log of a day, YYYY-MM-DD.
func DailyPage(date string) string { return DailyDir + date + ".md" }

// Linked are the pages that a link may mean by its path: the one of that name, or the
// list of that name.
func Linked(link string) []string {
	rel, _, _ := strings.Cut(link, "#")
	if rel = strings.TrimPrefix(strings.TrimSuffix(rel, ".md"), "./"); rel == "" {
		return nil
	}
	if strings.Contains(rel, "/") {
		return []string{rel + ".md"}
	}
	return []string{rel + ".md", TopicsDir + rel + ".md"}
}

// Day is the day of a log, at midnight UTC; ok is false for any other page.
func Day(rel string) (day time.Time, ok bool) {
	name, ok := strings.CutPrefix(rel, DailyDir)
	if !ok {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, strings.TrimSuffix(name, ".md"))
	return day, err == nil
}
