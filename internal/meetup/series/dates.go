package series

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/recurrence"
)

// The states of a coming date besides the status of its event.
const (
	planned = "planned" // not made yet
	skipped = "skipped"
)

// ComingDate is a date of a series that has not begun, as its organizer sees it.
type ComingDate struct {
	Occurrence string // by the rule
	StartsAt   time.Time
	State      string
	Event      *domain.EventID // nil: not made
}

// Moved reports whether the event of a date begins at another time than the rule says.
func (d ComingDate) Moved(zone string) bool {
	return d.Event != nil && !d.StartsAt.Equal(instant(d.Occurrence, zone))
}

// instant returns the moment of a date by the rule.
func instant(occurrence, zone string) time.Time {
	local, _ := time.Parse(recurrence.Layout, occurrence) // only dates of rules are stored
	return recurrence.Instant(local, location(zone))
}

const datesCursor = "series_dates.1"

// afterDate returns the date after which a page of ComingDates begins; empty for the first page.
func afterDate(cursor string) (after string, err error) {
	if cursor == "" {
		return "", nil
	}
	if err := domain.ReadCursor(cursor, datesCursor, &after); err != nil {
		return "", err
	}
	if _, err := time.Parse(recurrence.Layout, after); err != nil {
		return "", domain.InvalidCursor
	}
	return after, nil
}

// ComingDates returns a page of the dates of the viewer's series that have not begun, by their dates of the rule. Returns NotFound unless
// the viewer is the organizer.
func (s *Service) ComingDates(ctx context.Context, v domain.Viewer, id domain.SeriesID, limit int,
	cursor string) (r Series, page domain.Page[ComingDate], err error) {
	after, err := afterDate(cursor)
	if err != nil {
		return r, page, err
	}
	r, err = s.Get(ctx, v, id)
	if err == nil && r.Owner != v.UserID {
		err = domain.NotFound
	}
	if err != nil {
		return r, page, err
	}
	dates, err := s.comingDates(ctx, r, after, limit+1)
	return r, domain.NewPage(dates, limit, func(last ComingDate) string { return domain.Cursor(datesCursor, last.Occurrence) }), err
}

// comingDates returns the first n dates after one.
func (s *Service) comingDates(ctx context.Context, r Series, after string, n int) ([]ComingDate, error) {
	now := s.Clock.Now()
	from := max(after, now.In(location(r.Timezone)).Format(recurrence.Layout))
	dates := map[string]ComingDate{}
	ahead, err := r.planned(from, n)
	if err != nil {
		return nil, err
	}
	for _, d := range ahead {
		dates[d.Occurrence] = d
	}
	skips, err := db.Values[string](ctx, s.DB, comingSkipsStmt, r.ID, from, n)
	if err != nil {
		return nil, err
	}
	for _, date := range skips {
		if r.EndsBefore == "" || date < r.EndsBefore {
			dates[date] = ComingDate{Occurrence: date, StartsAt: instant(date, r.Timezone), State: skipped}
		}
	}
	made, err := db.All(ctx, s.DB, func(row db.Row, d *ComingDate) error {
		return row.Scan(&d.Occurrence, &d.StartsAt, &d.State, &d.Event)
	}, comingDatesStmt, r.ID, after, now, n)
	if err != nil {
		return nil, err
	}
	for _, d := range made {
		if access.Status(d.State) == access.Canceled && dates[d.Occurrence].State == skipped {
			d.State = skipped
		}
		dates[d.Occurrence] = d
	}
	all := slices.SortedFunc(maps.Values(dates), func(a, b ComingDate) int { return cmp.Compare(a.Occurrence, b.Occurrence) })
	return all[:min(n, len(all))], nil
}

// planned returns the first n dates after one that will be made.
func (s Series) planned(after string, n int) (dates []ComingDate, err error) {
	schedule, err := s.schedule()
	if err != nil || s.Status != Active {
		return nil, err
	}
	last, err := time.Parse(recurrence.Layout, max(after, s.MadeUntil))
	if err != nil {
		return nil, err
	}
	for _, d := range schedule.From(last.Add(time.Second), n) {
		occurrence := d.Local.Format(recurrence.Layout)
		if s.EndsBefore != "" && occurrence >= s.EndsBefore {
			break
		}
		dates = append(dates, ComingDate{Occurrence: occurrence, StartsAt: d.At, State: planned})
	}
	return dates, nil
}
