package view

import (
	"time"

	"moothall/api/gen"
)

// RepostsData is what the list of the viewer's reposts shows.
type RepostsData struct {
	Items     []Repost
	More      string // address of the older reposts; "" if there are none
	Continues bool   // the list begins after the newest reposts
}

// Repost is a post that the viewer has reposted.
type Repost struct {
	Post  gen.EventPost
	At    time.Time // of the repost
	Event gen.EventDetailsCore
}
