package guard

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pimento-memory/pimento"
)

// A rule recognises one kind of secret. The secret is the pattern's first group,
// or the whole match when it has none.
type rule struct {
	name    string
	needles []string // one of them must stand in the text, in lower case when fold is set
	fold    bool
	pattern string
	// accept is asked, when set, whether the matched secret is a real one.
	accept func(secret string) bool
}

// secretRules lists issuers' shapes first and the generic rules last: where two
// match the same bytes, the earlier one names the finding. The shapes are those
// that the issuers document for their tokens (prefix, alphabet, length), with
// lengths taken as minimums because issuers lengthen tokens over time.
var secretRules = []rule{
	{name: "private-key", needles: []string{"PRIVATE KEY"},
		pattern: `-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-[^-])*(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)?`,
		accept:  func(s string) bool { return len(s) > 80 }},
	{name: "putty-key", needles: []string{"Private-Lines:"}, pattern: `Private-Lines: \d+\s+[A-Za-z0-9+/=\s]{40,}`},
	{name: "age-secret-key", needles: []string{"AGE-SECRET-KEY-1"}, pattern: `\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b`},
	{name: "aws-access-key", needles: []string{"AKIA", "ASIA"}, pattern: `\b((?:AKIA|ASIA)[A-Z2-7]{16})\b`, accept: real},
	{name: "aws-secret-key", needles: []string{"aws"}, fold: true,
		pattern: `(?i)aws.{0,20}?(?:secret|key).{0,20}?["'\s:=]+([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`, accept: random},
	{name: "github-token", needles: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
		pattern: `\b(gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})`, accept: real},
	{name: "gitlab-token", needles: []string{"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-"},
		pattern: `\b(gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_\-]{20,})`, accept: real},
	{name: "slack-token", needles: []string{"xox", "xapp-"},
		pattern: `\b(xox[abeoprs]-[A-Za-z0-9-]{20,}|xapp-\d-[A-Za-z0-9-]{20,})`, accept: real},
	{name: "slack-webhook", needles: []string{"hooks.slack.com/"},
		pattern: `https://hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/+]{30,}`, accept: real},
	{name: "discord-webhook", needles: []string{"/api/webhooks/"}, pattern: `https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{17,20}/([A-Za-z0-9_\-]{60,})`, accept: real},
	{name: "discord-token", needles: []string{"discord"}, fold: true, pattern: `\b([MNO][A-Za-z0-9_\-]{23,27}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,})`, accept: real},
	{name: "stripe-key", needles: []string{"_live_", "_test_", "whsec_"},
		pattern: `\b((?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})`, accept: real},
	{name: "anthropic-key", needles: []string{"sk-ant-"}, pattern: `\b(sk-ant-[A-Za-z0-9]+-[A-Za-z0-9_\-]{20,})`, accept: real},
	{name: "openai-key", needles: []string{"sk-"},
		pattern: `\b(sk-(?:proj|svcacct|admin|None|or-v1)-[A-Za-z0-9_\-]{20,}|sk-[A-Za-z0-9]{32,})`, accept: real},
	{name: "google-api-key", needles: []string{"AIza"}, pattern: `\b(AIza[A-Za-z0-9_\-]{35})`, accept: real},
	{name: "google-oauth-secret", needles: []string{"GOCSPX-"}, pattern: `\b(GOCSPX-[A-Za-z0-9_\-]{28})`, accept: real},
	{name: "google-oauth-token", needles: []string{"ya29."}, pattern: `\b(ya29\.[A-Za-z0-9_\-]{60,})`, accept: real},
	{name: "npm-token", needles: []string{"npm_", "_authToken="}, pattern: `\b(npm_[A-Za-z0-9]{36})\b|_authToken=([A-Za-z0-9_\-]{20,})`, accept: real},
	{name: "pypi-token", needles: []string{"pypi-"}, pattern: `\b(pypi-[A-Za-z0-9_\-]{50,})`, accept: real},
	{name: "huggingface-token", needles: []string{"hf_"}, pattern: `\b(hf_[A-Za-z0-9]{30,})\b`, accept: real},
	{name: "sendgrid-key", needles: []string{"SG."}, pattern: `\b(SG\.[A-Za-z0-9_\-]{20,24}\.[A-Za-z0-9_\-]{40,50})`, accept: real},
	{name: "digitalocean-token", needles: []string{"do"}, pattern: `\b(do[oprt]_v1_[a-f0-9]{64})\b`, accept: real},
	{name: "telegram-bot-token", needles: []string{":AA"}, pattern: `\b(\d{8,10}:AA[A-Za-z0-9_\-]{33})`, accept: real},
	{name: "azure-storage-key", needles: []string{"AccountKey="}, pattern: `AccountKey=([A-Za-z0-9+/]{86}==)`, accept: real},
	{name: "azure-client-secret", needles: []string{"Q~"}, pattern: `(?:^|[^A-Za-z0-9_~.\-])([A-Za-z0-9_~.\-]{3}\dQ~[A-Za-z0-9_~.\-]{31,34})`, accept: real},
	{name: "azure-signature", needles: []string{"sig="}, pattern: `[?&]sig=([A-Za-z0-9%+/]{43,}(?:=|%3D))`, accept: real},
	{name: "terraform-token", needles: []string{".atlasv1."}, pattern: `\b([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-]{60,})`, accept: real},
	{name: "service-token", needles: []string{"gsk_", "xai-", "r8_", "pplx-", "tvly-", "lsv2_", "sbp_", "dckr_pat_", "dckr_oat_", "hvs.", "hvb.", "sntrys_", "sntryu_", "lin_api_", "ntn_", "figd_", "shpat_",
		"shpss_", "PMAK-", "sq0atp-", "sq0csp-", "dp.pt.", "dp.st.", "pul-", "pscale_", "glsa_", "glc_", "NRAK-", "CCIPAT_", "bkua_", "rubygems_", "HRKU-", "FlyV1 fm2_", "ATATT3"},
		pattern: `\b((?:gsk_|xai-|r8_|pplx-|tvly-|lsv2_|sbp_|dckr_pat_|dckr_oat_|hvs\.|hvb\.|sntrys_|sntryu_|lin_api_|ntn_|figd_|shpat_|` +
			`shpss_|PMAK-|sq0atp-|sq0csp-|dp\.pt\.|dp\.st\.|pul-|pscale_|glsa_|glc_|NRAK-|CCIPAT_|bkua_|rubygems_|HRKU-|FlyV1 fm2_|ATATT3)[A-Za-z0-9_\-=+/]{20,})`, accept: random},
	{name: "jwt", needles: []string{"eyJ"},
		pattern: `\b(eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{16,})`},
	{name: "url-password", needles: []string{"://"},
		pattern: `\b[a-zA-Z][a-zA-Z0-9+.\-]{1,20}://[^\s:/@"'<>]{0,64}:([^\s/@"'<>]{3,128})@[A-Za-z0-9\[]`, accept: password},
	{name: "url-token", needles: []string{":x-oauth-basic@"}, pattern: `://([A-Za-z0-9_\-]{20,}):x-oauth-basic@`, accept: real},
	{name: "netrc-password", needles: []string{"machine"}, pattern: `\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S{4,100})`, accept: password},
	{name: "curl-password", needles: []string{"curl"}, pattern: `\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,64}:([^\s"']{3,100})`, accept: password},
	{name: "dsn-password", needles: []string{"pwd=", "password="}, fold: true,
		pattern: `(?i)(?:server|host|data source|user id|uid|user)\s?=[^;\s]+[;\s].{0,120}?(?:password|pwd)\s?=\s?([^;\s"']{6,})`, accept: password},
	{name: "authorization-header", needles: []string{"authorization", "bearer "}, fold: true,
		pattern: `(?i)\b(?:bearer|basic|token)\s+([A-Za-z0-9_\-.+/=]{20,})`, accept: random},
	{name: "secret-assignment",
		needles: []string{"secret", "token", "passw", "pwd", "api", "private", "credential", "key"}, fold: true,
		pattern: `(?i)(?:secret|token|passw(?:or)?d|passphrase|pwd|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|credentials?|encryption[_-]?key)` +
			`[A-Za-z0-9_\-]{0,20}["'` + "`" + `*]{0,3}\s{0,3}(?:=>|:=|=|:)\s{0,3}["'` + "`" + `]?([^\s"'` + "`" + `,;<>(){}]{8,200})`,
		accept: random},
	{name: "password-in-words", needles: []string{"passw", "passphrase"}, fold: true,
		pattern: `(?i)\b(?:password|passphrase|passwd)\b[^.\n]{0,40}?\bis:?\s+["'` + "`" + `]?([^\s"'` + "`" + `,;]{8,100})`, accept: password},
	{name: "password-in-words", needles: []string{"passwort", "kennwort", "contraseña", "mot de passe", "senha", "wachtwoord", "hasło", "lösenord", "пароль", "密码", "密碼", "パスワード"}, fold: true,
		pattern: `(?i)(?:passwort|kennwort|contraseña|mot de passe|senha|wachtwoord|hasło|lösenord|пароль|密码|密碼|パスワード)[^.\n]{0,40}?` +
			`(?::|：|是|为|は|\s(?:ist|lautet|es|est|é|jest|is|är))\s{0,3}["'` + "`" + `]?([!-~]{8,100})`, accept: random},
}

