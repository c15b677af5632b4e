package engine_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/internal/engine"
)

// doubled is a page on which many things are said twice.
func doubled(n int) string {
	var b strings.Builder
	b.WriteString("# Memory\n\n")
	for i := range n {
		fmt.Fprintf(&b, "- Valve %d of the plant closes clockwise\n- Valve %d of the plant closes clockwise!\n", i, i)
	}
	return b.String()
}

// A dream that is killed while it changes memory can be taken back, whatever it
// had done by then, and claims nothing else.
func TestAKilledDreamCanBeTakenBack(t *testing.T) {
	loops := 12
	if testing.Short() {
		loops = 3
	}
	amid := 0
	for range loops {
		w := newWorld(t)
		const pairs = 8
		before := doubled(pairs)
		put(t, w.global("MEMORY.md"), before)
		w.dreamt(nil, engine.Dreaming{}) // all of it waits
		cmd := w.child(self(t), "dream", "")
		w.must(cmd.Start())
		for limit := time.Now().Add(time.Minute); get(t, w.global("MEMORY.md")) == before && time.Now().Before(limit); {
			time.Sleep(100 * time.Microsecond)
		}
		time.Sleep(time.Duration(rand.IntN(150000)) * time.Microsecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()

		w.run(func(e *engine.Engine) {
			r, ok, err := e.LastDream(w.Context())
			w.must(err)
			gone := 2*pairs - strings.Count(get(t, w.global("MEMORY.md")), "- Valve")
			if gone > 0 && gone < pairs {
				amid++
			}
			if claimed := undoes(r); !ok || r.Applied != gone || claimed != gone {
				t.Errorf("%d taken out, %d applied, %d can be taken back, %v", gone, r.Applied, claimed, ok)
			}
			if r.Applied == 0 {
				return
			}
			_, err = e.DreamUndo(w.Context(), engine.Actor{Name: "user"})
			w.must(err)
		})
		if got := get(t, w.global("MEMORY.md")); got != before {
			t.Errorf("after the undo:\n%s", got)
		}
		w.must(os.RemoveAll(w.home))
	}
	t.Logf("%d of %d killed amid their changes", amid, loops)
}

// undoes counts the steps that take a dream back.
func undoes(r engine.DreamReport) (n int) {
	for _, a := range r.Acts {
		n += len(a.Undo)
	}
	return n
}
