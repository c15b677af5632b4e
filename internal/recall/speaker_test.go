package recall

import "testing"

// TestSpokenBy: "I" is the user, and "you" the assistant where it is asked for what
// that said.
func TestSpokenBy(t *testing.T) {
	for question, want := range map[string]string{
		"How many books did I buy?":                         userNames,
		"what's my dentist called":                          userNames,
		"What did I say you should remember?":               userNames,
		"Can you tell me where I parked?":                   userNames,
		"Could you please remind me when I’ve been there?":  userNames,
		"我的牙医叫什么":                                           userNames,
		"What did you recommend to me?":                     assistantNames,
		"Can you remind me of the cafe that you mentioned?": assistantNames,
		"the list you'd given, what stood on it?":           "",
		"the list you just gave me":                         assistantNames,
		"I forgot what you’ve suggested":                    assistantNames,
		"Do you know how the gateway is started?":           "",
		"Can you describe the gateway?":                     "",
		"what port does it listen on":                       "",
		"我们用什么数据库":                                          "",
		"":                                                  "",
	} {
		if got := spokenBy(question); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
