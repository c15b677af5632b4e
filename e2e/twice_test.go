package e2e

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/pimento-memory/pimento/e2e/stub"
)

// Two terminals on one session (`pi -c` twice) have one session's state and two
// contexts. Each is told everything once and repeats the same prefix.
func TestOneSessionOpenTwice(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.write(s.global("MEMORY.md"), "- Lunch is at noon.\n")
	p := s.rpc(nil)
	p.prompt("hello there")
	s.together(p, s.rpc(nil, "--session", p.sessionFile()))
}

// So has each of two sessions that work in one project.
func TestTwoSessionsInOneProject(t *testing.T) {
	t.Parallel()
	s := newSandbox(t, stub.Script())
	s.write(s.global("MEMORY.md"), "- Lunch is at noon.\n")
	p, q := s.rpc(nil), s.rpc(nil)
	p.prompt("hello there")
	q.prompt("hello there")
	s.together(p, q)
}

// together lets two people prompt at the same moment, again and again, while a third
// one edits memory, and looks at what each was told in the end.
func (s *sandbox) together(p, q *piRPC) {
	t, page := s.t, s.global("MEMORY.md")
	t.Helper()
	const rounds = 6
	fact := func(i int) string { return fmt.Sprintf("Door %d of the warehouse opens to the %s yard.", i, name(i)) }
	said := func(who string, i int) string {
		return fmt.Sprintf("the %s gate number %d needs the %s key", who, i, name(100+i))
	}
	both := func(text func(who string) string) {
		var running sync.WaitGroup
		for who, x := range map[string]*piRPC{"north": p, "south": q} {
			running.Go(func() { x.prompt(text(who)) })
		}
		running.Wait()
	}
	text := "- Lunch is at noon.\n"
	for i := range rounds {
		text += "- " + fact(i) + "\n"
		s.write(page, text)
		both(func(who string) string { return "remember that " + said(who, i) })
	}
	s.write(page, strings.Replace(text, "- "+fact(0)+"\n", "", 1))
	both(func(who string) string { return "what now, " + who + "?" })
	both(func(who string) string { return "go on, " + who })
	p.close()
	q.close()

	ends := map[string]string{}
	for i, r := range s.model.Requests() {
		for _, who := range []string{"north", "south"} {
			if strings.Contains(r.Text(), "go on, "+who) {
				ends[who] = r.Text()
			}
		}
		if r.System != s.request(0).System {
			t.Errorf("request %d has another system prompt:\n%s", i, clip(r.System))
		}
	}
	memory := mustJSON(files(s.inProject("")))
	for who, other := range map[string]string{"north": "south", "south": "north"} {
		for i := range rounds {
			once(t, who+"'s context", ends[who], "- added: "+fact(i))
			once(t, who+"'s context", ends[who], "- added: "+said(other, i))
			once(t, "the project's memory", memory, "- "+said(who, i))
		}
		once(t, who+"'s context", ends[who], "- withdrawn: "+fact(0))
		if n := strings.Count(ends[who], "- withdrawn:"); n != 1 {
			t.Errorf("%d are withdrawn for %s", n, who)
		}
	}
	hasNot(t, "doctor", s.pimento("doctor"), "fail")
}

func once(t testing.TB, what, text, part string) {
	t.Helper()
	if n := strings.Count(text, part); n != 1 {
		t.Errorf("%s holds %q %d times:\n%s", what, part, n, clip(text))
	}
}
