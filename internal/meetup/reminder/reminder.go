// Package reminder stores the reminder settings of events (specification §4.8,
// contract §7) and notifies users of events that begin soon.
package reminder

import (
	"cmp"
	"context"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/db"
)

// Service reads and changes reminder settings. Its methods return domain.NotFound
// if the viewer does not see the event.
type Service struct {
	DB    *db.DB
	Clock domain.Clock
}

// Settings say when and how the participants of an event are reminded of it.
type Settings struct {
	EventID     domain.EventID
	OrganizerID domain.UserID
	Enabled     bool
	Offsets     []int // minutes before the start, descending
	Channels    []string
	AskAgain    bool       // ask participants two days before whether they still come
	UpdatedAt   *time.Time // nil if the organizer has never changed them
}

// Input is a change of settings. A nil field keeps its value.
type Input struct {
	Enabled  *bool
	Offsets  []int
	Channels []string
	AskAgain *bool
}

func (in Input) empty() bool {
	return in.Enabled == nil && in.Offsets == nil && in.Channels == nil && in.AskAgain == nil
}

// defaults are the settings until the organizer changes them.
func defaults(id domain.EventID, organizer domain.UserID) Settings {
	return Settings{EventID: id, OrganizerID: organizer, Offsets: []int{1440, 60}, Channels: []string{"in_app"}}
}

// merge returns the settings with the change applied.
func (s Settings) merge(in Input) (Settings, error) {
	if in.Enabled != nil {
		s.Enabled = *in.Enabled
	}
	if in.Offsets != nil {
		s.Offsets = slices.SortedFunc(slices.Values(in.Offsets), func(a, b int) int { return cmp.Compare(b, a) })
	}
	if in.Channels != nil {
		s.Channels = in.Channels
	}
	if in.AskAgain != nil {
		s.AskAgain = *in.AskAgain
	}
	if s.Enabled && len(s.Offsets) == 0 {
		return s, domain.Invalid("/offsets_minutes", "must not be empty while reminders are enabled")
	}
	return s, nil
}

func (s Settings) equal(other Settings) bool {
	return s.Enabled == other.Enabled && s.AskAgain == other.AskAgain && slices.Equal(s.Offsets, other.Offsets) &&
		slices.Equal(s.Channels, other.Channels)
}

// Get returns the settings of an event. It returns domain.Forbidden unless the viewer
// is a member of the event's chat.
func (s *Service) Get(ctx context.Context, v domain.Viewer, id domain.EventID) (settings Settings, err error) {
	err = s.DB.Read(ctx, func(q db.Querier) error {
		facts, err := access.Event(ctx, q, v, id, s.Clock.Now())
		if err != nil {
			return err
		}
		if err := facts.MustChat(); err != nil {
			return err
		}
		settings, err = read(ctx, q, id, facts.OrganizerID)
		return err
	})
	return settings, err
}

// Set changes the settings for the organizer of a draft or published event. UpdatedAt
// stays unchanged if nothing changes.
func (s *Service) Set(ctx context.Context, v domain.Viewer, id domain.EventID, in Input) (settings Settings, err error) {
	_, invalid := defaults(id, v.UserID).merge(in) // such an input is invalid for any stored settings
	now := s.Clock.Now()
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		e, err := event.LockOpen(ctx, tx, v, id, invalid, now)
		if err != nil {
			return err
		}
		stored, err := read(ctx, tx, id, v.UserID)
		if err != nil {
			return err
		}
		if settings, err = stored.merge(in); err != nil {
			return err
		}
		if in.empty() || stored.UpdatedAt != nil && settings.equal(stored) {
			return nil
		}
		settings.UpdatedAt = &now
		save(ctx, tx, settings)
		settings.schedule(ctx, tx, e, now)
		return nil
	})
	return settings, err
}
