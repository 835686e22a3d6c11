package attendance

import (
	"context"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/access"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// CreateInviteLink serves POST /events/{event_id}/invite-links.
func (h *Handler) CreateInviteLink(ctx context.Context, req gen.OptCreateInviteLinkRequest, params gen.CreateInviteLinkParams) (
	*gen.InviteLink, error) {
	l, err := h.service.CreateInviteLink(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), inviteLinkLimitsOf(req.Value))
	if err != nil {
		return nil, err
	}
	return new(h.inviteLinkAPI(l)), nil
}

func inviteLinkLimitsOf(req gen.CreateInviteLinkRequest) (l InviteLinkLimits) {
	if n, sent := req.MaxUses.Get(); sent {
		l.MaxUses = new(int64(n))
	}
	if at, sent := req.ExpiresAt.Get(); sent {
		l.ExpiresAt = new(at.UTC().Truncate(time.Microsecond)) // as it is stored
	}
	return l
}

// ListInviteLinks serves GET /events/{event_id}/invite-links.
func (h *Handler) ListInviteLinks(ctx context.Context, params gen.ListInviteLinksParams) (*gen.InviteLinksResponse, error) {
	page, err := h.service.InviteLinks(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.InviteLink, len(page.Items))
	for i, l := range page.Items {
		items[i] = h.inviteLinkAPI(l)
	}
	return &gen.InviteLinksResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

// EndInviteLink serves DELETE /events/{event_id}/invite-links/{link_id}.
func (h *Handler) EndInviteLink(ctx context.Context, params gen.EndInviteLinkParams) error {
	return h.service.EndInviteLink(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID), domain.InviteLinkID(params.LinkID))
}

// GetInviteLink serves GET /invite-links/{token}.
func (h *Handler) GetInviteLink(ctx context.Context, params gen.GetInviteLinkParams) (*gen.InviteLinkPreview, error) {
	e, err := h.service.OpenInviteLink(ctx, httpapi.Viewer(ctx), params.Token)
	if err != nil {
		return nil, err
	}
	preview := &gen.InviteLinkPreview{
		Title: e.Title, StartsAt: e.StartsAt, EndsAt: gen.NullDateTime(e.EndsAt), Timezone: e.Timezone, City: gen.NullString(e.City),
		ImageURL: gen.NullString(e.ImageURL), ImageAlt: gen.OptionalString(e.ImageAlt), Host: user.API(e.Host),
		EventID: gen.NilUUID{Null: true},
	}
	if e.Sees() {
		preview.EventID = gen.NewNilUUID(uuid.UUID(e.EventID))
	}
	return preview, nil
}

// AcceptInviteLink serves POST /invite-links/{token}/accept.
func (h *Handler) AcceptInviteLink(ctx context.Context, req gen.OptAcceptInviteLinkRequest, params gen.AcceptInviteLinkParams) (
	*gen.EventInvitation, error) {
	status := req.Value.Status.Or(gen.AcceptInviteLinkRequestStatusAccepted)
	r := RSVP{Status: access.Invitation(status), Terms: termsOf(req.Value.ParticipationVisibility, req.Value.PartySize,
		req.Value.Answers)}
	i, err := h.service.AcceptInviteLink(ctx, httpapi.Viewer(ctx), params.Token, r)
	if err != nil {
		return nil, err
	}
	return invitationAPI(i), nil
}

func (h *Handler) inviteLinkAPI(l InviteLink) gen.InviteLink {
	return gen.InviteLink{
		ID: uuid.UUID(l.ID), EventID: uuid.UUID(l.EventID), URL: h.service.Pages.InviteLink(h.service.InviteToken(l.ID)), Uses: int(l.Uses),
		MaxUses: gen.NullInt(l.MaxUses), ExpiresAt: gen.NullDateTime(l.ExpiresAt), CreatedAt: l.CreatedAt,
	}
}
