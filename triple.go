package pimento

// A Triple says how two things are related: ("alice", "owns", "auth-service").
type Triple struct {
	Subject   string `json:"subject"`
	Predicate string `json:"predicate"`
	Object    string `json:"object"`
}
