package clock

import (
	"math/rand/v2"
	"testing"
	"time"

	"moothall/internal/domain"
)

const day = 24 * time.Hour

// origin is the time at which the tests begin.
var origin = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// at returns a sample of a reference that is ahead.
func at(mono, ahead time.Duration) sample {
	return sample{at: mono, time: origin.Add(mono + ahead).UnixNano()}
}

// ahead returns by how much a timeline shows more than the time that has passed.
func (t *timeline) ahead(mono time.Duration) time.Duration {
	return time.Duration(t.shown().read(mono) - origin.Add(mono).UnixNano())
}

// TestTimelineAfterJumps lets the reference jump while the service runs.
func TestTimelineAfterJumps(t *testing.T) {
	type step struct {
		lasts   time.Duration
		ahead   time.Duration // of the reference, from the first sample of the step on
		want    time.Duration // by how much the service is ahead at the end
		trusted bool
	}
	second, hour := time.Second, time.Hour
	for name, steps := range map[string][]step{
		"right":                     {{day, 0, 0, true}},
		"400 days ahead for 4 s":    {{4 * second, 400 * day, 0, false}, {second, 0, 0, true}},
		"400 days ahead for 20 min": {{20 * time.Minute, 400 * day, 400 * day, false}, {second, 0, 0, true}},
		"400 days ahead for good":   {{day, 400 * day, 400 * day, false}, {second, 400 * day, 400 * day, true}},
		"a machine that slept":      {{showAfter, 8 * hour, 0, false}, {second, 8 * hour, 8 * hour, true}},
		"an hour back":              {{20 * time.Minute, -hour, 0, false}, {second, 0, 0, true}},
		"an hour back for good":     {{day, -hour, 0, false}, {second, -hour, -hour, true}},
		"ahead after back":          {{day, -hour, 0, false}, {showAfter, 400 * day, 0, false}, {day, 400 * day, 400 * day, true}},
		"less ahead":                {{hour, 400 * day, 400 * day, false}, {second, 3 * hour, 3 * hour, false}, {hour, 3 * hour, 3 * hour, true}},
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Duration(0)
			line := startTimeline(at(0, 0), 0)
			for i, s := range steps {
				for end := now + s.lasts; now < end; {
					now += time.Second
					line.check(at(now, s.ahead), 0)
				}
				if got := line.ahead(now); got != s.want || (line.jump == nil) != s.trusted {
					t.Fatalf("step %d: %v ahead, trusted %v", i, got, line.jump == nil)
				}
			}
		})
	}
}

// TestTimelineAfterRestart starts with a reference that differs from the time in the store.
func TestTimelineAfterRestart(t *testing.T) {
	for name, c := range map[string]struct {
		reference   time.Duration // minus the time in the store
		first, hour time.Duration // shown at the start and after an hour
		trusted     bool          // at the start
	}{
		"a short stop":     {time.Minute, time.Minute, time.Minute, true},
		"a day":            {day, day, day, true},
		"a year":           {365 * day, 365 * day, 365 * day, false},
		"a minute back":    {-time.Minute, 0, -time.Minute, true},
		"an hour back":     {-time.Hour, 0, 0, false},
		"before the epoch": {-60 * 365 * day, 0, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			line := startTimeline(at(0, c.reference), origin.UnixNano())
			if got := line.ahead(0); got != c.first || (line.jump == nil) != c.trusted {
				t.Errorf("at the start %v ahead, trusted %v", got, line.jump == nil)
			}
			for now := time.Second; now <= time.Hour; now += time.Second {
				line.check(at(now, c.reference), 0)
			}
			if got := line.ahead(time.Hour); got != c.hour {
				t.Errorf("after an hour %v ahead", got)
			}
		})
	}
}

// TestOperatorOrOtherInstanceTrustsAJump finds the time of the reference stored.
func TestOperatorOrOtherInstanceTrustsAJump(t *testing.T) {
	for _, ahead := range []time.Duration{400 * day, -time.Hour} {
		line := startTimeline(at(0, 0), 0)
		line.check(at(1, ahead), origin.UnixNano())
		if got := line.check(at(time.Minute, ahead), origin.Add(ahead).UnixNano()); got != trusted || line.ahead(time.Minute) != ahead {
			t.Errorf("%v: %v, %v ahead", ahead, got, line.ahead(time.Minute))
		}
	}
}

// TestUncertainSamplesChangeNothing gives samples whose error is larger than the difference.
func TestUncertainSamplesChangeNothing(t *testing.T) {
	line := startTimeline(at(0, 0), 0)
	for now := time.Second; now < time.Hour; now += time.Second {
		s := at(now, time.Duration(rand.IntN(801)-400)*time.Millisecond)
		s.error = 400 * time.Millisecond
		line.check(s, 0)
		if got := line.ahead(now + time.Second); got != 0 {
			t.Fatalf("%v ahead", got)
		}
	}
}

// TestTimeNeverGoesBackwards drifts, with a noisy reference, and reads between the samples.
func TestTimeNeverGoesBackwards(t *testing.T) {
	line := startTimeline(at(0, 0), 0)
	last, drift := line.shown().read(0), time.Duration(0)
	for now := time.Duration(0); now < 2*time.Hour; now += 100 * time.Millisecond {
		if now%time.Second == 0 {
			drift = max(-50*time.Second, min(drift+time.Duration(rand.IntN(4001)-2000)*time.Millisecond, 50*time.Second))
			if line.check(at(now, drift), 0) != none {
				t.Fatalf("jumped by a drift of %v", drift)
			}
		}
		got := line.shown().read(now)
		if step := time.Duration(got - last); now > 0 && (step < 90*time.Millisecond || step > 110*time.Millisecond) {
			t.Fatalf("a step of %v in 100 ms", step)
		}
		last = got
	}
}

// BenchmarkNow compares the service's clock with that of the machine.
func BenchmarkNow(b *testing.B) {
	c := &Clock{machine: ThisMachine()}
	c.timeline = startTimeline(sample{c.machine.Monotonic(), time.Now().UnixNano(), 0}, 0)
	c.publish()
	for name, now := range map[string]domain.Clock{"service": c.Now, "machine": domain.SystemClock()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_ = now.Now()
			}
		})
	}
}
