// Package relation owns who follows and who blocks whom (specification §4.3,
// contract §3).
package relation

import (
	"time"

	"moothall/internal/domain"
)

// Follow is one person following another.
type Follow struct {
	Follower, Followed domain.UserID
	At                 time.Time
}

// Status is how a viewer and another user stand (contract §3 FollowStatus).
type Status struct {
	User       domain.UserID // the other
	FollowedAt *time.Time    // since when the viewer follows them; nil when not
	FollowedBy bool          // they follow the viewer
	Followers  int           // of the other
	Following  int           // whom the other follows
}

// Block is one person blocking another.
type Block struct {
	ID               domain.BlockID
	Blocker, Blocked domain.UserID
	At               time.Time
}
