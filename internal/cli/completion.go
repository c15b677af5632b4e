package cli

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/pimento-memory/pimento/internal/tool"
)

func completionCmd(a *app) *command {
	return &command{
		use:     "completion bash|zsh|fish",
		long:    "Print what makes a shell complete commands and flags. Where nothing of ours can follow, it completes names of files.",
		example: "  source <(pimento completion bash)\n  source <(pimento completion zsh)\n  pimento completion fish | source",
		args:    count{1, 1},
		run: func(_ context.Context, args []string) error {
			script, err := a.completion(args[0])
			if err != nil {
				return err
			}
			return a.verbatim(map[string]string{"shell": args[0], "script": script}, func(tool.Paint) string { return script })
		},
	}
}

// completion is the script for a shell.
func (a *app) completion(shell string) (string, error) {
	root := a.root()
	for _, s := range specs() {
		root.add(s.command(a))
	}
	switch shell {
	case "bash":
		return fmt.Sprintf(bashScript, a.completions("", root, bashPage)), nil
	case "zsh":
		return zshStart + fmt.Sprintf(bashScript, a.completions("", root, bashPage)), nil
	case "fish":
		return fmt.Sprintf(fishScript, a.completions("", root, fishPage)), nil
	}
	return "", usageError("use: pimento completion bash|zsh|fish", "no completions for %q", tool.OneLine(shell, 40))
}

// completions are the pages of a command and of those below it: the words up to there,
// those that may follow, the flags, and which of them take a value.
func (a *app) completions(at string, c *command, page string) string {
	var words, flags, takers []string
	below := ""
	for _, s := range c.subs {
		words = append(words, s.word())
		below += a.completions(at+" "+s.word(), s, page)
	}
	all := c.flagSet()
	a.globalFlags().VisitAll(func(f *flag.Flag) { all.Var(f.Value, f.Name, f.Usage) })
	all.VisitAll(func(f *flag.Flag) {
		flags = append(flags, dashed(f.Name))
		if valued(f) {
			takers = append(takers, dashed(f.Name))
		}
	})
	return fmt.Sprintf(page, at, strings.Join(words, " "), strings.Join(flags, " "), strings.Join(takers, " ")) + below
}

const (
	bashPage = "    '%s') words='%s' flags='%s' valued='%s' ;;\n"
	fishPage = "    case '%s'\n      set words %s\n      set flags %s\n      set valued %s\n"
)

// The scripts walk over the words as execute does.
const bashScript = `_pimento_page() {
  at=$1
  case $at in
%s  esac
}
_pimento() {
  local at words flags valued skip='' w i cur=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  _pimento_page ''
  for ((i = 1; i < COMP_CWORD; i++)); do
    w=${COMP_WORDS[i]}
    if [[ $w == '=' ]]; then skip=1
    elif [[ -n $skip ]]; then skip=''
    elif [[ $w == -- ]]; then return
    elif [[ $w == -* ]]; then [[ " $valued " == *" $w "* ]] && skip=1
    elif [[ " $words " == *" $w "* ]]; then _pimento_page "$at $w"
    else words=''
    fi
  done
  [[ -n $skip || $cur == '=' ]] && return
  [[ $cur == -* ]] && words=$flags
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _pimento pimento
`

// zshStart lets zsh read the script for bash.
const zshStart = `autoload -U +X compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
`

const fishScript = `function __pimento_page --no-scope-shadowing
  set at "$argv[1]"
  switch "$at"
%s  end
end
function __pimento
  set -l at
  set -l words
  set -l flags
  set -l valued
  set -l skip
  set -l cur (commandline -ct)
  set -l given (commandline -opc)
  __pimento_page ''
  for w in $given[2..-1]
    if test -n "$skip"
      set skip
    else if test "$w" = --
      __fish_complete_path "$cur"
      return
    else if string match -q -- '-*' "$w"
      contains -- "$w" $valued; and set skip 1
    else if contains -- "$w" $words
      __pimento_page "$at $w"
    else
      set words
    end
  end
  if test -z "$skip"; and string match -q -- '-*' "$cur"
    printf '%%s\n' $flags
  else if test -z "$skip"; and set -q words[1]
    printf '%%s\n' $words
  else
    __fish_complete_path "$cur"
  end
end
complete -c pimento -f -a '(__pimento)'
`
