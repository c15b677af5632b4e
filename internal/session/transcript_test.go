package session_test

import (
	"strings"
	"testing"

	"github.com/pimento-memory/pimento/internal/session"
)

const transcript = `{"type":"session","version":3,"id":"0199-aaaa","timestamp":"2026-02-15T14:00:00.000Z","cwd":"/home/u/shop"}
{"type":"model_change","id":"m","timestamp":"2026-02-15T14:00:01.000Z","provider":"p","modelId":"x"}
{"type":"message","id":"1","parentId":null,"timestamp":"2026-02-15T14:00:02.000Z","message":{"role":"user","content":[{"type":"text","text":"why does the billing export time out?"},{"type":"image","data":"LONG"}]}}
{"type":"message","id":"2","parentId":"1","timestamp":"2026-02-15T14:00:03.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Because of the cron job."}]}}
{"type":"message","id":"3","parentId":"2","timestamp":"2026-02-15T14:00:04.000Z","message":{"role":"toolResult","content":[{"type":"text","text":"secret output"}]}}
not JSON
{"type":"message","id":"4","parentId":"3","timestamp":"2026-02-15T14:00:05.000Z","message":{"role":"user","content":"then raise the timeout"}}
{"type":"compaction","id":"5","parentId":"4","timestamp":"2026-02-15T14:00:06.000Z","summary":"The export timed out."}
{"type":"message","id":"6","parentId":"5","timestamp":"2026-02-15T14:00:07.000Z","message":{"role":"user","content":"torn`

// What the user said and what compactions made of it is read, and nothing of
// what an agent or a tool answered.
func TestReadTranscript(t *testing.T) {
	long := `{"type":"message","id":"l","timestamp":"2026-02-15T14:00:08.000Z","message":{"role":"user","content":"` + strings.Repeat("x", 3<<20) + `"}}` + "\n"
	in := strings.Replace(transcript, "not JSON\n", "not JSON\n"+long, 1)
	got, ok, err := session.ReadTranscript(strings.NewReader(in), func(dir string) bool { return dir == "/home/u/shop" })
	if err != nil || !ok || got.Session != "0199-aaaa" || len(got.Pasts) != 3 {
		t.Fatalf("%v %v %+v", ok, err, got)
	}
	for i, want := range []session.Past{{Kind: session.Said, Text: "why does the billing export time out?"}, {Kind: session.Said, Text: "then raise the timeout"},
		{Kind: session.Summary, Text: "The export timed out."}} {
		if p := got.Pasts[i]; p.Kind != want.Kind || p.Text != want.Text || p.Session != "0199-aaaa" || p.Time.Year() != 2026 {
			t.Errorf("%+v", p)
		}
	}
}

// Of a foreign session, and of what is no transcript, nothing is taken.
func TestForeignTranscripts(t *testing.T) {
	for name, in := range map[string]string{"foreign": transcript, "empty": "", "prose": "hello\nworld\n", "no header": "{}\n" + transcript, "torn": transcript[:60]} {
		got, ok, err := session.ReadTranscript(strings.NewReader(in), func(string) bool { return false })
		if ok || err != nil || len(got.Pasts) > 0 {
			t.Errorf("%s: %v %v %+v", name, ok, err, got)
		}
	}
}
