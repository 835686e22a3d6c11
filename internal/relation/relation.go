// Package relation owns who follows and who blocks whom (specification §4.3,
// contract §3).
package relation

import (
	"time"

	"moothall/internal/meet"
)

// Follow is one person following another.
type Follow struct {
	Follower, Followed meet.UserID
	At                 time.Time
}

// Status is how a viewer and another user stand (contract §3 FollowStatus).
type Status struct {
	User       meet.UserID // the other
	FollowedAt *time.Time  // since when the viewer follows them; nil when not
	FollowedBy bool        // they follow the viewer
	Followers  int         // of the other
	Following  int         // whom the other follows
}

// Block is one person blocking another.
type Block struct {
	ID               meet.BlockID
	Blocker, Blocked meet.UserID
	At               time.Time
}
