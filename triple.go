package pimento

// A Triple says how two things are related: ("alice", "owns", "auth-service").
type Triple struct {
	Subject   string `json:"subject"`
	Predicate string `json:"predicate"`
	Object    string `json:"object"`
}

// A Relation is a triple, the days on which it holds, and where it is said.
type Relation struct {
	Triple
	From      string    `json:"from,omitempty"`  // the first day, 2006-01-02; "" if unknown
	Until     string    `json:"until,omitempty"` // the first day on which it no longer holds
	Scope     Scope     `json:"scope"`
	Page      string    `json:"page"`
	Statement Statement `json:"id"`
}

// String is the relation as models and people read it, in one line.
func (r Relation) String() string {
	s := r.Subject + " → " + r.Predicate + " → " + r.Object
	switch {
	case r.From != "" && r.Until != "":
		return s + " (" + r.From + " to " + r.Until + ")"
	case r.From != "":
		return s + " (since " + r.From + ")"
	case r.Until != "":
		return s + " (to " + r.Until + ")"
	}
	return s
}
