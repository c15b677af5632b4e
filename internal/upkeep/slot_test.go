package upkeep

import "testing"

// TestOneSlot: two values of one sort for one thing cannot both hold, nor can a wish and
// what forbids it; the same words about another thing can.
func TestOneSlot(t *testing.T) {
	for _, c := range [][3]string{
		{"The release is on Friday", "The release moved to Monday", "they give different days for one thing"},
		{"Customers are billed on the 1st", "Customers are billed on the 15th", "they give different days for one thing"},
		{"The standup is at 9:30", "Standup: 10:15 now", "they give different times for one thing"},
		{"Marta is on leave until 12 May.", "Marta's leave was extended to 2 June.", "they give different dates for one thing"},
		{"The offsite is in March", "The offsite was moved from March to April", "they give different months for one thing"},
		{"Postgres listens on port 6432", "The port of Postgres is 6433", "they give different numbers for one thing"},
		{"The queue drains in 40 seconds", "The queue drains in 50s", "they give different numbers for one thing"},
		{"The standup is at 9 am", "The standup is at 9pm", "they give different times for one thing"},
		{"The release is on Friday", "The release is on Monday, not Friday", "one denies what the other says"},
		{"Prefer small PRs", "Prefer medium PRs", "they give different sizes for one thing"},
		{"Keep commit messages short", "Keep commit messages long", "they give different lengths for one thing"},
		{"Prefer tabs", "Never use tabs", "one wants what the other forbids"},
		{"Use tabs, not spaces", "Never use tabs", "one wants what the other forbids"},

		{"The release is on Friday", "The retro moved to Monday", ""},
		{"Never release on Friday", "Never release on Monday", ""},
		{"You can release on Friday", "You can release on Monday", ""},
		{"The release broke on Friday", "The release broke on Monday", ""},
		{"Is the release on Friday?", "The release is on Monday", ""},
		{"Friday's standup is at 9:30", "Monday's standup is at 10:15", ""},
		{"The shop is open on Mondays until 18:00", "The shop is open on Sundays until 14:00", ""},
		{"Ines is away from 3 May", "Ines is away until 10 June", ""},
		{"Alerts fire over 80%", "Alerts fire under 10%", ""},
		{"Postgres listens on port 6432", "Redis listens on port 6433", ""},
		{"The port is 8080 in development", "The port is 80 in production", ""},
		{"EU logs are kept for 30 days", "US logs are kept for 90 days", ""},
		{"Small PRs need a review", "Large PRs need a review", ""},
		{"Prefer small PRs", "Prefer large screens", ""},
		{"Prefer tabs in Makefiles", "Never use tabs in Python", ""},
		{"In Python use 4 spaces", "In Python never use 8 spaces", ""},
		{"This works like that", "That will not work", ""},
		{"The cache is in use", "There is no cache", ""},
		{"Started on 2026-08-12 07:57:14", "Started on 2026-08-12 08:02:53", ""},
		{"The release may be on Friday", "The release may be on Monday", ""},
		{"Deploys happen on Monday and Thursday", "Deploys happen on Thursday", ""},
		{"The timeout is 60s", "The timeout is 60 seconds", ""},
		{"Lunch is at 12:00", "Lunch is at 12pm", ""},
		{"The standup is at 9:30 am", "The standup is at 09:30", ""},
		{"The freeze is from Friday", "The freeze is until Monday", ""},
		{"Coverage must be at least 80%", "Coverage must be at most 95%", ""},
		{"Orders under 50 euro ship at 5 euro", "Orders over 50 euro ship at 0 euro", ""},
		{"The release is on Friday", "The release is on Friday, not Monday", ""},
	} {
		for _, by := range [][2]string{{c[0], c[1]}, {c[1], c[0]}} {
			found := Pairs([]Known{known(0, by[0]), known(1, by[1])})
			switch {
			case len(found) == 0 && c[2] == "":
			case len(found) != 1 || found[0].Relation != Contradiction || found[0].Reason != c[2]:
				t.Errorf("%q, %q: %+v", by[0], by[1], found)
			}
		}
	}
}
