package upkeep

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pimento-memory/pimento/internal/text"
	"github.com/pimento-memory/pimento/internal/when"
)

// The small words of statements in Chinese, Japanese and Korean, see foreignwords.go. "=" is
// a word that holds another one of these by chance, "的" one that makes a name of what
// stands before it.
const easternWords = `
is: 是 为 為 です だ である でございます 이다 입니다 이에요 한다 합니다
held: 在 定于 定在 安排在
moved: 改到 改为 改為 改成 改在 改至 移到 移至 推迟到 推迟至 提前到 提前至 延期到 延期至 延长到 延长至 调整为 调整到 调到 变更为 变为 换到 提高到 增加到 降到 降低到 升到 変更 移動 延期 変わり 移り なり 변경 연기 이동 바뀌 옮겨
now: 现在 目前 如今 現在 今は 이제 지금
scheduled: 预定 计划 予定 예정
every: 每 毎週 毎月 毎日 毎 매주 매월 매일
from: 从 自 から 부터
until: 到 至 まで 까지
use: 使用 采用 用 使う 使い 使って 사용 쓴다
prefer: 优先 偏好 首选 喜欢 好む 優先 선호
never: 不要 禁止 从不 不用 别用 不再 不使用 使わない 使用しない 使用禁止 쓰지
not: 不 别 ない しない 않는다 않습니다 마세요 아니다
no: 没有 없다
may: 可以 可能 できる 할_수_있다
port: 端口 ポート 포트
listens: 监听 待受 리슨
seconds: 秒 秒钟 秒間 초
minutes: 分钟 分鐘 分 分間 분
hours: 小时 小時 時間 시간
times: 次 回 번
oclock: 点 點 時 시
am: 上午 早上 午前 오전
pm: 下午 晚上 午後 오후
~was: 了 ました した った
~: 都 就 也 は が を に で へ 会 於 于 整 进行 举行 行われます します する 에 로 으로 에서 됨 되었다 되었습니다
的: 的 の 의
=: 用户 应用 费用 作用 通用 使用者 因为 成为 认为 对于 由于 关于 存在 了解 不同 不过 到期 自动
`

// owned is behind what makes a name of a thing: Monday's.
const owned = "的的"

// longestEastern is how many characters a word of the table has at most.
const longestEastern = 6

// fromEast reads a statement that holds Chinese, Japanese or Korean as words with blanks
// between, those of the table and of time in English.
func fromEast(s string) []token {
	var fields []string
	content := 0 // where a word that is not known began
	at := 0
	cut := func() {
		if name := s[content:at]; name != "" {
			fields = append(fields, easternName(name))
		}
	}
	add := func(words string, to int) {
		cut()
		fields = append(fields, strings.Fields(words)...)
		at, content = to, to
	}
	every := false
	for at < len(s) && len(fields) < maxTokens {
		if english, to := easternTime(s, at, every); english != "" {
			add(english, to)
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		english, n := easternWord(s[at:])
		every = english == "every" || every && r == ' '
		switch {
		case unicode.IsSpace(r):
			add("", at+size)
		case strings.ContainsRune("。！？；，、：,;!?", r) && r != ',' || r == ',' && at+size < len(s) && s[at+size] == ' ':
			add("", at+size)
			if len(fields) > 0 {
				fields[len(fields)-1] += map[bool]string{true: "?", false: "."}[r == '？' || r == '?']
			}
		case r < utf8.RuneSelf || !text.Unspaced(r) && !unicode.Is(unicode.Hangul, r): // a word of letters
			to := strings.IndexFunc(s[at+size:], func(r rune) bool { return unicode.IsSpace(r) || r >= 0x2E80 })
			if to < 0 {
				to = len(s) - at - size
			}
			add(s[at:at+size+to], at+size+to)
		case english == "=":
			at += n
		case counting(english) && !follows(s[:at], unicode.IsDigit), english == silent && r >= 0xAC00 && !follows(s[:at], unicode.IsLetter): // 分支, 로그
			at += size
		case english != "":
			switch {
			case english != "的":
			case len(fields) == 0 || content < at: // of what has a name
				english = silent
			default:
				english = owned
			}
			add(english, at+n)
		default:
			at += size
		}
	}
	cut()
	var out []token
	for i, f := range fields {
		if half := f == "am" || f == "pm"; half && i+1 < len(fields) {
			fields[i], fields[i+1] = fields[i+1], f // English says it behind the time
			f = fields[i]
		}
		t := tokenOf(f, i == 0)
		switch {
		case strings.HasPrefix(f, silent):
			t.stem, t.stop = f, true
		case t.raw == "":
			continue
		}
		if t.other = easternOnly(t.raw); koreanPast(t.raw) {
			t.raw = been
		}
		if when.Month(t.raw) != 0 {
			t.name = true
		}
		out = append(out, t)
	}
	return out
}

// counting says whether a word is a unit, behind a number alone.
func counting(english string) bool {
	return english == "oclock" || english == "times" || english == "seconds" || english == "minutes" || english == "hours"
}

// follows says whether what ends here ends with such a sign, or with one and a blank where
// a number is.
func follows(s string, is func(rune) bool) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	if r == ' ' {
		r, _ = utf8.DecodeLastRuneInString(s[:len(s)-1])
		return unicode.IsDigit(r)
	}
	return is(r) || unicode.IsDigit(r)
}