var secretPatterns = patterns(len(secretRules), func(i int) string { return secretRules[i].pattern })

// patterns are those of n rules, each compiled at its first use.
func patterns(n int, pattern func(rule int) string) func() []func() *regexp.Regexp {
	return sync.OnceValue(func() []func() *regexp.Regexp {
		out := make([]func() *regexp.Regexp, n)
		for i := range out {
			out[i] = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern(i)) })
		}
		return out
	})
}

func secrets(text string) []Finding {
	var out []Finding
	lower := strings.ToLower(text)
	for i, r := range secretRules {
		in := text
		if r.fold {
			in = lower
		}
		if !containsAny(in, r.needles) {
			continue
		}
		for _, m := range secretPatterns()[i]().FindAllStringSubmatchIndex(text, -1) {
			span := pimento.Span{Start: m[0], End: m[1]}
			for g := 2; g < len(m); g += 2 { // the first group that matched
				if m[g] >= 0 {
					span = pimento.Span{Start: m[g], End: m[g+1]}
					break
				}
			}
			if (r.accept == nil || r.accept(text[span.Start:span.End])) && !overlaps(out, span) {
				out = append(out, Finding{Secret, r.name, span, Stop})
			}
		}
	}
	return out
}

func containsAny(s string, needles []string) bool {
	return slices.ContainsFunc(needles, func(n string) bool { return strings.Contains(s, n) })
}

