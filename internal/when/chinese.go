package when

import "time"

// chineseCalendar reads 3月, 三月, 3月5日, 2025年3月5日, 去年三月, 前年三月, 2025年.
func (r *reader) chineseCalendar() (Span, bool) {
	t, year := r.word(0), 0
	named := r.word(2).n >= 1 && r.word(2).n <= 12 && r.word(3).s == "月" // not 几月
	if t.n >= 1900 && t.n < 2200 && r.word(1).s == "年" {
		if !named {
			return r.year(t.n), true
		}
		year = t.n
		r.i += 2
	} else if y, ok := r.chineseYear(); ok && named {
		year = y
		r.i += 2
	}
	t = r.word(0)
	if t.n < 1 || t.n > 12 || r.word(1).s != "月" {
		return Span{}, false
	}
	m := time.Month(t.n)
	if year == 0 {
		year = r.recentMonth(m).From.Year()
	}
	if d := r.word(2); d.n >= 1 && d.n <= 31 && (r.word(3).s == "日" || r.word(3).s == "号") {
		return days(r.day(year, m, d.n), 1), true
	}
	return r.month(year, m), true
}

// chineseYear reads 今年, 去年, 前年.
func (r *reader) chineseYear() (int, bool) {
	back, ok := map[string]int{"今": 0, "去": 1, "前": 2}[r.word(0).s]
	return r.today.Year() - back, ok && r.word(1).s == "年" && !r.joined()
}

// joined says whether 前 ends a word of its own: 当前, 目前, 以前, 之前, 提前.
func (r *reader) joined() bool {
	switch r.word(-1).s {
	case "当", "目", "以", "之", "提":
		return r.word(0).s == "前"
	}
	return false
}

// chinese reads 今天 昨天 前天 上周 本周 上个月 这个月 前年 去年 今年 去年春天.
func (r *reader) chinese() (Span, bool) {
	if year, ok := r.chineseYear(); ok {
		if s := season(r.word(2).s); s != 0 {
			return r.quarter(year, s), true
		}
		return r.year(year), true
	}
	if r.joined() {
		return Span{}, false
	}
	a, b := r.word(0).s, r.word(1).s
	if b == "个" {
		b = r.word(2).s
	}
	switch a + b {
	case "今天":
		return days(r.today, 1), true
	case "昨天", "昨晚", "昨日":
		return days(r.today.AddDate(0, 0, -1), 1), true
	case "前天":
		return days(r.today.AddDate(0, 0, -2), 1), true
	case "上周", "上星":
		return days(r.monday().AddDate(0, 0, -7), 7), true
	case "本周", "这周":
		return days(r.monday(), 7), true
	case "上月":
		return r.month(r.today.Year(), r.today.Month()-1), true
	case "本月", "这月":
		return r.month(r.today.Year(), r.today.Month()), true
	}
	return Span{}, false
}

// chineseAgo reads 三天前 两周前 2个月以前 三年之前; 三年前端 is something else.
func (r *reader) chineseAgo() (Span, bool) {
	n, k := r.word(0).n, 1
	if n <= 0 || n > 99 {
		return Span{}, false
	}
	if r.word(k).s == "个" {
		k++
	}
	unit := r.word(k).s
	if unit == "星" {
		k++
	}
	if s := r.word(k + 1).s; s == "以" || s == "之" {
		k++
	}
	if next := r.word(k + 2).s; r.word(k+1).s != "前" || next == "端" || next == "台" {
		return Span{}, false
	}
	return r.back(n, unit)
}