// eastern says whether a text holds signs of these languages.
func eastern(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x2E80 && (text.Unspaced(r) || unicode.Is(unicode.Hangul, r)) })
}

// koreanPast says whether a word ends as verbs of the past do: 걸렸다, 했습니다.
func koreanPast(w string) bool {
	stem := strings.TrimSuffix(strings.TrimSuffix(w, "다"), "습니")
	if stem == w {
		return false
	}
	const finals, ss = 28, 20 // a syllable's last consonants, and which of them ㅆ is
	r, _ := utf8.DecodeLastRuneInString(stem)
	return unicode.Is(unicode.Hangul, r) && r >= 0xAC00 && (r-0xAC00)%finals == ss
}

func easternOnly(w string) bool { return w != "" && w[0] >= utf8.RuneSelf }

// easternTime is a day or month at a place of s, in English. Behind each week's its
// beginning is no middle of a word.
func easternTime(s string, at int, every bool) (english string, end int) {
	if every {
		english, end = when.East(s[at:], 0)
		english, end = strings.TrimPrefix(english, "on "), at+end
	} else {
		english, end = when.East(s, at)
	}
	for w := range strings.FieldsSeq(english) {
		if _, ok := when.Weekday(w); ok || when.Month(w) != 0 {
			return english, end
		}
	}
	if s[at] < '0' || s[at] > '9' {
		return "", at
	}
	n := len(s[at:]) - len(strings.TrimLeft(s[at:], "0123456789.:"))
	number, rest := s[at:at+n], s[at+n:]
	blanks := len(rest) - len(strings.TrimLeft(rest, " "))
	for _, day := range []string{"号", "號", "日", "일"} {
		if strings.HasPrefix(rest, day) && !strings.HasPrefix(rest, "日間") && !strings.HasPrefix(rest, "일간") && isNumber(number, 2) {
			return "on " + number + "th", at + n + len(day)
		}
	}
	if unit, size := when.EastUnit(rest[blanks:]); unit != "" {
		return number + " " + unit, at + n + blanks + size
	}
	hour, size := easternWord(rest)
	if hour != "oclock" || !isNumber(number, 2) {
		return "", at
	}
	end = at + n + size
	rest = strings.TrimLeft(s[end:], " ")
	switch minute := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]; {
	case strings.HasPrefix(rest, "半") || strings.HasPrefix(rest, "반"):
		return number + ":30", len(s) - len(rest) + len("半")
	case isNumber(minute, 2):
		if unit, size := easternWord(rest[len(minute):]); unit == "minutes" {
			return number + ":" + minute, len(s) - len(rest) + len(minute) + size
		}
	}
	return number + ":00", end
}

// easternWord is the longest word of the table at the beginning of s in English, and its
// length.
func easternWord(s string) (english string, size int) {
	for n, end := 0, 0; n < longestEastern && end < len(s); n++ {
		_, r := utf8.DecodeRuneInString(s[end:])
		end += r
		if e := when.LookUp(easternWords, strings.ReplaceAll(s[:end], " ", "_")); e != "" {
			english, size = e, end
		}
	}
	return english, size
}

// easternName is a word of Korean without the particle behind it, or any other.
func easternName(w string) string {
	for _, p := range []string{"은", "는", "이", "가", "을", "를"} {
		if s, ok := strings.CutSuffix(w, p); ok && utf8.RuneCountInString(s) > 1 {
			return s
		}
	}
	return w
}