func overlaps(found []Finding, s pimento.Span) bool {
	for _, f := range found {
		if s.Start < f.Span.End && f.Span.Start < s.End {
			return true
		}
	}
	return false
}

// real says no to what documentation shows instead of a key.
func real(s string) bool { return !placeholder(s) }

// placeholder reports whether s stands for a secret instead of being one.
func placeholder(s string) bool {
	l := strings.ToLower(s)
	for _, w := range [...]string{
		"example", "placeholder", "changeme", "change-me", "change_me", "your-", "your_", "yourp", "redacted", "dummy",
		"xxxx", "****", "....", "••••", "<", "${", "$(", "{{", "%(", "process.env", "os.getenv", "os.environ", "env.",
		"vault:", "secretref", "abcdefgh", "0123456789", "1234567890", "insert", "todo", "fixme", "lorem", "foobar", "hunter2",
	} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return distinct(l) <= 4
}

// distinct counts the different bytes of s.
func distinct(s string) int {
	var seen [256]bool
	n := 0
	for i := range len(s) {
		if !seen[s[i]] {
			seen[s[i]] = true
			n++
		}
	}
	return n
}

// password says yes to what may well be a password in a place where only a
// password can stand.
func password(s string) bool {
	if placeholder(s) || strings.HasPrefix(s, "$") || strings.HasPrefix(s, "%") || strings.HasPrefix(s, "[") {
		return false
	}
	switch strings.ToLower(strings.TrimRight(s, ".!?:")) {
	case "pass", "passwd", "password", "pwd", "secret", "token", "user", "postgres", "root", "admin", "test", "guest", "db", "dev", "local",
		"required", "rotated", "stored", "optional", "missing", "hashed", "encrypted", "checked", "generated", "compared", "validated",
		"unset", "disabled", "enabled", "different", "incorrect", "correct", "invalid", "expired", "supplied", "provided", "prompted":
		return false
	}
	// A word is not a password where prose may stand; one with a digit or a sign is.
	return strings.ContainsFunc(s, func(r rune) bool { return r >= '0' && r <= '9' || strings.ContainsRune("!@#$%^&*+=?~_", r) }) ||
		len(s) >= 12 && !plainWord(s)
}

