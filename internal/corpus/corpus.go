// Package corpus simulates memories of any size, for benchmarks and tests. The
// same layout is always the same bytes. It writes files and is never part of
// the program.
package corpus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A Layout says how a simulated memory is spread over files.
type Layout struct {
	Name    string
	Entries int
	Pages   int
}

var services = strings.Fields(`billing checkout search auth gateway ledger mailer scheduler indexer catalog
	profile session webhook importer exporter reports notifier payments refunds invoices shipping warehouse pricing
	discounts reviews media uploader thumbnails sitemap analytics telemetry feature-flags rate-limiter cache proxy`)

var subjects = strings.Fields(`database queue schema migration index retry timeout deadline token certificate
	cache pool worker cron endpoint payload header cookie cursor page batch stream topic partition shard replica
	backup snapshot checksum lock transaction constraint trigger view column fixture snapshot golden mock linter
	formatter bundle dependency container image volume network policy quota budget alert dashboard metric trace log`)

var verbs = strings.Fields(`uses needs rejects prefers returns retries logs drops caches batches validates signs
	encrypts rotates expires throttles paginates deduplicates normalises compresses truncates flushes replays`)

var plain = strings.Fields(`because after before when while every only never always until during without with
	the a an of in on to for from by under over one two three first last second morning release customer request
	response error message value number field record row file path branch commit review test build deploy rollback
	staging production local default fallback limit size count rate cost budget owner team week month quarter plan`)

// text makes one entry of about 60 words; id makes it findable.
func text(r *rand.Rand, id int) string {
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	var b strings.Builder
	fmt.Fprintf(&b, "The %s service %s a %s %s: ", pick(services), pick(verbs), pick(subjects), pick(subjects))
	for n := 35 + r.IntN(25); n > 0; n-- {
		switch x := r.IntN(10); {
		case x == 0:
			b.WriteString(pick(services))
		case x < 3:
			b.WriteString(pick(subjects))
		case x == 3:
			b.WriteString(pick(verbs))
		default:
			b.WriteString(pick(plain))
		}
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "(ticket PIM-%d, `%s_%s_%d`)", id, pick(subjects), pick(subjects), id%997)
	return b.String()
}

// Write lays the memory out below dir as daily logs and topic lists, or as
// one-entry articles. Every page is an hour old, so that its stamp is not racy.
func (l Layout) Write(dir string) error {
	r := rand.New(rand.NewPCG(1, uint64(l.Entries)))
	day := time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC)
	per, id := l.Entries/l.Pages, 0
	for p := range l.Pages {
		var b strings.Builder
		name := ""
		switch {
		case per == 1:
			name = fmt.Sprintf("notes/note-%05d.md", p)
			fmt.Fprintf(&b, "# Note %d\n\n%s\n", p, text(r, id))
			id++
		case p%4 == 0:
			name = fmt.Sprintf("topics/topic-%05d.md", p)
			fmt.Fprintf(&b, "# Topic %d\n\n", p)
			for range per {
				fmt.Fprintf(&b, "- [pattern] %s\n", text(r, id))
				id++
			}
		default:
			name = "daily/" + day.AddDate(0, 0, p).Format(time.DateOnly) + ".md"
			for range per {
				fmt.Fprintf(&b, "<!-- %s [bench000] -->\n%s\n\n", day.AddDate(0, 0, p).Format(time.DateTime), text(r, id))
				id++
			}
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			return err
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old); err != nil {
			return err
		}
	}
	return nil
}

// Prompts are n things that a person might type about such a memory.
func Prompts(n int) []string {
	r := rand.New(rand.NewPCG(2, 2))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("Why does the %s service lose its %s when the %s %s, and how do we test the %s?",
			pick(services), pick(subjects), pick(subjects), pick(verbs), pick(subjects))
	}
	return out
}
