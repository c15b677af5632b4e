package when

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for s, want := range map[string]string{
		"1:56 pm on 8 May, 2023": "2023-05-08", "March-15-2024": "2024-03-15", "2026-11-02": "2026-11-02", "2023/05/30 (Tue) 23:40": "2023-05-30",
		"2026-11-02T10:00:00Z": "2026-11-02", "7 pm, Sept 3 2025": "2025-09-03", "2026/5/7 (Thu)": "2026-05-07",
		"2023年5月8日 下午3点": "2023-05-08", "2023年05月08日": "2023-05-08", "8.5.2023": "2023-05-08", "2023.05.08": "2023-05-08", "20/05/2023": "2023-05-20",
		"5/20/23, 1:56 PM": "2023-05-20", "05-20-2023": "2023-05-20", "8/8/2023": "2023-08-08", "1683554400": "2023-05-08", "1683554400000": "2023-05-08",
		"3 p.m. on 8 May 2023": "2023-05-08", "10.30 on 8 May 2023": "2023-05-08", "Session 3 - 8 May 2023": "2023-05-08", "Week 3, May 8 2023": "2023-05-08", "Week 3, May 8th, 2023": "2023-05-08",
		"Day 12: the 8th of May, 2023": "2023-05-08", "8 May 10:30 2023": "2023-05-08", "8 May 10 am 2023": "2023-05-08", "May 2023, the 8th": "2023-05-08",
		"20230508": "2023-05-08", "Mon, 08 May 2023 13:56:00 GMT": "2023-05-08", "Mon May  8 13:56:00 2023": "2023-05-08", "May 8th, 2023": "2023-05-08",
		"5/8/2023": "", "1:02:2023": "", "12345678901": "", "20231350": "", "v1.2.3": "",
		"yesterday": "", "May 2023": "", "31 February 2024": "", "": "", "8:30": "",
		"1.2.30": "", "20-05-23": "", "20/05/23": "2023-05-20", "0000000000": "", "0000000000000": "", "+123456789": "", "1000000000": "2001-09-09",
	} {
		got, ok := Parse(s)
		if have := got.Format(time.DateOnly); ok != (want != "") || ok && have != want {
			t.Errorf("%q: %s, %v; want %q", s, have, ok, want)
		}
	}
}

// TestNamesAndVerbs: a month's name that is somebody's, or a verb, is no time; where it can
// be both, it stays one. Now is 2 November 2026.
func TestNamesAndVerbs(t *testing.T) {
	now := time.Date(2026, 11, 2, 15, 0, 0, 0, time.UTC)
	for s, want := range map[string]string{
		"ask April about it": "", "what did April decide?": "", "June said that the cache is cold": "", "thanks to the work with June": "", "is this for Jan?": "", "a message from Jan": "", "what did May decide": "",
		"may 3 people join?": "", "May 3 users log in at once?": "", "how many may 5 threads share": "",
		"what happened in April?": "2026-04-01", "April decisions": "2026-04-01", "what did we decide in May": "2026-05-01", "since May": "2026-05-01", "May 3": "2026-05-03", "may 3": "2026-05-03", "what broke may 3 in the gateway": "2026-05-03",
		"from Jan to March": "2026-01-01", "for Jan 2026": "2026-01-01", "in Jan": "2026-01-01", "notes from April": "2026-04-01", "the may 3 releases failed": "2026-05-03", "with June 3 in mind": "2026-06-03", "what did we do by June": "2026-06-01",
	} {
		w, _, ok := Window(s, "en", now)
		got := w.From
		if got.IsZero() {
			got = w.To
		}
		if ok != (want != "") || ok && got.Format(time.DateOnly) != want {
			t.Errorf("%q: %s (%t), want %q", s, got.Format(time.DateOnly), ok, want)
		}
	}
}

