package page

import "testing"

// Every hostile text goes into every page in every way and comes back.
func TestHostileTextsRoundTrip(t *testing.T) {
	for _, s := range seeds(t) {
		t.Run(s.name, func(t *testing.T) {
			p := Parse(s.rel, s.b)
			checkPage(t, p, s.b)
			for k, text := range hostileTexts() {
				for how := range 16 {
					checkInsert(t, p, text, uint8(how|k<<4))
				}
				for i := range p.Entries() {
					checkEdits(t, p, i, text)
				}
			}
		})
	}
}
