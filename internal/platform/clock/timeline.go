package clock

import "time"

const (
	// maxDrift is the largest difference from the reference that is corrected smoothly. A
	// larger one is a jump.
	maxDrift = time.Minute

	// fixTime is the time over which one correction is spread, and maxFix its size: the
	// service's time runs at most a tenth too fast or too slow, and never backwards.
	fixTime = time.Second
	maxFix  = fixTime / 10

	// maxPause is the longest plausible pause of a service or its machine. A jump of this size
	// does no harm: everything is kept for longer than a day after its end.
	maxPause = 24 * time.Hour

	// showAfter is the time after which the service shows the time of a reference that has jumped
	// ahead. A jump of at most maxPause is then trusted, too; any other jump after trustAfter.
	showAfter  = 10 * time.Minute
	trustAfter = 24 * time.Hour
)

// timeline is the service's time, as a function of the monotonic clock. All times of the
// monotonic clock are arguments.
type timeline struct {
	base course
	jump *jump // nil: the reference agrees with base
}

// course converts the time of the monotonic clock to the time of the service.
type course struct {
	from time.Duration // of the monotonic clock
	at   int64         // the service's time at from, in nanoseconds since 1970
	fix  time.Duration // a correction, spread over fixTime
}

// read returns the time in nanoseconds since 1970.
func (c course) read(mono time.Duration) int64 {
	passed := mono - c.from
	return c.at + int64(passed) + int64(c.fix)*int64(min(passed, fixTime))/int64(fixTime)
}

// jump is a jump of the reference that is not trusted yet. Its times are of the monotonic clock.
type jump struct {
	gap     time.Duration // the reference minus base
	showAt  time.Duration // when the service shows the time of the reference
	trustAt time.Duration
	showing bool
}

// newJump returns a jump that began at a time.
func newJump(gap, at time.Duration) *jump {
	j := &jump{gap: gap, showAt: at + showAfter, trustAt: at + trustAfter}
	switch {
	case gap < 0: // what has expired stays so
		j.showAt = j.trustAt
	case gap <= maxPause:
		j.trustAt = j.showAt
	}
	return j
}

// sample is one reading of the reference.
type sample struct {
	at    time.Duration // of the monotonic clock
	time  int64         // in nanoseconds since 1970
	error time.Duration // by how much the time may be wrong
}

// startTimeline starts a timeline at a sample. stored is the latest stored time, or 0. The timeline
// does not start before it.
func startTimeline(s sample, stored int64) timeline {
	if stored == 0 {
		return timeline{base: course{from: s.at, at: s.time}}
	}
	gap := certain(time.Duration(s.time-stored), s.error)
	t := timeline{base: course{from: s.at, at: stored}}
	switch {
	case gap > maxPause:
		t.jump = newJump(gap, s.at)
		t.jump.showing = true // nothing else is known about the time
	case gap < -maxDrift:
		t.jump = newJump(gap, s.at)
	default:
		t.base.at = max(s.time, stored)
	}
	return t
}

// change is the effect of a sample.
type change int

const (
	none     change = iota
	jumped          // the reference has jumped
	shown           // the service shows the time of the reference, but does not trust it
	trusted         // the service follows the reference again, from where it has jumped to
	returned        // the reference has jumped back
)

// check continues the timeline at a sample. If the stored time agrees with a reference that has
// jumped, another instance or the operator trusts the jump.
func (t *timeline) check(s sample, stored int64) change {
	base := t.base.read(s.at)
	gap := certain(time.Duration(s.time-base), s.error)
	t.base = course{from: s.at, at: base}
	if gap.Abs() <= maxDrift {
		t.base.fix = max(-maxFix, min(gap, maxFix))
		return t.end(returned)
	}
	result := none
	if t.jump == nil || (gap-t.jump.gap).Abs() > maxDrift {
		t.jump = t.jump.again(gap, s.at)
		result = jumped
	}
	switch {
	case s.at >= t.jump.trustAt, stored != 0 && time.Duration(s.time-stored).Abs() <= maxDrift:
		t.base.at += int64(t.jump.gap)
		return t.end(trusted)
	case s.at >= t.jump.showAt && !t.jump.showing:
		t.jump.showing = true
		return shown
	}
	return result
}

// again returns the state after a further jump. A service that shows the time of the reference goes
// on to do so, unless the reference is now behind base.
func (j *jump) again(gap, at time.Duration) *jump {
	next := newJump(gap, at)
	next.showing = j != nil && j.showing && gap > 0
	return next
}

// certain returns the part of a difference that the error does not explain.
func certain(gap, uncertainty time.Duration) time.Duration {
	if gap < 0 {
		return min(0, gap+uncertainty)
	}
	return max(0, gap-uncertainty)
}

// end ends the jump, if there is one. by is the change to report.
func (t *timeline) end(by change) change {
	if t.jump == nil {
		return none
	}
	t.jump = nil
	return by
}

// shown returns the course that the service shows, from the latest sample on.
func (t *timeline) shown() course {
	c := t.base
	if t.jump != nil && t.jump.showing {
		c.at += int64(t.jump.gap)
	}
	return c
}
