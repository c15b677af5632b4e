package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pimento-memory/pimento/internal/embed"
	"github.com/pimento-memory/pimento/internal/model"
	"github.com/pimento-memory/pimento/internal/tool"
)

// What go run built is no program to install: it goes with the cache.
func TestRanOnly(t *testing.T) {
	for path, want := range map[string]bool{
		"/tmp/go-build2183/b001/exe/pimento": true,
		"/home/ada/.cache/go-build/f3/f34ed8bb31f71a68c767bd5e24d2bb542f24369fe28c1f4c91ca9a0fb3a0e003-d/pimento": true,
		"/home/ada/go/bin/pimento":         false,
		"/opt/exe/pimento":                 false,
		"/home/ada/src/pimento-d/pimento":  false,
		"/home/ada/go-build/tools/pimento": false,
	} {
		if got := ranOnly(path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}

// Who presses Ctrl-C reads that, and not what a library calls it, and nothing is left over.
func TestInterrupted(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"eval", "codemem"}, {"eval", "codemem", "--json"}, {"eval", "resident"}, {"demo"}} {
		if code, stdout, stderr := runIn(ctx, t, "", args...); code != 5 || stdout != "" || stderr != "pimento: interrupted\n" {
			t.Errorf("%v: exit status %d\n%s%s", args, code, stdout, stderr)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// What was found of a memory that was not looked at is no answer, nor are its faults news.
func TestInterruptedLook(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"status"}, {"lint"}, {"recall", "deploy"}, {"consolidate"}, {"pages", "--json"}} {
		if code, _, stderr := runIn(ctx, t, "", args...); code != 5 || stderr != "pimento: interrupted\n" {
			t.Errorf("%v: exit status %d\n%s", args, code, stderr)
		}
	}
}

// A write that is said to stand is no failure, though Ctrl-C comes in the same instant.
func TestInterruptedTooLate(t *testing.T) {
	for _, args := range [][]string{{"remember", "tea is at four"}, {"scratch", "add", "buy tea"}} {
		home := t.TempDir()
		vars := map[string]string{"HOME": home}
		ctx, cancel := context.WithCancel(t.Context())
		out := writerFunc(func(b []byte) (int, error) { cancel(); return len(b), nil })
		var errs bytes.Buffer
		code := Main(ctx, Env{Args: args, Getenv: func(k string) string { return vars[k] }, Dir: home, Stdout: out, Stderr: &errs, Now: time.Now})
		if code != 0 || errs.Len() > 0 {
			t.Errorf("%v: exit status %d, %s", args, code, errs.String())
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// A part that tells no causes failed for it all the same.
func TestInterruptedWithin(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var said bytes.Buffer
	a := &app{env: Env{Stderr: &said, Getenv: func(string) string { return "" }}, life: ctx}
	if code := a.complain(errors.New("flush: context canceled")); code != 5 || said.String() != "pimento: interrupted\n" {
		t.Errorf("exit status %d, %s", code, said.String())
	}
}

// A question is left with Ctrl-C, too, and so is a text that does not end.
func TestInterruptedWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, hand, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer hand.Close()
	a := &app{env: Env{Stdin: in, Stderr: io.Discard}, life: ctx}
	cancel()
	if err := a.ask("Sure?"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := a.stdin("text"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The names of folders are somebody else's, too.
func TestHostileNames(t *testing.T) {
	var said bytes.Buffer
	a := &app{env: Env{Stdout: &said, Getenv: func(string) string { return "" }}}
	if err := a.wouldDo("trust the memory of /src/a\u202eb\x1b[31mc", ""); err != nil {
		t.Fatal(err)
	}
	said.WriteString(modelText(tool.Paint{}, []model.Model{{Name: "a\u202eb\x1b[31mc"}}, embed.Choice{}))
	if strings.ContainsAny(said.String(), "\u202e\x1b") {
		t.Errorf("%q", said.String())
	}
}
