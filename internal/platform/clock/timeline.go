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

	// maxPause is how long a service or its machine may plausibly stand still. Deletions that
	// are a day early do no harm: everything is kept for longer than that after its end.
	maxPause = 24 * time.Hour

	// showAfter is how long a reference that has jumped ahead must stay there until its time
	// is shown, and believeAfter how long a jump that is not a plausible pause must last until it is
	// believed.
	showAfter    = 10 * time.Minute
	believeAfter = 24 * time.Hour
)

// timeline is the service's time, as a function of the monotonic clock. All times of the
// monotonic clock are arguments.
type timeline struct {
	base  course
	doubt *doubt // nil: the reference agrees with base
}

// course is a time that runs with the monotonic clock.
type course struct {
	from time.Duration // of the monotonic clock
	at   int64         // the time then, in nanoseconds since 1970
	fix  time.Duration // is added within fixTime
}

// read returns the time in nanoseconds since 1970.
func (c course) read(mono time.Duration) int64 {
	passed := mono - c.from
	return c.at + int64(passed) + int64(c.fix)*int64(min(passed, fixTime))/int64(fixTime)
}

// doubt is a jump of the reference that is not believed yet.
type doubt struct {
	gap       time.Duration // the reference minus base
	showAt    time.Duration // when the reference is shown
	believeAt time.Duration
	showing   bool // the service shows the time of the reference
}

// newDoubt returns the doubt about a jump at a time.
func newDoubt(gap, at time.Duration) *doubt {
	d := &doubt{gap: gap, showAt: at + showAfter, believeAt: at + believeAfter}
	switch {
	case gap < 0: // what has expired stays so
		d.showAt = d.believeAt
	case gap <= maxPause:
		d.believeAt = d.showAt
	}
	return d
}

// sample is one reading of the reference.
type sample struct {
	at    time.Duration // of the monotonic clock
	time  int64         // in nanoseconds since 1970
	error time.Duration // by how much the time may be wrong
}

// startTimeline starts a timeline at a sample. noted is the latest time that the service has
// noted, or 0: the lower bound of the time.
func startTimeline(s sample, noted int64) timeline {
	if noted == 0 {
		return timeline{base: course{from: s.at, at: s.time}}
	}
	gap := certain(time.Duration(s.time-noted), s.error)
	t := timeline{base: course{from: s.at, at: noted}}
	switch {
	case gap > maxPause:
		t.doubt = newDoubt(gap, s.at)
		t.doubt.showing = true // nothing else is known about the time
	case gap < -maxDrift:
		t.doubt = newDoubt(gap, s.at)
	default:
		t.base.at = max(s.time, noted)
	}
	return t
}

// change is what a sample changes.
type change int

const (
	none     change = iota
	jumped          // the reference has jumped
	shown           // the service shows the time of the reference, but does not believe it
	believed        // the service follows the reference again
	returned        // the reference is back
)

// check continues the timeline at a sample. noted is the time in the store: if it agrees with a
// reference that has jumped, another instance or the operator believes the jump.
func (t *timeline) check(s sample, noted int64) change {
	base := t.base.read(s.at)
	gap := certain(time.Duration(s.time-base), s.error)
	t.base = course{from: s.at, at: base}
	if gap.Abs() <= maxDrift {
		t.base.fix = max(-maxFix, min(gap, maxFix))
		return t.end(returned)
	}
	result := none
	if t.doubt == nil || (gap-t.doubt.gap).Abs() > maxDrift {
		t.doubt = t.doubt.again(gap, s.at)
		result = jumped
	}
	switch {
	case s.at >= t.doubt.believeAt, noted != 0 && time.Duration(s.time-noted).Abs() <= maxDrift:
		t.base.at += int64(t.doubt.gap)
		return t.end(believed)
	case s.at >= t.doubt.showAt && !t.doubt.showing:
		t.doubt.showing = true
		return shown
	}
	return result
}

// again returns the doubt after a jump. If the service shows the reference, it goes on, except
// back before base.
func (d *doubt) again(gap, at time.Duration) *doubt {
	next := newDoubt(gap, at)
	next.showing = d != nil && d.showing && gap > 0
	return next
}

// certain returns the part of a difference that the error does not explain.
func certain(gap, uncertainty time.Duration) time.Duration {
	if gap < 0 {
		return min(0, gap+uncertainty)
	}
	return max(0, gap-uncertainty)
}

// end ends a doubt, if there is one.
func (t *timeline) end(by change) change {
	if t.doubt == nil {
		return none
	}
	t.doubt = nil
	return by
}

// shown returns the course that the service shows, from the latest sample on.
func (t *timeline) shown() course {
	c := t.base
	if t.doubt != nil && t.doubt.showing {
		c.at += int64(t.doubt.gap)
	}
	return c
}
