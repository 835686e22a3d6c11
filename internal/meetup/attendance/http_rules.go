package attendance

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/platform/httpapi"
)

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{
		"inviteToEvent": httpapi.BodyRule(func(_ context.Context, req *gen.CreateEventInvitationRequest) error {
			_, err := inviteeOf(req).clean(h.service.Phones)
			return err
		}),
		"listParticipants": httpapi.CursorRule(afterParticipant),
		"listInvitations":  httpapi.CursorRule(beforeInvitation),
	}
}
