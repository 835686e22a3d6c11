package view

import (
	"slices"

	"moothall/api/gen"
)

// HostsData is what the organizer and the hosts of an event see of its hosts.
type HostsData struct {
	Details *gen.EventDetails
	Hosts   []gen.EventHost
	Guests  []gen.PublicProfile // whom the organizer may ask
}

// Owns reports whether the viewer is the organizer.
func (d HostsData) Owns() bool { return d.Details.ViewerRole.Value == gen.ViewerRoleOwner }

// open reports whether hosts may be asked, and the event handed over.
func (d HostsData) open() bool {
	s := d.Details.Event.Status
	return s == gen.EventStatusDraft || s == gen.EventStatusPublished
}

func (d HostsData) id() string { return d.Details.Event.ID.String() }

// Suggest adds the guests who are not among the hosts.
func (d *HostsData) Suggest(guests []gen.EventParticipantItem) {
	for _, g := range guests {
		id := g.Participant.UserID
		if !g.Profile.Null && !slices.ContainsFunc(d.Hosts, func(h gen.EventHost) bool { return h.UserID == id }) {
			d.Guests = append(d.Guests, g.Profile.Value)
		}
	}
}

// IsHost reports whether the viewer is the organizer or a host of an event.
func IsHost(d *gen.EventDetails) bool {
	return d.ViewerRole.Value == gen.ViewerRoleOwner || d.ViewerRole.Value == gen.ViewerRoleHost
}

// asked reports whether the viewer is asked to host the event.
func (d EventData) asked() bool { return d.Details.ViewerRole.Value == gen.ViewerRolePendingHost }

// shownHosts are how many hosts the headline of an event names.
const shownHosts = 2

// namedHosts returns the hosts that the headline names, and how many more there are.
func (d EventData) namedHosts() (named []gen.PublicProfile, more int) {
	named = d.Details.Hosts[:min(len(d.Details.Hosts), shownHosts)]
	return named, d.Details.HostCount - len(named)
}
