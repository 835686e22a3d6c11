// Package importer turns calendars of other services into drafts: it reads a file or an address, shows a preview, and creates or
// updates the drafts that the user chooses. A second import of the same calendar changes nothing.
package importer

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ical"
	"moothall/internal/platform/outbound"
	"moothall/internal/platform/ratelimit"
)

// MaxBytes is the size of a file.
const MaxBytes = 2 << 20

// Limits of imports.
const (
	maxRows    = 500
	maxDrafts  = 4 << 20 // bytes of all rows: an event that repeats has its description in each
	maxImports = 5       // of a user
	days       = 366     // from now: an event that repeats has a row for each date
	lifetime   = 7 * 24 * time.Hour
	maxApplied = 100 // rows of one request
)

// The rate limits of imports.
var (
	DraftsPerUserDay = ratelimit.Limit{Name: "imported_drafts_per_user_day", Default: ratelimit.Quota{N: 500, Window: 24 * time.Hour},
		What: "drafts that imports of one user create", Open: true}
	FetchesPerHost = ratelimit.Limit{Name: "import_fetches_per_host", Default: ratelimit.Quota{N: 300, Window: time.Hour},
		What: "calendars and pages fetched from one host, of all users together"}
)

// Service implements the use cases of imports.
type Service struct {
	DB     *db.DB
	Clock  domain.Clock
	Events *event.Service
	Limits *ratelimit.Limits // nil: no limits
	Own    []string          // hosts of the service itself; never fetched

	client  *http.Client
	fetches chan struct{} // a place for each running fetch
}

// New returns a service that fetches from a network.
func New(s Service, n outbound.Network) *Service {
	s.client, s.fetches = newClient(n), make(chan struct{}, maxFetches)
	return &s
}

// Import is a calendar that a user has read.
type Import struct {
	ID        domain.ImportID
	Name      *string
	Host      *string // nil: a file
	Past      int     // events that were over
	LeftOut   int     // events beyond the limits
	CreatedAt time.Time
	Counts    map[State]int
	Rows      domain.Page[Row]
}

// Row is an event of an import.
type Row struct {
	Position int
	UID      string
	Draft    Draft
	State    State
	Why      *Why            // of a skipped row
	EventID  *domain.EventID // that an import made of it

	hash      string
	stored    []byte     // the draft, until decode reads it
	updatedAt *time.Time // of the event after the last import
}

// State is what applying a row would do.
type State string

// The states.
const (
	StateNew     State = "new"
	StateChanged State = "changed"
	StateSame    State = "same"
	StateSkipped State = "skipped"
)

// Why is the reason why a row is skipped.
type Why string

// The reasons, besides those of ical.Problem.
const (
	Canceled Why = "canceled" // in the calendar, or here
	NoTitle  Why = "title"
	TooLong  Why = "length"
	Invalid  Why = "invalid" // a field is invalid
	Edited   Why = "edited"  // the draft was edited or published since
)

// ReadFile is Read for an uploaded file. Returns domain.PayloadTooLarge over MaxBytes.
func (s *Service) ReadFile(ctx context.Context, v domain.Viewer, file *io.SectionReader, zone *time.Location) (Import, error) {
	if file.Size() > MaxBytes {
		return Import{}, domain.PayloadTooLarge
	}
	data, err := io.ReadAll(file)
	if err != nil {
		return Import{}, err
	}
	return s.Read(ctx, v, data, zone)
}

// Read reads the content of a calendar file. zone is the one of times without a zone, nil if it is unknown. Returns domain.InvalidRequest
// if the content is not a calendar, and domain.PayloadTooLarge over MaxBytes.
func (s *Service) Read(ctx context.Context, v domain.Viewer, data []byte, zone *time.Location) (Import, error) {
	if len(data) > MaxBytes {
		return Import{}, domain.PayloadTooLarge
	}
	now := s.Clock.Now()
	calendar, err := ical.Read(data, readOptions(now, zone))
	if err != nil {
		return Import{}, domain.Invalid("", err.Error())
	}
	return s.store(ctx, v, calendar, nil, now)
}

func readOptions(now time.Time, zone *time.Location) ical.Options {
	return ical.Options{Now: now, Days: days, Max: maxRows, Zone: zone}
}

// ReadAddress fetches an address and reads the calendar or the event of a page. Returns domain.InvalidRequest if there is none.
func (s *Service) ReadAddress(ctx context.Context, v domain.Viewer, address string, zone *time.Location) (Import, error) {
	u, err := s.ParseURL(address)
	if err != nil {
		return Import{}, invalidURL(err)
	}
	content, err := s.Fetch(ctx, u, Version{}, FetchesPerHost)
	if failure, failed := errors.AsType[*FetchError](err); failed {
		if failure.Code == "too_large" {
			return Import{}, domain.PayloadTooLarge
		}
		return Import{}, invalidURL(failure)
	}
	if err != nil {
		return Import{}, err
	}
	data, now := content.Data, s.Clock.Now()
	calendar, err := ical.Read(data, readOptions(now, zone))
	if errors.Is(err, ical.ErrNotCalendar) {
		calendar, err = readPage(data, u, readOptions(now, zone))
	}
	if err != nil {
		return Import{}, invalidURL(err)
	}
	return s.store(ctx, v, calendar, new(u.Hostname()), now)
}

func invalidURL(err error) error { return domain.Invalid("/url", err.Error()) }

// Get returns a page of the rows of an import of the viewer, limit of them (1 to 100). Returns domain.NotFound if there is none.
func (s *Service) Get(ctx context.Context, v domain.Viewer, id domain.ImportID, limit int, cursor string) (Import, error) {
	after, err := positionAfter(cursor)
	if err != nil {
		return Import{}, err
	}
	i, err := read(ctx, s.DB, v.UserID, id, s.Clock.Now())
	if err != nil {
		return Import{}, err
	}
	all, err := rowsOf(ctx, s.DB, id, v.UserID)
	if err != nil {
		return Import{}, err
	}
	i.Counts = map[State]int{}
	var rows []Row
	for _, r := range all {
		i.Counts[r.State]++
		if r.Position > after && len(rows) <= limit {
			rows = append(rows, r)
		}
	}
	for at := range rows {
		if err := rows[at].decode(); err != nil {
			return Import{}, err
		}
	}
	i.Rows = domain.NewPage(rows, limit, func(last Row) string { return domain.Cursor(rowsCursor, last.Position) })
	return i, nil
}

const rowsCursor = "import-rows.1"

func positionAfter(cursor string) (after int, err error) {
	if cursor != "" {
		err = domain.ReadCursor(cursor, rowsCursor, &after)
	}
	return after, err
}
