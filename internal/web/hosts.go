package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// suggestedHosts is how many guests the page offers to ask.
const suggestedHosts = 20

// hosts shows the hosts of an event to the organizer and to the hosts.
func (s *Site) hosts(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.hostedEvent(ctx, v)
	if err != nil {
		return nil, err
	}
	hosts, err := s.api.ListHosts(ctx, gen.ListHostsParams{EventID: v.id("event_id")})
	if err != nil {
		return nil, err
	}
	d := view.HostsData{Details: &details.Response, Hosts: hosts.Items}
	if d.Owns() {
		guests, err := s.api.ListParticipants(ctx, gen.ListParticipantsParams{EventID: v.id("event_id"), Limit: gen.NewOptInt(suggestedHosts)})
		if err != nil {
			return nil, err
		}
		d.Suggest(guests.Items)
	}
	v.page.Title = v.page.T("hosts.of", "Event", v.page.EventTitle(d.Details.Event.Title))
	return view.Hosts(v.page, d), nil
}

// inviteHost asks a user to host an event: one of the suggested users, or else the one with the entered username.
func (s *Site) inviteHost(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	id := formID(form, "user_id")
	if name := enteredUsername(form); name != "" {
		profile, err := s.api.GetProfileByUsername(ctx, gen.GetProfileByUsernameParams{Username: name})
		if err != nil {
			return back(form), noSuchUser(err)
		}
		id = profile.UserID
	}
	_, err := s.api.InviteHost(ctx, &gen.InviteHostRequest{UserID: id}, gen.InviteHostParams{EventID: formID(form, "event_id")})
	return backTo(form, "hosts"), noSuchUser(err)
}

// enteredUsername returns the username in a form, without the @ that it may begin with.
func enteredUsername(form url.Values) string {
	return strings.TrimPrefix(strings.TrimSpace(form.Get("username")), "@")
}

func noSuchUser(err error) error {
	if isRefused(err, http.StatusNotFound) || isRefused(err, http.StatusBadRequest) {
		return &view.Problem{Status: http.StatusNotFound, Code: "no_such_user"}
	}
	return err
}

// acceptHost makes the visitor a host.
func (s *Site) acceptHost(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	params := gen.UpdateHostParams{EventID: formID(form, "event_id"), UserID: formID(form, "user_id")}
	_, err := s.api.UpdateHost(ctx, &gen.UpdateHostRequest{Status: gen.UpdateHostRequestStatusActive}, params)
	return back(form), err
}

// removeHost removes a host, or ends the role of the visitor.
func (s *Site) removeHost(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	params := gen.RemoveHostParams{EventID: formID(form, "event_id"), UserID: formID(form, "user_id")}
	return back(form), s.api.RemoveHost(ctx, params)
}

// transferEvent hands an event over to a host.
func (s *Site) transferEvent(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	params := gen.TransferEventParams{EventID: formID(form, "event_id")}
	_, err := s.api.TransferEvent(ctx, &gen.TransferEventRequest{UserID: formID(form, "user_id")}, params)
	return backTo(form, "hosts"), err
}
