package text

import (
	"slices"
	"strings"
	"testing"
)

func TestReadings(t *testing.T) {
	const log = "2026-10-30T08:12:44Z INFO starting server addr=:8080\n2026-10-30T08:12:45Z ERROR dial tcp 10.2.3.4:5432: refused retry=1\n2026-10-30T08:12:47Z ERROR dial tcp 10.2.3.4:5432: refused retry=1\n"
	const alarm = "ERROR dial tcp 10.2.3.4:5432: refused retry=1"
	const code = "func main() {\n\tfmt.Println(x)\n}\n"
	const mail = "Could you look at the importer today?\n\nIt drops the last line of a file.\nPlease add a test for that,\nand tell Ines when you are done.\n"
	const list = "Please:\n- rename `foo` to `bar` in a.go\n- drop the old flag from b.go\n- say so in the README\n"
	for _, c := range []struct {
		prompt string
		typed  string   // "" for nothing pasted
		alarms []string // beside what was typed
	}{
		{prompt: "why does the build fail"},
		{prompt: mail},
		{prompt: list},
		{prompt: "Why this?\nTypeError: x.y is not a function\nIt worked yesterday."},
		{"What is this?\n\n```\n" + log + "```\n", "What is this?", []string{alarm}},
		{"```go\n" + code + "```\nMake it faster.", "Make it faster.", nil},
		{"What of this page?\n````md\n# Title\n```sh\nmake\n```\nSome prose of it.\n````\nIs it right?", "What of this page?\nIs it right?", nil},
		{"Why?\n```\nnot closed\nerror here\n", "Why?", []string{"error here"}},
		{"is the relay slow again\n" + log, "is the relay slow again", []string{alarm}},
		{log + "\nis the relay slow again", "is the relay slow again", []string{alarm}},
		{"DB_MAX_CONNS\n" + log, "DB_MAX_CONNS", []string{alarm}},
		{mail + "\n" + code + "\nThanks!", strings.TrimSpace(mail) + "\nThanks!", nil},
		{"为什么会这样？\n\n" + log, "为什么会这样？", []string{alarm}},
		{log, "", []string{alarm}},
		{"<file name=\"/home/jo/app/out.log\">\n" + mail + log + "</file>\nis the relay slow again", "out.log\nis the relay slow again", []string{alarm}},
		{"<file name=\"/home/jo/a.png\"></file>\nwhat is wrong here?", "a.png\nwhat is wrong here?", nil},
		{"<skill name=\"x\" location=\"/x\">\n" + mail + "It must not fail.\n</skill>\n\nthe relay\n" + log, "the relay", []string{alarm}},
		{"why?\n<ide_selection>\n" + mail + "</ide_selection>\nand how?", "why?\nand how?", nil},
		{prompt: "<div> is never closed\n" + mail},
	} {
		var got []string
		for _, r := range Readings(c.prompt) {
			got = append(got, strings.Join(slices.DeleteFunc(strings.Split(strings.TrimSpace(r.Text), "\n"), func(l string) bool { return strings.TrimSpace(l) == "" }), "\n"))
		}
		var want []string
		tidy := strings.Join(slices.DeleteFunc(strings.Split(c.typed, "\n"), func(l string) bool { return l == "" }), "\n")
		if c.typed != "" {
			want = append(want, tidy)
		}
		for _, a := range c.alarms {
			want = append(want, strings.TrimSpace(tidy+"\n"+a))
		}
		if n := len(got); n != len(want)+1 || !slices.Equal(got[:n-1], want) {
			t.Errorf("%q:\n%q, want\n%q", c.prompt, got, want)
		}
	}
}

func FuzzReadings(f *testing.F) {
	f.Add("a question\n\n```\nERROR x\n```\n")
	f.Add("at a.b (c:1)\n\tat d\n  at e\nwhy")
	f.Fuzz(func(t *testing.T, prompt string) {
		rs := Readings(prompt)
		typed, _, pasted := split(prompt)
		if last := rs[len(rs)-1]; last.Text != prompt || last.Pasted != pasted || !pasted && (len(rs) > 1 || typed != prompt) || len(typed) > len(prompt)+1 {
			t.Errorf("%v", rs)
		}
	})
}
