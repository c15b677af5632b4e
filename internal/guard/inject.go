package guard

import (
	"strings"

	"github.com/pimento-memory/pimento"
)

// injectionRules are phrasings that speak to a model over the head of its user.
// They are short on purpose: each needs a verb of overriding together with what
// is overridden, so that a note which merely mentions prompts does not match.
var injectionRules = []struct {
	name    string
	needles []string // in lower case
	pattern string
}{
	{"ignore-instructions", []string{"ignore", "disregard", "forget", "override"},
		`(?i)\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|every|the|your|my|these|those|of|and)\s+){0,4}(?:previous|prior|above|earlier|preceding|foregoing|system|safety)\s+(?:\w+\s+)?(?:instructions?|prompts?|rules?|messages?|directions?|guidelines?|context)`},
	{"new-role", []string{"you are now", "from now on", "act as", "pretend"},
		`(?i)\byou are now\s+(?:a|an|the|in|acting|called|dan|free|no longer)\b|\bfrom now on,?\s+you\s+(?:are|will|must|shall)\b|\b(?:act as|pretend (?:to be|that you are))\s+(?:a|an|the|if you)\b.{0,40}\b(?:unrestricted|jailbr\w+|developer mode|no (?:rules|limits|restrictions)|root)\b`},
	{"system-prompt", []string{"system prompt", "system message", "initial prompt", "hidden instructions"},
		`(?i)\b(?:reveal|print|show|repeat|output|leak|send|tell)\b.{0,40}\b(?:system prompt|system message|initial prompt|hidden instructions)\b|\b(?:new|updated) system (?:prompt|message)\s*:`},
	{"hide-from-user", []string{"user"},
		`(?i)\b(?:do not|don't|never|without)\s+(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|show(?:ing)?|reveal(?:ing)?|ask(?:ing)?|alert(?:ing)?|notify(?:ing)?)\s+(?:this\s+|it\s+|anything\s+)?(?:to\s+)?the user\b`},
	{"exfiltrate", []string{"http"},
		`(?i)\b(?:send|post|upload|exfiltrate|curl|forward)\b.{0,60}\b(?:credentials?|secrets?|tokens?|api keys?|environment variables|env vars|ssh keys?|\.env|conversation)\b.{0,60}\bhttps?://`},
	{"role-tag", []string{"<system", "</system", "<|", "[inst]", "<assistant", "<human", "system-reminder"},
		`(?i)</?(?:system|assistant|human|user|system-reminder|instructions?)\s*>|<\|(?:im_start|im_end|system|endoftext|start_header_id)\|>|\[/?INST\]`},
	{"role-line", []string{"system:", "assistant:"}, `(?im)^\s{0,3}(?:#+\s*)?(?:system|assistant)\s*:\s*\S`},
	{"foreign-language", []string{"忽略", "无视", "忽视", "無視", "ignorier", "ignore", "ignora"},
		`(?i)(?:忽略|无视|忽视).{0,8}(?:之前|以上|先前|所有|系统).{0,6}(?:指令|提示|规则|说明)|(?:以前|これまで|上記).{0,6}指示.{0,4}無視|ignorier\w*\s+(?:alle\s+)?(?:vorherigen|bisherigen|obigen)\s+(?:anweisungen|regeln)|(?:ignore[zr]?|ignora)\s+(?:toutes?\s+)?(?:les|las|todas las)\s+(?:instructions|instrucciones)\s+(?:précédentes|anteriores)`},
}

var injectionPatterns = patterns(len(injectionRules), func(i int) string { return injectionRules[i].pattern })

// injections finds phrasings that order a model about, one finding a rule.
// Invisible characters that would hide one from a reader's eye are a finding,
// too.
func injections(text string) []Finding {
	var out []Finding
	lower := strings.ToLower(text)
	for i, r := range injectionRules {
		if !containsAny(lower, r.needles) {
			continue
		}
		if m := injectionPatterns()[i]().FindStringIndex(text); m != nil {
			out = append(out, Finding{Injection, r.name, pimento.Span{Start: m[0], End: m[1]}, Warn})
		}
	}
	if i := strings.IndexFunc(text, hidden); i >= 0 {
		out = append(out, Finding{Injection, "hidden-characters", pimento.Span{Start: i, End: len(text)}, Warn})
	}
	return out
}

// hidden tells the characters that carry text nobody sees: tags (U+E0000 block,
// outside of flags they serve for nothing else) and bidirectional overrides.
func hidden(r rune) bool {
	return r >= 0xe0001 && r <= 0xe001f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
