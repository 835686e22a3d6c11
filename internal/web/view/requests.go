package view

import "moothall/api/gen"

// asks reports whether a join of the viewer is a request, which the organizer decides.
func (d EventData) asks() bool {
	return d.Details.Event.JoinPolicy == gen.EventJoinPolicyApproval && !IsHost(d.Details) && d.Details.ViewerInvitationStatus.Null
}

// has reports whether the viewer's participation has a status.
func (d EventData) has(status gen.ParticipationStatus) bool {
	s := d.Details.ViewerParticipationStatus
	return !s.Null && s.Value == status
}

// guestLabel names the guest of a button, for those who do not see the row.
func (p *Page) guestLabel(label string, g gen.EventParticipantItem) string {
	if !g.GuestCode.Null {
		return label + ": " + p.T("guests.hidden", "Code", g.GuestCode.Value)
	}
	return p.labelFor(label, g.Profile)
}

// labelFor adds the name of a user to the label of a button.
func (p *Page) labelFor(label string, user gen.NilPublicProfile) string {
	if user.Null {
		return label
	}
	return label + ": " + p.Name(user.Value)
}
