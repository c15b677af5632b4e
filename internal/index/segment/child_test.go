package segment

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/pimento-memory/pimento"
	"github.com/pimento-memory/pimento/internal/index"
	"github.com/pimento-memory/pimento/internal/index/indextest"
	"github.com/pimento-memory/pimento/internal/index/memindex"
)

// The test binary runs itself as another process when this variable says what
// to do there.
const childVar = "PIMENTO_SEGMENT_TEST"

// cleanUp removes what benchmarks share.
var cleanUp = func() {}

func TestMain(m *testing.M) {
	if child() {
		return
	}
	code := m.Run()
	cleanUp()
	os.Exit(code)
}

// child does what the variable asks for and reports whether there was anything.
func child() bool {
	dir := os.Getenv(childVar + "_DIR")
	opt := Options{DeltaDocs: 12, MergeDocs: 200}
	ctx := context.Background()
	switch os.Getenv(childVar) {
	case "write": // pages numbered from a start in steps of two, one line for each that is stored
		x, err := Open(ctx, dir, opt)
		if err != nil {
			fmt.Println("open:", err)
			return true
		}
		start, _ := strconv.Atoi(os.Getenv(childVar + "_START"))
		count, _ := strconv.Atoi(os.Getenv(childVar + "_COUNT"))
		for i := start; i < start+2*count; i += 2 {
			p := numbered(i)
			for {
				err := x.Apply(ctx, []index.Page{p}, nil)
				if err == nil {
					break
				}
				if pimento.KindOf(err) != pimento.KindUnavailable {
					fmt.Println("apply:", err)
					return true
				}
			}
			if r := x.Rebuilt(); r != "" {
				fmt.Println("rebuilt:", r)
				return true
			}
			fmt.Println(i)
		}
		return true
	case "cold": // a one-shot process: open, statistics, search
		x, err := Open(ctx, dir, Options{})
		if err == nil {
			c := indextest.NewCorpus(2, 60_000)
			q := c.Query(12, 5)
			terms := make([]string, len(q.Terms))
			for i := range terms {
				terms[i] = q.Terms[i].Text
			}
			x.Stats(ctx, terms)
			x.Search(ctx, q)
		}
		return true
	case "corpus": // what cold does without an index
		indextest.NewCorpus(2, 60_000).Query(12, 5)
		return true
	}
	return false
}

// numbered is a page whose content follows from its number alone.
func numbered(i int) index.Page {
	c := indextest.NewCorpus(uint64(i), 100)
	c.Words = 5
	return c.Page(fmt.Sprintf("n/%03d.md", i%150), i%7)
}

func start(t testing.TB, what, dir string, env ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), append(env, childVar+"="+what, childVar+"_DIR="+dir)...)
	cmd.Stderr = os.Stderr
	return cmd
}

// A writer is killed again and again. What it has reported as stored is there
// afterwards, and nothing is ever damaged.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	ref := memindex.New()
	n := 0
	for round := range 30 {
		cmd := start(t, "write", dir, fmt.Sprintf("%s_START=%d", childVar, n), childVar+"_COUNT=100000")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines, stored := bufio.NewScanner(out), 0
		for lines.Scan() {
			i, err := strconv.Atoi(lines.Text())
			if err != nil {
				t.Error(lines.Text())
				break
			}
			ref.Apply(context.Background(), []index.Page{numbered(i)}, nil)
			n = i + 2
			if stored++; stored == 1+round%13 {
				time.Sleep(time.Duration(round*137%1000) * time.Microsecond)
				cmd.Process.Kill()
			}
		}
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			return
		}
		x := open(t, dir, Options{})
		// The page after the last reported one may have been stored, too.
		next := numbered(n)
		if got, ok, _ := x.Page(context.Background(), next.Path); ok && got.Stamp == next.Stamp {
			ref.Apply(context.Background(), []index.Page{next}, nil)
			n += 2
		}
		if r := x.Rebuilt(); r != "" {
			t.Fatalf("round %d: %s", round, r)
		}
		indextest.Compare(t, ref, x)
		c := indextest.NewCorpus(1, 100)
		for range 5 {
			indextest.CompareQuery(t, ref, x, c.Query(4, 50))
		}
		x.Close()
		if t.Failed() {
			t.Fatalf("after kill %d", round)
		}
	}
}

