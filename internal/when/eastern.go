package when

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Chinese, Japanese and Korean put behind a time what English says before it (三天前, 5月初,
// 3月から), and write no space between a word and the next, or its ending. So a time of
// theirs is read as a whole, and put into English words.

// East reads a time of Chinese, Japanese or Korean that begins at s[i]: it in English, and
// where it ends; "" for none.
func East(s string, i int) (english string, end int) {
	if s[i] < utf8.RuneSelf && !beforeSign(s[i:]) {
		return "", i
	}
	prev, _ := utf8.DecodeLastRuneInString(s[:i])
	e := east{s: s, i: i}
	if first, _ := utf8.DecodeRuneInString(s[i:]); !strings.ContainsRune(eastFirst, first) && first >= utf8.RuneSelf ||
		unicode.Is(unicode.Hangul, first) && unicode.Is(unicode.Hangul, prev) || innerBefore(prev, first) {
		return "", i
	}
	english = e.span()
	return english, e.i
}

// EastUnit reads a unit of days, weeks, months or years of these languages at the beginning
// of s: it in English, and its length; "" for none.
func EastUnit(s string) (english string, size int) {
	e := east{s: s}
	english = e.word(eastUnits)
	return english, e.i
}

// beforeSign says whether what follows the number at the beginning of s is no letter of ours.
func beforeSign(s string) bool {
	s = strings.TrimPrefix(strings.TrimLeft(s, "0123456789"), " ")
	return s != "" && s[0] >= 0xE2
}

type east struct {
	s string
	i int
}

// longestWord is how many characters a word of a table has at most.
const longestWord = 5

// word is the English of the longest word of a table that stands here, which it passes by.
func (e *east) word(table string) (english string) {
	var ends [longestWord]int
	n := 0
	for at := e.i; n < longestWord && at < len(e.s) && (e.s[at] >= utf8.RuneSelf || e.s[at] == ' ' || e.s[at] == '~' || e.s[at] == '-'); n++ {
		_, size := utf8.DecodeRuneInString(e.s[at:])
		at += size
		ends[n] = at
	}
	if n > 0 && !strings.Contains(table, e.s[e.i:ends[0]]) {
		return ""
	}
	for n > 0 {
		n--
		if english = LookUp(table, strings.ReplaceAll(e.s[e.i:ends[n]], " ", "_")); english != "" {
			e.i = ends[n]
			return english
		}
	}
	return ""
}

// skip passes by what may stand between two words of a time.
func (e *east) skip() {
	for _, small := range []string{" ", "的", "の"} {
		if strings.HasPrefix(e.s[e.i:], small) {
			e.i += len(small)
			return
		}
	}
}

// number passes by a number of days, months or years, 0 for none: 3, 三, 二十三, 두.
func (e *east) number() (n int) {
	start := e.i
	for e.i < len(e.s) && e.s[e.i] >= '0' && e.s[e.i] <= '9' && e.i-start < 5 {
		n = 10*n + int(e.s[e.i]-'0')
		e.i++
	}
	if e.i > start {
		return n
	}
	for tens := 0; ; {
		r, size := utf8.DecodeRuneInString(e.s[e.i:])
		switch d := hanNumber(r); {
		case d == 10 && tens == 0:
			n, tens = 10*max(n, 1), 1
		case d > 0 && d < 10 && n%10 == 0 && (n == 0 || tens == 1):
			n += d
		default:
			if n == 0 {
				n = number(e.word(eastNumbers))
			}
			return max(n, 0)
		}
		e.i += size
	}
}

// try is what reading gives, or nothing was read.
func (e *east) try(read func() string) string {
	start := e.i
	english := read()
	if english == "" {
		e.i = start
	}
	return english
}

// span reads a time and what is said of it: 去年三月初, 3月から5月まで, 5月以前.
func (e *east) span() string {
	from := e.point()
	if from == "" || strings.HasSuffix(from, "ago") || strings.HasPrefix(from, "last ") && strings.HasSuffix(from, "s") {
		return from
	}
	if to := e.try(func() string {
		e.skip()
		if e.word(eastTo) == "" {
			return ""
		}
		e.skip()
		if to := e.point(); to != "" {
			return to
		}
		if n := e.number(); n > 0 && n <= 31 && e.word(eastDay) != "" {
			if month, day, ok := strings.Cut(from, " "); ok && Month(month) != 0 {
				_, year, _ := strings.Cut(day, " ")
				return fmt.Sprint(month, " ", n, " ", year)
			}
		}
		return ""
	}); to != "" {
		e.word(eastUntil)
		return "from " + from + " to " + to
	}
	if side := e.try(func() string {
		e.skip()
		side := e.word(eastSide)
		if next, _ := utf8.DecodeRuneInString(e.s[e.i:]); strings.ContainsRune("端台面缀", next) && next != utf8.RuneError {
			return ""
		}
		return side
	}); side != "" {
		return side + " " + from
	}
	return from
}

// point reads a time that no side is said of.
func (e *east) point() string {
	t := e.try(e.date)
	if t == "" {
		t = e.try(e.relative)
	}
	if t == "" {
		return e.try(e.ago)
	}
	if part := e.try(func() string { e.skip(); return e.word(eastPart) }); part != "" {
		return part + " of " + t
	}
	return t
}

// date reads 2026年3月5日, 3月, 去年三月, 去年夏天, 2025年.
func (e *east) date() string {
	year := e.try(func() string {
		if y := e.word(eastYear); y != "" {
			return y
		}
		if n := e.number(); n >= 1900 && n < 2200 && e.word("year: 年 년\n") != "" {
			return fmt.Sprint(n)
		}
		return ""
	})
	inYear := e.try(func() string {
		e.skip()
		if s := e.word(eastSeason); s != "" && year != "" {
			return s
		}
		n := e.number()
		if n < 1 || n > 12 || e.word(eastMonth) == "" {
			return ""
		}
		month := strings.ToLower(time.Month(n).String())
		if day := e.try(func() string {
			e.skip()
			if d := e.number(); d > 0 && d <= 31 && e.word(eastDay) != "" {
				return fmt.Sprint(d)
			}
			return ""
		}); day != "" {
			return month + " " + day
		}
		return month
	})
	switch {
	case inYear == "" && strings.HasPrefix(year, "2") || inYear == "" && strings.HasPrefix(year, "1"):
		return "in " + year
	case inYear == "":
		return year
	case year == "year before last":
		return year + " " + inYear
	case year == "" && !strings.Contains(inYear, " "):
		return "in " + inYear
	}
	return strings.TrimSpace(inYear + " " + year)
}

// relative reads 昨天, 上周, 上周五, 最近三天, 周五, 지난 금요일.
func (e *east) relative() string {
	t := e.word(eastWords)
	next, _ := utf8.DecodeRuneInString(e.s[e.i:])
	switch t {
	case "":
		return ""
	case "last": // 3天, 금요일
		e.skip()
		if n := e.number(); n > 0 && n < 100 {
			e.skip()
			if unit := e.word(eastUnits); unit != "" {
				e.word("in: 内 以来 来 間 동안 간\n")
				return fmt.Sprint("last ", n, " ", unit)
			}
			return ""
		}
		if of := e.word(eastSeason); of != "" {
			return "last " + of
		}
		if d := e.word(eastWeekday); d != "" {
			return "last " + d
		}
		return ""
	case "last week", "this week":
		if strings.ContainsRune("期边邊转轉围圍年", next) && next != utf8.RuneError {
			return "" // 周期, 周边
		}
		if d := e.try(func() string {
			e.skip()
			if d := e.word(eastWeekday); d != "" {
				return d
			}
			return e.word(eastWeekdayShort)
		}); d != "" {
			return t + " " + d
		}
	}
	if d := strings.TrimPrefix(t, "on "); d != t { // a weekday
		return t
	}
	return t
}

// ago reads 三天前, 两周前, 2個月以前, 3日前, 두 달 전.
func (e *east) ago() string {
	if t := e.word(eastAgo); t != "" {
		return t
	}
	n := e.number()
	if n < 1 || n > 99 {
		return ""
	}
	e.skip()
	unit := e.word(eastUnits)
	e.skip()
	if unit == "" || e.word("ago: 前 以前 之前 전 まえ\n") == "" {
		return ""
	}
	if next, _ := utf8.DecodeRuneInString(e.s[e.i:]); strings.ContainsRune("端台面缀", next) && next != utf8.RuneError {
		return ""
	}
	return fmt.Sprint(n, " ", unit, " ago")
}

// innerBefore says whether a character with which a time may begin goes on with a word
// after another one: 当前, 版本, 以上, 过去.
func innerBefore(prev, first rune) bool {
	inner := ""
	switch first {
	case '前':
		inner = "当當目以之提年天周月日个個"
	case '本':
		inner = "基版样樣脚腳成文课根剧資资账副标書书原笔日样"
	case '上':
		inner = "以线線网網马馬晚早路身加之"
	case '去':
		inner = "过過失"
	case '周', '星', '礼', '週':
		inner = "每毎下一二两三四五六七八九十几幾半0123456789"
	case '近':
		inner = "附接最"
	case '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '两':
		inner = "一二三四五六七八九十第每周0123456789."
	case '月', '火', '水', '木', '金', '土', '日':
		inner = "毎每週周"
	}
	if first >= '0' && first <= '9' {
		inner = "一二三四五六七八九十第.-/:"
	}
	return prev != utf8.RuneError && strings.ContainsRune(inner, prev)
}

// The words of these times, each after what it is in English; "_" is a blank.
const (
	eastFirst = "今昨前上这這本去周星礼週先一二三四五六七八九十两月火水木金土日最过過近ここのき오어그엊지이저작올재금월화수목토일한두세네다여아열하사나최"

	eastWords = `today: 今天 今日 今早 今晚 今朝 本日 오늘 금일
yesterday: 昨天 昨日 昨晚 昨夜 きのう 어제
day before yesterday: 前天 一昨日 おととい 그저께 그제 엊그제
last week: 上周 上星期 上个星期 上個星期 上週 上礼拜 上个礼拜 先週 前週 지난주 지난_주 저번주 저번_주
week before last: 上上周 上上个星期 上上週 先々週 지지난주 지지난_주
this week: 本周 这周 这星期 这个星期 本週 這週 今週 이번주 이번_주 금주
last month: 上月 上个月 上個月 先月 지난달 지난_달 저번달 저번_달
month before last: 上上个月 先々月 지지난달
this month: 本月 这月 这个月 這個月 今月 이번달 이번_달
last weekend: 上周末 上週末 上个周末 先週末 지난주말 지난_주말
this weekend: 这周末 本周末 今週末 이번_주말
last quarter: 上季度 上个季度 지난_분기
this quarter: 本季度 这个季度 이번_분기
last: 最近 最近的 过去 過去 近 この ここ 지난 최근
on monday: 周一 星期一 礼拜一 週一 月曜 月曜日 월요일
on tuesday: 周二 星期二 礼拜二 週二 火曜 火曜日 화요일
on wednesday: 周三 星期三 礼拜三 週三 水曜 水曜日 수요일
on thursday: 周四 星期四 礼拜四 週四 木曜 木曜日 목요일
on friday: 周五 星期五 礼拜五 週五 金曜 金曜日 금요일
on saturday: 周六 星期六 礼拜六 週六 土曜 土曜日 토요일
on sunday: 周日 周天 星期日 星期天 礼拜天 週日 日曜 日曜日 일요일
`

	eastWeekday = `monday: 周一 月曜 月曜日 월요일
tuesday: 周二 火曜 火曜日 화요일
wednesday: 周三 水曜 水曜日 수요일
thursday: 周四 木曜 木曜日 목요일
friday: 周五 金曜 金曜日 금요일
saturday: 周六 土曜 土曜日 토요일
sunday: 周日 周天 日曜 日曜日 일요일
`

	eastWeekdayShort = `monday: 一
tuesday: 二
wednesday: 三
thursday: 四
friday: 五
saturday: 六
sunday: 日 天
`

	eastYear = `last year: 去年 昨年 작년 지난해
year before last: 前年 一昨年 재작년
this year: 今年 本年 올해 금년
`

	eastSeason = `spring: 春天 春季 春 봄
summer: 夏天 夏季 夏 여름
autumn: 秋天 秋季 秋 가을
winter: 冬天 冬季 冬 겨울
`

	eastUnits = `days: 天 日 日間 일 일간
weeks: 周 个星期 個星期 星期 个礼拜 週間 週 주 주일 주간
months: 个月 個月 か月 ヶ月 カ月 ヵ月 箇月 か月間 달 개월
years: 年 年間 년 해
`

	eastMonth = "month: 月 月份 월\n"
	eastDay   = "day: 日 号 號 일\n"

	eastNumbers = `one: 한 하나
two: 두
three: 세
four: 네
five: 다섯
six: 여섯
seven: 일곱
eight: 여덟
nine: 아홉
ten: 열
`

	eastAgo = `1 day ago: 하루_전
2 days ago: 이틀_전
3 days ago: 사흘_전
4 days ago: 나흘_전
1 week ago: 일주일_전
`

	eastPart = `beginning: 初 年初 月初 上旬 初め はじめ 초
middle: 中旬 中 半ば 중순
end: 底 末 年底 月底 年末 月末 下旬 말
`

	eastTo    = "to: 到 至 から 부터 ~ ～ - 〜\n"
	eastUntil = "until: まで 까지\n"
	eastSide  = `since: 以来 以來 から 以降 起 부터 이후
after: 以后 之后 以後 后 後
before: 以前 之前 前 より前 이전 전
until: まで 为止 까지
`
)
