package cli

import (
	"strings"

	"github.com/pimento-memory/pimento/internal/tool"
)

// A spec is a command before it is built: enough for the overview.
type spec struct {
	group, name, short string
	build              func(*app) *command
}

func (s spec) command(a *app) *command {
	cmd := s.build(a)
	cmd.short = s.short
	return cmd
}

const (
	everyDay = "every day"
	looking  = "looking"
	changing = "changing an entry"
	settings = "projects, profiles and models"
	harness  = "harnesses"
)

// specs is every command, in the order in which help shows them.
func specs() []spec {
	return []spec{
		{everyDay, "remember", "write a fact, preference or decision", rememberCmd},
		{everyDay, "recall", "search memory", recallCmd},
		{everyDay, "scratch", "the checklist: add, done, undo, clear, list", scratchCmd},
		{everyDay, "daily", "show a day's log", dailyCmd},
		{everyDay, "inbox", "what waits for your yes: accept, edit, reject", inboxCmd},
		{everyDay, "status", "what is remembered, and where", statusCmd},

		{looking, "inject", "print what the model would be given", injectCmd},
		{looking, "why", "why the last prompt got what it got", whyCmd},
		{looking, "usage", "what answers made of the memories they were given", usageCmd},
		{looking, "log", "what changed in memory, and by whom", logCmd},
		{looking, "traces", "list the records of past prompts", tracesCmd},
		{looking, "trace", "show the record of one prompt", traceCmd},
		{looking, "replay", "build a recorded prompt's block again", replayCmd},
		{looking, "faults", "when memory let an agent down", faultsCmd},
		{looking, "pages", "list the pages", pagesCmd},
		{looking, "read", "show a page or an entry", readCmd},
		{looking, "sessions", "what was said in past sessions", sessionsCmd},
		{looking, "graph", "how things are related: a thing, a path, a timeline", graphCmd},
		{looking, "stale", "list what may be out of date", staleCmd},
		{looking, "plot", "draw how memories fade, or were used", plotCmd},
		{looking, "verify", "bring the page table up to date", verifyCmd},
		{looking, "flush", "finish what a crash left half written", flushCmd},
		{looking, "doctor", "look for trouble", doctorCmd},
		{looking, "lint", "look for trouble in the pages themselves", lintCmd},
		{looking, "consolidate", "find what says the same, or contradicts", consolidateCmd},
		{looking, "audit", "what to look at in an audit of memory; done records it", auditCmd},
		{looking, "dream", "go through memory and past sessions, and propose", dreamCmd},
		{looking, "version", "the program's version", versionCmd},

		{changing, "edit", "change an entry's text", editCmd},
		{changing, "pin", "always show an entry", pinCmd(true)},
		{changing, "unpin", "take a pin off", pinCmd(false)},
		{changing, "confirm", "say that an entry still holds", confirmCmd},
		{changing, "reinforce", "count an entry as said again", reinforceCmd},
		{changing, "forget", "take an entry out, restorable", forgetCmd},
		{changing, "archive", "move a page or an entry out of sight", archiveCmd},
		{changing, "restore", "bring back what was taken out; alone: list it", restoreCmd},
		{changing, "encrypt", "seal a page with age; --setup makes a key", encryptCmd},
		{changing, "decrypt", "make a plain page of an encrypted one", decryptCmd},
		{changing, "purge", "take an entry out everywhere, for good", purgeCmd},

		{settings, "adopt", "look at memory that another system kept, and use it", adoptCmd},
		{settings, "import", "take over what another system kept", importCmd},
		{settings, "export", "write scores, past sessions or pages for another system", exportCmd},
		{settings, "trust", "let this project's memory reach the model", trustCmd},
		{settings, "untrust", "take that back", untrustCmd},
		{settings, "profile", "list, show, use or compare profiles", profileCmd},
		{settings, "model", "embedding models: pull, list, use or remove", modelCmd},
		{settings, "think", "a language model for upkeep: use, off, try", thinkCmd},

		{harness, "setup", "install into a harness, or remove: pi, claude, codex, opencode", setupCmd},
		{harness, "completion", "complete commands and flags in bash, zsh or fish", completionCmd},
		{harness, "demo", "a month of memory and three prompts", demoCmd},
		{harness, "eval", "measure how well memory is found", evalCmd},
		{harness, "tool", "call a tool as a model would", toolCmd},
		{harness, "hook", "answer one event of a harness", hookCmd},
		{harness, "rpc", "serve pi's extension", rpcCmd},
		{harness, "mcp", "serve any agent that speaks MCP", mcpCmd},
		{harness, "merge", "merge two branches' versions of a page, for git", mergeCmd},
	}
}

// overview is what `pimento` alone says.
func (a *app) overview() string {
	p := a.paint()
	width := helpWidth(p)
	var b strings.Builder
	b.WriteString(tool.Hang(p.Bold("pimento")+": ", "memory for coding agents, in markdown files that are yours", width) + "\n\n")
	b.WriteString("Try first:\n")
	for _, line := range [][2]string{
		{"pimento demo", "see what a model is given, and why"},
		{`pimento remember "prefer small commits"`, "write the first memory"},
		{"pimento setup pi", "let pi remember by itself"},
	} {
		head := "  " + p.Accent(tool.Pad(line[0], 40)) + " "
		if width < 80 {
			head = "  " + p.Accent(commandLine(line[0], width-2)) + "\n    "
		}
		b.WriteString(head + p.Faint(line[1]) + "\n")
	}
	b.WriteString("\n" + tool.Wrap("Then: pimento recall WORDS, pimento status, pimento why.\nAll commands: pimento --help", width, "") + "\n")
	return b.String()
}

// rootHelp is the list of all commands.
func (a *app) rootHelp() string {
	p := a.paint()
	width := helpWidth(p)
	var b strings.Builder
	b.WriteString(tool.Hang(p.Bold("pimento")+": ", "memory for coding agents, in markdown files that are yours", width) + "\n")
	group := ""
	for _, s := range specs() {
		if s.group != group {
			group = s.group
			b.WriteString("\n" + p.Bold(group) + "\n")
		}
		b.WriteString(tool.Hang("  "+p.Accent(tool.Pad(s.name, 11))+" ", s.short, width) + "\n")
	}
	b.WriteString("\n" + p.Bold("flags of every command") + "\n" + flagHelp(a.globalFlags(), width))
	b.WriteString("\n" + p.Bold("exit status") + "\n")
	for _, line := range []string{"0  done, also for no match", "1  findings, or refused with a reason", "2  usage or configuration",
		"3  denied: no consent", "4  conflict or ambiguous", "5  unavailable", "hook always exits 0"} {
		b.WriteString("  " + line + "\n")
	}
	b.WriteString("\n" + tool.Wrap("More about a command: pimento COMMAND --help", width, "") + "\n")
	return b.String()
}