// Two processes write different pages at once, while a third one reads.
func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	const count = 120
	var wg sync.WaitGroup
	for i := range 2 {
		cmd := start(t, "write", dir, fmt.Sprintf("%s_START=%d", childVar, i), fmt.Sprintf("%s_COUNT=%d", childVar, count))
		wg.Go(func() {
			if out, err := cmd.Output(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	x := open(t, dir, Options{})
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		if err := x.Refresh(context.Background()); err != nil {
			t.Fatal(err)
		}
		st, err := x.Stats(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		docs := 0
		if err := x.With(context.Background(), "m2026", func(string, index.Doc) bool { docs++; return true }); err != nil || docs != st.Docs {
			t.Fatalf("%d of %d docs, %v", docs, st.Docs, err)
		}
	}
	if r := x.Rebuilt(); r != "" {
		t.Fatal(r)
	}
	if err := x.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	// Even and odd numbers never share a page, so each page holds its last number.
	ref := memindex.New()
	for i := range 2 * count {
		ref.Apply(context.Background(), []index.Page{numbered(i)}, nil)
	}
	indextest.Compare(t, ref, x)
}

// A writer that does not get the lock keeps its change for itself, sees it, and
// stores it with the next one.
func TestLockLost(t *testing.T) {
	ctx := context.Background()
	for _, docs := range []int{3, 300} {
		dir := t.TempDir()
		c := indextest.NewCorpus(5, 200)
		c.Words = 10
		ref, x, y := memindex.New(), open(t, dir, Options{}), open(t, dir, Options{})
		first := c.Pages(400, 10)
		ref.Apply(ctx, first, nil)
		if err := x.Apply(ctx, first, nil); err != nil {
			t.Fatal(err)
		}
		if err := y.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		if err := x.acquireLock(ctx); err != nil {
			t.Fatal(err)
		}
		put := append(c.Pages(docs, 3), c.Page("own.md", 2))
		remove := []string{first[30].Path, "unknown.md"}
		ref.Apply(ctx, put, remove)
		if err := y.Apply(ctx, put, remove); pimento.KindOf(err) != pimento.KindUnavailable || err == nil {
			t.Fatalf("Apply without the lock: %v", err)
		}
		compare := func(z *Index) {
			t.Helper()
			indextest.Compare(t, ref, z)
			for range 20 {
				indextest.CompareQuery(t, ref, z, c.Query(5, 30))
			}
		}
		compare(y)
		if err := y.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		compare(y)
		x.lock.Unlock()

		// Somebody stores a newer state of a page that y has kept.
		newer := c.Page("own.md", 4)
		ref.Apply(ctx, []index.Page{newer}, nil)
		if err := x.Apply(ctx, []index.Page{newer}, nil); err != nil {
			t.Fatal(err)
		}
		if err := y.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		if docs < 200 { // what is kept as a segment waits for the next sync
			compare(y)
		}
		last := []index.Page{c.Page("last.md", 1), newer}
		ref.Apply(ctx, last, nil)
		if err := y.Apply(ctx, last, nil); err != nil {
			t.Fatal(err)
		}
		compare(y)
		if err := x.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		compare(x)
		compare(open(t, dir, Options{}))
	}
}

// A directory that cannot be made or written is no obstacle to searching.
func TestUnwritable(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	indextest.Run(t, func(t *testing.T) index.Index {
		x, err := Open(ctx, filepath.Join(file, "dir"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return tolerant{x}
	})
}

// tolerant expects every change not to be stored.
type tolerant struct{ *Index }

func (x tolerant) Apply(ctx context.Context, put []index.Page, remove []string) error {
	err := x.Index.Apply(ctx, put, remove)
	if err != nil && ctx.Err() == nil && pimento.KindOf(err) == pimento.KindUnavailable {
		return nil
	}
	return err
}
