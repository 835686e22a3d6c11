package attendance

import (
	"context"
	"net/url"

	"moothall/api/gen"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/httpapi"
)

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{
		"inviteToEvent": httpapi.BodyCheck(func(_ context.Context, req *gen.CreateEventInvitationRequest) error {
			_, err := inviteeOf(req).clean(h.service.Phones)
			return err
		}),
		"inviteByEmail": httpapi.BodyCheck(func(_ context.Context, req *gen.InviteByEmailRequest) error {
			to := emailInviteesOf(req)
			return to.clean()
		}),
		"createInviteLink": httpapi.BodyCheck(func(_ context.Context, req *gen.OptCreateInviteLinkRequest) error {
			return inviteLinkLimitsOf(req.Value).check(h.service.Clock.Now())
		}),
		"listInviteLinks":      httpapi.CursorCheck(beforeInviteLink),
		"listEmailInvitations": httpapi.CursorCheck(beforeEmailInvitation),
		"listParticipants": httpapi.QueryCheck(func(query url.Values) (err error) {
			if query.Get("status") == event.ParticipationRequested {
				_, err = afterRequest(query.Get("cursor"))
			} else {
				_, err = afterParticipant(query.Get("cursor"))
			}
			return question.CheckFilter(query, err)
		}),
		"listInvitations":     httpapi.CursorCheck(beforeInvitation),
		"listWaitlistEntries": httpapi.CursorCheck(afterPlace),
	}
}
