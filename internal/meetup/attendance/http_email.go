package attendance

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// InviteByEmail serves POST /events/{event_id}/email-invitations.
func (h *Handler) InviteByEmail(ctx context.Context, req *gen.InviteByEmailRequest, params gen.InviteByEmailParams) (
	*gen.EmailInvitationResults, error) {
	results, err := h.service.InviteByEmail(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), emailInviteesOf(req))
	if err != nil {
		return nil, err
	}
	out := &gen.EmailInvitationResults{Results: make([]gen.EmailInvitationResult, len(results))}
	for i, r := range results {
		out.Results[i] = gen.EmailInvitationResult{Email: r.Email, Status: gen.EmailInvitationResultStatus(r.Status)}
	}
	return out, nil
}

func emailInviteesOf(req *gen.InviteByEmailRequest) EmailInvitees {
	return EmailInvitees{Emails: req.Emails, Message: httpapi.Opt[string](req.Message).Value}
}

// ListEmailInvitations serves GET /events/{event_id}/email-invitations.
func (h *Handler) ListEmailInvitations(ctx context.Context, params gen.ListEmailInvitationsParams) (*gen.EmailInvitationsResponse, error) {
	page, m, err := h.service.EmailInvitations(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID),
		params.Limit.Or(domain.DefaultLimit), params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EmailInvitation, len(page.Items))
	for i, one := range page.Items {
		var address *string
		if one.Email != nil {
			address = &one.Email.Address
		}
		items[i] = gen.EmailInvitation{
			ID: uuid.UUID(one.ID), EventID: uuid.UUID(one.EventID), Email: gen.NullString(address), Status: gen.InvitationStatus(one.Status),
			Sent: one.Sent, Name: gen.NullString(one.Name), Message: gen.NullString(one.Message), RespondedAt: gen.NullDateTime(one.RespondedAt),
			CreatedAt: one.CreatedAt,
		}
	}
	return &gen.EmailInvitationsResponse{Items: items, NextCursor: gen.NullCursor(page.Next),
		Messages: gen.InvitationMessages{Sent: m.Sent, Later: m.Later}}, nil
}

// WithdrawEmailInvitation serves DELETE /events/{event_id}/email-invitations/{invitation_id}.
func (h *Handler) WithdrawEmailInvitation(ctx context.Context, params gen.WithdrawEmailInvitationParams) error {
	return h.service.WithdrawEmail(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.InvitationID(params.InvitationID))
}

// ReadGuestList serves POST /events/{event_id}/guest-lists.
func (h *Handler) ReadGuestList(ctx context.Context, _ gen.ReadGuestListReq, params gen.ReadGuestListParams) (*gen.GuestList, error) {
	file, _ := httpapi.Upload(ctx)
	guests, leftOut, err := h.service.ReadGuestList(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), file)
	if err != nil {
		return nil, err
	}
	list := &gen.GuestList{Items: make([]gen.GuestListRow, len(guests)), LeftOutCount: leftOut}
	for i, g := range guests {
		list.Items[i] = gen.GuestListRow{Email: g.Email, Name: gen.NilString{Value: g.Name, Null: g.Name == ""},
			State: gen.GuestListRowState(g.State), Why: gen.NilGuestSkipReason{Value: gen.GuestSkipReason(g.Why), Null: g.Why == ""}}
	}
	return list, nil
}
