package engine

import "sync"

// promptsKept is how many sessions' latest prompts a process remembers.
const promptsKept = 64

// prompts are the traces of the sessions' latest prompts in this process, for
// the journal to say in which turn something was written.
type prompts struct {
	mu     sync.Mutex
	latest map[string]string
}

func (p *prompts) begin(session, trace string) {
	if session == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.latest == nil || len(p.latest) >= promptsKept && p.latest[session] == "" {
		p.latest = map[string]string{} // it costs the others the turn of a write or two
	}
	p.latest[session] = trace
}

// of is "" for a session without a prompt in this process.
func (p *prompts) of(session string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.latest[session]
}
