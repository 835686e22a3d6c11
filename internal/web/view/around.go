package view

import "moothall/api/gen"

// AroundData is what the page of an event shows beside the event.
type AroundData struct {
	Event   gen.EventDetailsCore
	Host    *UserData       // with some of their other events; nil if the organizer's account is deleted
	Similar []gen.EventCard // of the same category, nearby
}
