package web

import (
	"context"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// How many messages to guests the pages show before "More".
const (
	guestMessagesPerPage  = 20
	guestMessagesForGuest = 3
)

// guestMessages lets the hosts of an event write to some of its guests. Guests read messages on the page of the event.
func (s *Site) guestMessages(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.hostedEvent(ctx, v)
	if err != nil {
		return nil, err
	}
	d := view.GuestMessagesData{Details: &details.Response}
	err = s.together(func() (err error) {
		d.Audiences, err = s.api.ListGuestAudiences(ctx, gen.ListGuestAudiencesParams{EventID: v.id("event_id")})
		return err
	}, func() (err error) {
		d.Sent, err = s.listGuestMessages(ctx, v, v.id("event_id"), guestMessagesPerPage)
		return err
	})
	if err != nil {
		return nil, err
	}
	v.page.Title = v.page.T("guest_messages.of", "Event", v.page.EventTitle(d.Details.Event.Title))
	return view.GuestMessages(v.page, d), nil
}

// messagesParameter is the cursor of the list of messages.
const messagesParameter = "messages"

func (s *Site) listGuestMessages(ctx context.Context, v *visit, event uuid.UUID, limit int) (d view.MessageList, err error) {
	list, err := s.api.ListGuestMessages(ctx, gen.ListGuestMessagesParams{EventID: event, Limit: gen.NewOptInt(limit),
		Cursor: optional(v.page.URL.Query(), messagesParameter)})
	if err != nil {
		return d, err
	}
	return view.MessageList{Items: list.Items, More: v.more(messagesParameter, list.NextCursor), Later: list.Later.Value}, nil
}

// sendGuestMessage first shows the message and the number of its recipients, and sends it when the visitor confirms this.
func (s *Site) sendGuestMessage(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	body := lines(form, "body")
	switch {
	case form.Has("change"):
		return outcome{step: view.StepWrite}, nil
	case strings.TrimSpace(body) == "":
		return outcome{}, invalid("body")
	case !form.Has("confirmed"):
		return outcome{step: view.StepPreview}, nil
	}
	_, err := s.api.SendGuestMessage(ctx, &gen.SendGuestMessageRequest{Audience: gen.GuestAudience(form.Get("audience")), Body: body},
		gen.SendGuestMessageParams{EventID: formID(form, "event_id"), IdempotencyKey: formKey(form)})
	return backTo(form, "sent", messagesParameter), err
}

func (s *Site) deleteGuestMessage(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	params := gen.DeleteGuestMessageParams{EventID: formID(form, "event_id"), MessageID: formID(form, "message_id")}
	return backTo(form, "sent"), s.api.DeleteGuestMessage(ctx, params)
}