func TestWindow(t *testing.T) {
	now := time.Date(2026, 11, 2, 15, 4, 5, 0, time.UTC) // a Monday
	for s, want := range map[string]string{
		"what broke yesterday?":                          "2026-11-01 2026-11-02",
		"what broke the day before yesterday?":           "2026-10-31 2026-11-01",
		"what did we decide about caching last spring":   "2026-03-01 2026-06-01",
		"what happened last winter":                      "2025-12-01 2026-03-01",
		"incidents in March":                             "2026-03-01 2026-04-01",
		"incidents in december":                          "2025-12-01 2026-01-01",
		"on 2026-05-07 we":                               "2026-05-07 2026-05-08",
		"deploys of 2026-05":                             "2026-05-01 2026-06-01",
		"what we did last week":                          "2026-10-26 2026-11-02",
		"this week":                                      "2026-11-02 2026-11-09",
		"last month's outage":                            "2026-10-01 2026-11-01",
		"two months ago":                                 "2026-08-18 2026-09-18",
		"3 days ago":                                     "2026-10-30 2026-10-31",
		"a couple of weeks ago":                          "2026-10-16 2026-10-23",
		"in the last three weeks":                        "2026-10-12 2026-11-03",
		"since June we":                                  "2026-06-01 -",
		"before July":                                    "- 2026-07-01",
		"on 8 May what happened":                         "2026-05-08 2026-05-09",
		"May 8th, 2025":                                  "2025-05-08 2025-05-09",
		"what happened in May":                           "2026-05-01 2026-06-01",
		"last Friday":                                    "2026-10-30 2026-10-31",
		"in 2025":                                        "2025-01-01 2026-01-01",
		"上周发布了什么":                                        "2026-10-26 2026-11-02",
		"昨天为什么报警":                                        "2026-11-01 2026-11-02",
		"三月的事故":                                          "2026-03-01 2026-04-01",
		"5月7日做了什么":                                       "2026-05-07 2026-05-08",
		"两周前的改动":                                         "2026-10-16 2026-10-23",
		"what did we do last weekend":                    "2026-10-31 2026-11-02",
		"this morning":                                   "2026-11-02 2026-11-03",
		"in the past couple of weeks":                    "2026-10-19 2026-11-03",
		"what broke half a year ago":                     "2026-04-17 2026-05-18",
		"step 3 may fail":                                "",
		"what changed on 3 may in auth":                  "2026-05-03 2026-05-04",
		"what did we do 3 may":                           "2026-05-03 2026-05-04",
		"eleven months ago":                              "2025-11-17 2025-12-18",
		"the summer of 2024":                             "2024-06-01 2024-09-01",
		"our winter 2024 trip":                           "2024-12-01 2025-03-01",
		"in May of 2024":                                 "2024-05-01 2024-06-01",
		"last quarter's figures":                         "2026-07-01 2026-10-01",
		"in Q2 we":                                       "2026-04-01 2026-07-01",
		"Q4 2024 figures":                                "2024-10-01 2025-01-01",
		"between May and July 2026":                      "2026-05-01 2026-08-01",
		"between March and May":                          "2026-03-01 2026-06-01",
		"between 2024 and 2025":                          "2024-01-01 2026-01-01",
		"from 3 June to 5 June":                          "2026-06-03 2026-06-06",
		"from March 2025 until today":                    "2025-03-01 2026-11-03",
		"letter from May and the cat was sick yesterday": "2026-05-01 2026-06-01",
		"letter from May and the cat":                    "2026-05-01 2026-06-01",
		"2025年3月5日":                                      "2025-03-05 2025-03-06",
		"2025年3月做了什么":                                    "2025-03-01 2025-04-01",
		"2025年的目标":                                       "2025-01-01 2026-01-01",
		"去年三月":                                           "2025-03-01 2025-04-01",
		"今年5月":                                           "2026-05-01 2026-06-01",
		"去年":                                             "2025-01-01 2026-01-01",
		"between May and July 2025":                      "2025-05-01 2025-08-01",
		"from June to August 2025":                       "2025-06-01 2025-09-01",
		"between March and May 2024":                     "2024-03-01 2024-06-01",
		"from Q1 to Q2 2025":                             "2025-01-01 2025-07-01",
		"between spring and autumn 2024":                 "2024-03-01 2024-12-01",
		"between November and February":                  "2025-11-01 2026-03-01",
		"from November to February 2025":                 "2024-11-01 2025-03-01",
		"from 20 June to 10 June 2025":                   "2024-06-20 2025-06-11",
		"from 20 June 2025 to 10 June 2025":              "2025-06-20 2025-06-21",
		"between 2025-03-04 and 2025-03-06":              "2025-03-04 2025-03-07",
		"from 2025-03 to May 2025":                       "2025-03-01 2025-06-01",
		"from two weeks ago until yesterday":             "2026-10-16 2026-11-02",
		"from December until yesterday":                  "2025-12-01 2026-11-02",
		"June 3 to 5":                                    "2026-06-03 2026-06-06",
		"what broke from June 3 to 5, 2025":              "2025-06-03 2025-06-06",
		"on June 3rd to 5th":                             "2026-06-03 2026-06-06",
		"June 5 to 3":                                    "2026-06-05 2026-06-06",
		"between June 3 and 5 we":                        "2026-06-03 2026-06-06",
		"June 3 and 5 servers":                           "2026-06-03 2026-06-04",
		"from June 3 to 5 July":                          "2026-06-03 2026-07-06",
		"June 3 to 5 pm":                                 "2026-06-03 2026-06-04",
		"June 3 to 31":                                   "2026-06-03 2026-06-04",
		"the wall of March 2000":                         "2000-03-01 2000-04-01",
		"march 2000 times":                               "",
		"in march 2000 times were hard":                  "2000-03-01 2000-04-01",
		"we march 2000 rows":                             "",
		"from 3 to 5 June":                               "2026-06-03 2026-06-06",
		"between 3 and 5 June 2025":                      "2025-06-03 2025-06-06",
		"load went from 3 to 26 last week":               "2026-10-26 2026-11-02",
		"from 5 to 3 June":                               "2026-06-03 2026-06-04",
		"去年十一月做了什么":                                      "2025-11-01 2025-12-01",
		"十二月三日":                                          "2025-12-03 2025-12-04",
		"三月二十一日":                                         "2026-03-21 2026-03-22",
		"十一天前":                                           "2026-10-22 2026-10-23",
		"两年前选了什么数据库":                                     "2024-01-01 2025-01-01",
		"3年前":                                            "2023-01-01 2024-01-01",
		"二十年前":                                           "2006-01-01 2007-01-01",
		"三个月前的事故":                                        "2026-07-18 2026-08-18",
		"2个月以前":                                          "2026-08-18 2026-09-18",
		"两个星期之前":                                         "2026-10-16 2026-10-23",
		"3周前":                                            "2026-10-09 2026-10-16",
		"前年":                                             "2024-01-01 2025-01-01",
		"前年夏天":                                           "2024-06-01 2024-09-01",
		"前年三月做了什么":                                       "2024-03-01 2024-04-01",
		"前天":                                             "2026-10-31 2026-11-01",
		"上个星期":                                           "2026-10-26 2026-11-02",
		"当前天气接口":                                         "",
		"当前年份":                                           "",
		"目前年度预算":                                         "",
		"三年前端经验":                                         "",
		"三天前台没人":                                         "",
		"去年几月搬的家":                                        "2025-01-01 2026-01-01",
		"去年每月的花费":                                        "2025-01-01 2026-01-01",
		"今年几月":                                           "2026-01-01 2027-01-01",
		"2025年几月":                                        "2025-01-01 2026-01-01",
		"the logs fall 2000 times":                       "",
		"what did we ship fall 2024":                     "2024-09-01 2024-12-01",
		"in fall 2024 times were hard":                   "2024-09-01 2024-12-01",
		"q 3 and 4":                                      "",
		"上个月":                                            "2026-10-01 2026-11-01",
		"what broke in the autumn":                       "2026-09-01 2026-12-01",
		"what broke in the winter":                       "2025-12-01 2026-03-01",
		"convert dec to hex":                             "",
		"the sep argument of split":                      "",
		"what did Jan say":                               "",
		"incidents in dec":                               "2025-12-01 2026-01-01",
		"last Dec we":                                    "2025-12-01 2026-01-01",
		"Dec 5":                                          "2025-12-05 2025-12-06",
		"Dec 2024 figures":                               "2024-12-01 2025-01-01",
		"which port may be used":                         "",
		"how big may a PR get":                           "",
		"the march of progress":                          "",
		"retry at most 3 times":                          "",
		"the last migration":                             "",
		"how do we deploy?":                              "",
		"error 2026 in module":                           "",
		"the fall of the house":                          "",
		"since 8 May we":                                 "2026-05-08 -",
		"before 3 June 2025":                             "- 2025-06-03",
		"until the 8th of May":                           "- 2026-05-08",
		"after 8th May":                                  "2026-05-09 -",
		"on the 8th of May":                              "2026-05-08 2026-05-09",
		"on 8th May 2025":                                "2025-05-08 2025-05-09",
		"the week before 8 May":                          "2026-05-01 2026-05-09",
		"the Friday before 8 May":                        "2026-05-01 2026-05-09",
		"two days after 8 May":                           "2026-05-08 2026-05-16",
		"the day before May 8":                           "2026-05-07 2026-05-09",
		"the week before May 8 2025":                     "2025-05-01 2025-05-09",
		"in the weeks since May 8":                       "2026-05-08 -",
		"in the weeks since 8 May":                       "2026-05-08 -",
		"the two weeks until 8 May":                      "2026-04-10 2026-05-09",
		"ten days before 8 May":                          "2026-04-28 2026-05-09",
		"6 weeks after the 8th of May":                   "2026-05-08 2026-06-20",
		"the night before 8 May":                         "2026-05-07 2026-05-09",
		"the day before yesterday":                       "2026-10-31 2026-11-01",
		"in March a customer complained":                 "2026-03-01 2026-04-01",
		"one of March's failures":                        "2026-03-01 2026-04-01",
		"was there a March release":                      "2026-03-01 2026-04-01",
		"this autumn":                                    "2026-09-01 2026-12-01",
		"this winter":                                    "2025-12-01 2026-03-01",
		"今年秋天":                                           "2026-09-01 2026-12-01",
		"去年夏天":                                           "2025-06-01 2025-09-01",
		"from 3rd June to 5th June":                      "2026-06-03 2026-06-06",
		"since Monday":                                   "2026-10-26 -",
		"in early May":                                   "2026-05-01 2026-05-11",
		"mid-May":                                        "2026-05-11 2026-05-22",
		"late in May":                                    "2026-05-22 2026-06-01",
		"at the end of May 2025":                         "2025-05-22 2025-06-01",
		"since the end of May":                           "2026-05-22 -",
		"at the beginning of last month":                 "2026-10-01 2026-10-11",
		"at the end of last year":                        "2025-09-02 2026-01-01",
		"in the first week of March":                     "2026-03-01 2026-03-08",
		"the third week of March":                        "2026-03-15 2026-03-22",
		"the last week of March":                         "2026-03-25 2026-04-01",
		"in the last days of last month":                 "2026-10-25 2026-11-01",
		"the second half of 2025":                        "2025-07-02 2026-01-01",
		"in the first quarter":                           "2026-01-01 2026-04-01",
		"the fourth quarter of 2025":                     "2025-10-01 2026-01-01",
		"in the Q1 review":                               "2026-01-01 2026-04-01",
		"in March last year":                             "2025-03-01 2025-04-01",
		"last year in March":                             "2025-03-01 2025-04-01",
		"on 8 May last year":                             "2025-05-08 2025-05-09",
		"last year's summer":                             "2025-06-01 2025-09-01",
		"last year we":                                   "2025-01-01 2026-01-01",
		"the week before last":                           "2026-10-19 2026-10-26",
		"the year before last":                           "2024-01-01 2025-01-01",
		"on Friday last week":                            "2026-10-30 2026-10-31",
		"on Tuesday of last week":                        "2026-10-27 2026-10-28",
		"Monday morning":                                 "2026-10-26 2026-10-27",
		"what did we do Friday?":                         "2026-10-30 2026-10-31",
		"am 20.5.2026":                                   "2026-05-20 2026-05-21",
		"20/05/2026":                                     "2026-05-20 2026-05-21",
		"which deploys run every Friday":                 "",
		"a Friday release":                               "",
		"deploys on a Monday morning":                    "",
		"version 1.2.26":                                 "",
		"the first release":                              "",
		"a second factor":                                "",
		"the second half of the pipeline":                "",
		"the end of the file":                            "",
		"the early return":                               "",
		"the sun and moon themes":                        "",
		"what sat on the shelf":                          "",
		"configure CORS in spring boot":                  "",
		"how do we test controllers in Spring?":          "",
		"in the spring we chose":                         "2026-03-01 2026-06-01",
		"testable for a past month-end":                  "",
		"before the release":                             "",
		"two sprints ago":                                "",
		"until Friday":                                   "",
	} {
		w, _, ok := Window(s, "", now)
		day := func(t time.Time) string {
			if t.IsZero() {
				return "-"
			}
			return t.Format(time.DateOnly)
		}
		if have := day(w.From) + " " + day(w.To); ok != (want != "") || ok && have != want {
			t.Errorf("%q: %s, %v; want %q", s, have, ok, want)
		}
	}
}

func FuzzWindow(f *testing.F) {
	f.Add("two weeks ago 三月5日 2026-05-07 \xff last 99 days")
	f.Add("지난 주 금요일 3月から5月まで 去年年底 the last week of the first quarter of last year")
	f.Add("för två veckor sedan il y a quinze jours vorletzte Woche mayısın başında end of the week before last")
	f.Fuzz(func(t *testing.T, s string) {
		now := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
		Parse(s)
		for _, language := range []string{"", "de", "fr", "tr", "sv"} {
			w, rest, ok := Window(s, language, now)
			if ok && !w.To.IsZero() && w.To.Before(w.From) {
				t.Errorf("%q: %v", s, w)
			}
			if len(rest) != len(s) || !ok && rest != s {
				t.Errorf("%q leaves %q", s, rest)
			}
		}
	})
}
