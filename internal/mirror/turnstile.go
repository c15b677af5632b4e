package mirror

import (
	"context"
	"time"
)

// A turnstile lets one through at a time. Unlike a mutex, it is not waited for
// longer than there is time: a long-lived process may take minutes to build an
// index, and a prompt that comes meanwhile is answered from what there is.
type turnstile chan struct{} // of capacity 1

// maxWait is how long anybody waits who has a deadline at all.
const maxWait = 2 * time.Second

// enter waits until the turnstile is free or half of the time that ctx leaves
// is over, at most maxWait; the rest is for what the caller does without.
func (t turnstile) enter(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	default:
	}
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, min(time.Until(end)/2, maxWait))
		defer cancel()
	}
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (t turnstile) leave() { <-t }

// taken says whether somebody is inside.
func (t turnstile) taken() bool { return len(t) > 0 }
