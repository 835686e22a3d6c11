package view

import (
	"strings"

	"moothall/api/gen"
)

// UserData is what the profile of a user shows.
type UserData struct {
	Profile   gen.PublicProfile
	Follow    *gen.FollowStatus // nil for anonymous viewers, for the user, and where there is a block
	Blocked   bool              // by the viewer
	IsPart    bool              // of a page about something else: actions replace only the element with the id "host"
	Organizes EventList
	Attends   EventList
}

func (d UserData) id() string { return d.Profile.UserID.String() }

// target is the id of the element that actions replace.
func (d UserData) target() string {
	if d.IsPart {
		return "host"
	}
	return "main"
}

// AboutPerson returns the city and the interests of a user in one line; it may be empty.
func AboutPerson(u gen.PublicProfile) string {
	about := u.Interests
	if !u.City.Null {
		about = append([]string{u.City.Value}, about...)
	}
	return strings.Join(about, " · ")
}

// EventList is a list of events that is a part of a page.
type EventList struct {
	Cards []gen.EventCard
	More  string // address of the next events; "" if there are none
}

// PeopleData is what the search for people shows.
type PeopleData struct {
	Words, City string
	Profiles    []gen.PublicProfile
	More        string   // address of the next people; "" if there are none
	Continues   bool     // the list begins after the first people
	Problem     *Problem // why the search is refused
}
