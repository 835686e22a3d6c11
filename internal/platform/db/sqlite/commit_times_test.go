package sqlite

import (
	"testing"
	"time"
)

func TestWaitFollowsCommitTimes(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		commits []time.Duration
		want    time.Duration
	}{
		{nil, 400 * ms},
		{[]time.Duration{5 * ms, 5 * ms, 5 * ms}, 400 * ms},
		{[]time.Duration{5 * ms, 5 * ms, 2000 * ms}, 400 * ms}, // one slow commit says nothing about the next
		{[]time.Duration{5 * ms, 500 * ms, 400 * ms}, 1600 * ms},
		{[]time.Duration{500 * ms, 2000 * ms, 5 * ms, 2000 * ms}, 3000 * ms},
		{[]time.Duration{2000 * ms, 2000 * ms, 5 * ms, 5 * ms}, 400 * ms},
	} {
		var times commitTimes
		for _, took := range c.commits {
			times.add(took)
		}
		if got := times.wait(400 * ms); got != c.want {
			t.Errorf("%v: %v, want %v", c.commits, got, c.want)
		}
	}
}
