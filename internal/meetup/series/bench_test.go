package series_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/series"
	"moothall/internal/platform/db"
	"moothall/internal/platform/observe"
	"moothall/internal/test/dbtest"
)

// title is a change of the title alone.
type title string

func (t title) Apply(f *event.Fields) map[string]bool {
	f.Title = string(t)
	return map[string]bool{"title": true}
}

// BenchmarkJoinBesideEdit joins another event while all 366 dates of a series change, and alone, in turn. An operation is one change of all
// dates. It reports by how much a join waits longer beside a change, in milliseconds: at the median, for 99 of 100 joins, and at most. All
// that runs on the machine counts. So it also changes all dates alone, and reports how long its transactions last, with their commits:
// step-ms by the clock, and step-cpu-ms in processor time; join-cpu-ms is that of joins and leaves alone.
func BenchmarkJoinBesideEdit(b *testing.B) {
	for _, engine := range dbtest.Engines {
		b.Run(engine.String(), func(b *testing.B) { joinBesideEdit(b, dbtest.Open(b, engine)) })
	}
}

func joinBesideEdit(b *testing.B, d *db.DB) {
	w := newWorldOf(b, d, series.New{Rule: "FREQ=DAILY;COUNT=366", Horizon: 400, Template: event.Fields{Title: "Tea"}})
	w.must(w.workers().RunDue(b.Context()))
	other, err := w.service.Events.Create(b.Context(), w.owner, event.Fields{Title: "Chess", StartsAt: w.service.Clock().AddDate(0, 0, 3)})
	w.must(err)
	_, err = w.service.Events.Publish(b.Context(), w.owner, other.ID)
	w.must(err)
	guest := domain.Viewer{UserID: domain.NewID[domain.UserKind](w.service.Clock())}
	w.must(w.exec(addUserStmt, guest.UserID, w.service.Clock()))
	joins := func(goOn func() bool) (took []time.Duration) {
		for goOn() {
			began := time.Now()
			_, err := w.service.Attendance.Join(b.Context(), guest, other.ID, attendance.Terms{Visibility: attendance.Public})
			w.must(err)
			took = append(took, time.Since(began))
			_, err = w.service.Attendance.Leave(b.Context(), guest, other.ID)
			w.must(err)
		}
		return took
	}
	edit := func(to string) {
		c, err := w.service.Update(b.Context(), w.owner, w.id, title(to), series.All)
		if err != nil || c.Changed != 366 {
			b.Errorf("%d dates changed: %v", c.Changed, err)
		}
	}
	var alone, beside []time.Duration
	var editing time.Duration
	var steps, others held
	for i := 0; b.Loop(); i++ {
		steps.measure(d, func() { edit(fmt.Sprint("Coffee ", i)) })
		var done atomic.Bool
		go func() {
			defer done.Store(true)
			began := time.Now()
			edit(fmt.Sprint("Tea ", i))
			editing += time.Since(began)
		}()
		beside = append(beside, joins(func() bool { return !done.Load() })...)
		n := 0
		others.measure(d, func() { alone = append(alone, joins(func() bool { n++; return n <= 100 })...) })
	}
	for name, part := range map[string]float64{"p50": .5, "p99": .99, "max": 1} {
		b.ReportMetric((quantile(beside, part)-quantile(alone, part)).Seconds()*1000, "held-"+name+"-ms")
		b.ReportMetric(quantile(steps.took, part).Seconds()*1000, "step-"+name+"-ms")
		b.ReportMetric(quantile(steps.processor, part).Seconds()*1000, "step-cpu-"+name+"-ms")
		b.ReportMetric(quantile(others.processor, part).Seconds()*1000, "join-cpu-"+name+"-ms")
	}
	b.ReportMetric(quantile(alone, .5).Seconds()*1000, "alone-p50-ms")
	b.ReportMetric(editing.Seconds()*1000/float64(b.N), "edit-ms")
	b.ReportMetric(float64(len(beside))/float64(b.N), "joins/edit")
}

// held has how long transactions held the writer, by the clock and in processor time of the process.
type held struct{ took, processor []time.Duration }

// measure runs do, whose transactions follow each other, while nothing else runs in the process.
func (h *held) measure(d *db.DB, do func()) {
	var began time.Time
	var before time.Duration
	d.SetHooks(db.Hooks{
		Begin: func(context.Context, db.Tx) { began, before = time.Now(), observe.ProcessorTime() },
		Committed: func(context.Context) {
			h.took, h.processor = append(h.took, time.Since(began)), append(h.processor, observe.ProcessorTime()-before)
		},
	})
	defer d.SetHooks(db.Hooks{})
	do()
}

// quantile returns the value that a part of all values, from 0 to 1, does not exceed.
func quantile(all []time.Duration, part float64) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[max(0, int(part*float64(len(sorted)))-1)]
}