func plainWord(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' && r != '.' })
}

// random says yes to a value that was drawn, not written: no placeholder, path,
// name or plain digest, and of an entropy that words do not reach.
func random(s string) bool {
	s = strings.Trim(s, ".,:")
	if len(s) < 8 || placeholder(s) || namelike(s) || digestOrUUID(s) {
		return false
	}
	letters, digits, lower, upper := classes(s)
	if len(s) < 16 { // short: it must mix, as a chosen password does
		return letters && digits && entropy(s) >= 2.75 && (lower && upper || strings.ContainsAny(s, "!@#$%^&*+?~"))
	}
	return letters && digits && entropy(s) >= 3.2
}

func classes(s string) (letters, digits, lower, upper bool) {
	for _, r := range s {
		lower = lower || r >= 'a' && r <= 'z'
		upper = upper || r >= 'A' && r <= 'Z'
		digits = digits || r >= '0' && r <= '9'
	}
	return lower || upper, digits, lower, upper
}

// namelike reports whether s reads like a path, a URL, a variable, a call, an
// image name or a version: parts of words and small numbers between separators.
func namelike(s string) bool {
	if strings.HasPrefix(s, "$") || strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "~/") ||
		strings.Contains(s, "://") || strings.HasPrefix(s, "sha256-") || strings.HasPrefix(s, "sha512-") || strings.HasPrefix(s, "arn:") {
		return true
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("/_-.:@#=+[]", r) }) {
		if !word(part) {
			return false
		}
	}
	return true
}

// word reports whether the part is letters only, digits only of at most 8, or a
// word with up to 3 digits at its end (v1, s3, node22), with at most one inner
// change from lower to upper case for every four letters (camelCase).
func word(part string) bool {
	letters := strings.TrimRight(part, "0123456789")
	digits := len(part) - len(letters)
	if letters == "" {
		return digits <= 8
	}
	humps := 0
	for i := range len(letters) {
		c := letters[i]
		switch {
		case c >= '0' && c <= '9':
			return false
		case i > 0 && c >= 'A' && c <= 'Z' && (letters[i-1] < 'A' || letters[i-1] > 'Z'):
			humps++
		}
	}
	return digits <= 3 && humps*4 <= len(letters)
}

// digestOrUUID reports whether s is hex of a digest's or uuid's length, which
// documents, lock files and logs are full of.
func digestOrUUID(s string) bool {
	hex := strings.ReplaceAll(s, "-", "")
	if strings.ContainsFunc(hex, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'f') && (r < 'A' || r > 'F')
	}) {
		return false
	}
	switch len(hex) {
	case 32:
		return strings.Count(s, "-") == 4
	case 40:
		return true
	}
	return len(hex) <= 12
}

// entropy is the Shannon entropy of s in bits per byte.
func entropy(s string) float64 {
	var n [256]int
	for i := range len(s) {
		n[s[i]]++
	}
	h := 0.0
	for _, c := range n {
		if c > 0 {
			p := float64(c) / float64(len(s))
			h -= p * math.Log2(p)
		}
	}
	return h
}
