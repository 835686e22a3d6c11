// Package attendance is the room of taking part: joining and leaving, invitations
// and their answers, and how many may still come (specification §4.6).
package attendance

import (
	"time"

	"moothall/internal/access"
	"moothall/internal/domain"
)

// The states of a participant.
const (
	statusGoing = "going"
	statusLeft  = "left"
)

// The values of participation_visibility.
const (
	Public    = "public"
	Incognito = "incognito"
)

// Participant is one person's part in one event (contract §4.7).
type Participant struct {
	ID                   domain.ParticipantID
	EventID              domain.EventID
	UserID               domain.UserID
	Status               string
	Visibility           string
	JoinedAt             time.Time // of the latest join
	LeftAt               *time.Time
	CreatedAt, UpdatedAt time.Time

	slot int64
}

// mayJoin refuses by the table of contract §4.7, seats and payment aside.
func mayJoin(f access.EventFacts) error {
	switch {
	case f.Status == access.Draft:
		return domain.NotFound
	case f.Visibility == access.Private, f.Status != access.Published:
		return domain.Forbidden
	default:
		return nil
	}
}
