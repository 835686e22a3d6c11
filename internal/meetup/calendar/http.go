package calendar

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of calendars.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// The default limits of lists (contract §8).
const (
	defaultEntries = 50
	defaultInvites = 20
)

// ListCalendarEntries serves GET /calendar/entries.
func (h *Handler) ListCalendarEntries(ctx context.Context, params gen.ListCalendarEntriesParams) (*gen.CalendarEntriesResponse, error) {
	page, err := h.service.List(ctx, httpapi.Viewer(ctx), Filter{
		From: params.From.Or(time.Time{}), To: params.To.Or(time.Time{}), Canceled: params.IncludeCanceled.Or(false),
		Limit: params.Limit.Or(defaultEntries), Cursor: params.Cursor.Or(""),
	})
	if err != nil {
		return nil, err
	}
	items := make([]gen.CalendarEntry, len(page.Items))
	for i, e := range page.Items {
		items[i] = *e.toAPI()
	}
	return &gen.CalendarEntriesResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

// CreateCalendarEntry serves POST /calendar/entries.
func (h *Handler) CreateCalendarEntry(ctx context.Context, req *gen.CreateCalendarEntryRequest,
	_ gen.CreateCalendarEntryParams) (*gen.CalendarEntry, error) {
	in, invitees := newInput(req)
	return entryAPI(h.service.Create(ctx, httpapi.Viewer(ctx), in, invitees))
}

// UpdateCalendarEntry serves PATCH /calendar/entries/{entry_id}.
func (h *Handler) UpdateCalendarEntry(ctx context.Context, req *gen.UpdateCalendarEntryRequest,
	params gen.UpdateCalendarEntryParams) (*gen.CalendarEntry, error) {
	return entryAPI(h.service.Update(ctx, httpapi.Viewer(ctx), domain.EntryID(params.EntryID), changeOf(req)))
}

// CancelCalendarEntry serves DELETE /calendar/entries/{entry_id}.
func (h *Handler) CancelCalendarEntry(ctx context.Context, params gen.CancelCalendarEntryParams) (*gen.CalendarEntry, error) {
	return entryAPI(h.service.Cancel(ctx, httpapi.Viewer(ctx), domain.EntryID(params.EntryID)))
}

func newInput(req *gen.CreateCalendarEntryRequest) (in Input, invitees []domain.UserID) {
	in = Input{
		Title: domain.Opt[string]{Sent: true, Value: &req.Title}, StartsAt: domain.Opt[time.Time]{Sent: true, Value: &req.StartsAt},
		EndsAt: httpapi.Opt[time.Time](req.EndsAt), Timezone: httpapi.Opt[string](req.Timezone), AllDay: httpapi.Opt[bool](req.AllDay),
		LocationText: httpapi.Opt[string](req.LocationText), Notes: httpapi.Opt[string](req.Notes),
	}
	invitees = make([]domain.UserID, len(req.InviteeUserIds))
	for i, id := range req.InviteeUserIds {
		invitees[i] = domain.UserID(id)
	}
	return in, invitees
}

func changeOf(req *gen.UpdateCalendarEntryRequest) Input {
	return Input{
		Title: httpapi.Opt[string](req.Title), StartsAt: httpapi.Opt[time.Time](req.StartsAt),
		EndsAt: httpapi.Opt[time.Time](req.EndsAt), Timezone: httpapi.Opt[string](req.Timezone), AllDay: httpapi.Opt[bool](req.AllDay),
		LocationText: httpapi.Opt[string](req.LocationText), Notes: httpapi.Opt[string](req.Notes),
	}
}

func entryAPI(e Entry, err error) (*gen.CalendarEntry, error) {
	if err != nil {
		return nil, err
	}
	return e.toAPI(), nil
}

func (e Entry) toAPI() *gen.CalendarEntry {
	return &gen.CalendarEntry{
		ID: uuid.UUID(e.ID), OwnerUserID: uuid.UUID(e.OwnerID), Source: gen.CalendarEntrySource(e.Source), EventID: gen.NullUUID(e.EventID),
		Title: e.Title, StartsAt: e.StartsAt, EndsAt: gen.NullDateTime(e.EndsAt), Timezone: e.Timezone, AllDay: e.AllDay,
		Status: gen.CalendarEntryStatus(e.Status()), LocationText: gen.NullString(e.LocationText), Notes: gen.NullString(e.Notes),
		CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
	}
}

// ListCalendarInvites serves GET /calendar/invites.
func (h *Handler) ListCalendarInvites(ctx context.Context, params gen.ListCalendarInvitesParams) (*gen.CalendarInvitesResponse, error) {
	v, role := httpapi.Viewer(ctx), string(params.Role.Or(Incoming))
	page, err := h.service.Invites(ctx, v, InviteFilter{
		Role: role, Status: string(params.Status.Or("")), Limit: params.Limit.Or(defaultInvites), Cursor: params.Cursor.Or(""),
	})
	if err != nil {
		return nil, err
	}
	items := make([]gen.CalendarInvite, len(page.Items))
	for i, invite := range page.Items {
		items[i] = *invite.toAPI(v)
	}
	response := &gen.CalendarInvitesResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}
	response.Messages.SetToNull()
	if role == Outgoing {
		sent, later, err := h.service.Messages(ctx, v)
		if err != nil {
			return nil, err
		}
		response.Messages.SetTo(gen.InvitationMessages{Sent: sent, Later: later})
	}
	return response, nil
}

// AnswerCalendarInvite serves PATCH /calendar/invites/{invite_id}.
func (h *Handler) AnswerCalendarInvite(ctx context.Context, req *gen.AnswerCalendarInviteRequest,
	params gen.AnswerCalendarInviteParams) (*gen.CalendarInvite, error) {
	v := httpapi.Viewer(ctx)
	i, err := h.service.Answer(ctx, v, domain.InvitationID(params.InviteID), string(req.Status))
	if err != nil {
		return nil, err
	}
	return i.toAPI(v), nil
}

func (i Invite) toAPI(v domain.Viewer) *gen.CalendarInvite {
	return &gen.CalendarInvite{
		Invite: gen.CalendarInviteCore{
			ID: uuid.UUID(i.ID), Status: gen.InvitationStatus(i.Status), InvitedByUserID: uuid.UUID(i.InvitedBy), InvitedUserID: uuid.UUID(i.UserID),
			EntryID: uuid.UUID(i.Entry.ID),
			EventID: gen.NullUUID(i.EventID), Role: gen.CalendarInviteRole(i.Role(v)), CreatedAt: i.CreatedAt,
			RespondedAt: gen.NullDateTime(i.RespondedAt),
		},
		Entry: gen.CalendarInviteEntry{
			ID: uuid.UUID(i.Entry.ID), Title: i.Entry.Title, StartsAt: i.Entry.StartsAt, LocationText: gen.NullString(i.Entry.LocationText),
		},
		InviterProfile: user.NullAPI(i.Inviter), InvitedProfile: user.NullAPI(i.Invited),
	}
}

// GetCalendarInvite serves GET /calendar/invites/{invite_id}.
func (h *Handler) GetCalendarInvite(ctx context.Context, params gen.GetCalendarInviteParams) (*gen.CalendarInviteDetails, error) {
	v := httpapi.Viewer(ctx)
	i, others, err := h.service.Invite(ctx, v, domain.InvitationID(params.InviteID))
	if err != nil {
		return nil, err
	}
	participants := make([]gen.CalendarInviteParticipant, len(others))
	for n, p := range others {
		participants[n] = gen.CalendarInviteParticipant{
			Invite:  gen.CalendarInviteParticipantInvite{ID: uuid.UUID(p.ID), Status: gen.InvitationStatus(p.Status)},
			Profile: user.API(p.Profile),
		}
	}
	return &gen.CalendarInviteDetails{
		ID: uuid.UUID(i.ID), Status: gen.InvitationStatus(i.Status), EntryID: uuid.UUID(i.Entry.ID), EventID: gen.NullUUID(i.EventID),
		InvitedByUserID: uuid.UUID(i.InvitedBy), InvitedUserID: uuid.UUID(i.UserID), Role: gen.CalendarInviteRole(i.Role(v)),
		CreatedAt: i.CreatedAt, RespondedAt: gen.NullDateTime(i.RespondedAt),
		Entry: gen.CalendarInviteDetailsEntry{
			ID: uuid.UUID(i.Entry.ID), Title: i.Entry.Title, StartsAt: i.Entry.StartsAt, EndsAt: gen.NullDateTime(i.Entry.EndsAt),
			Timezone: i.Entry.Timezone, LocationText: gen.NullString(i.Entry.LocationText),
		},
		InviterProfile: user.NullAPI(i.Inviter), InvitedProfile: user.NullAPI(i.Invited),
		Participants: participants,
	}, nil
}

// GetCalendarFeed serves GET /calendar/feed.
func (h *Handler) GetCalendarFeed(ctx context.Context) (*gen.CalendarFeed, error) {
	return feedAPI(h.service.Feed(ctx, httpapi.Viewer(ctx)))
}

// OpenCalendarFeed serves POST /calendar/feed.
func (h *Handler) OpenCalendarFeed(ctx context.Context, _ gen.OpenCalendarFeedParams) (*gen.CalendarFeed, error) {
	return feedAPI(h.service.OpenFeed(ctx, httpapi.Viewer(ctx)))
}

// CloseCalendarFeed serves DELETE /calendar/feed.
func (h *Handler) CloseCalendarFeed(ctx context.Context) error {
	return h.service.CloseFeed(ctx, httpapi.Viewer(ctx))
}

func feedAPI(f Feed, err error) (*gen.CalendarFeed, error) {
	if err != nil {
		return nil, err
	}
	return &gen.CalendarFeed{URL: f.URL, CreatedAt: f.CreatedAt}, nil
}

// ReadCalendarFeed serves GET /calendar/feeds/{feed}.
func (h *Handler) ReadCalendarFeed(ctx context.Context, params gen.ReadCalendarFeedParams) (gen.ReadCalendarFeedRes, error) {
	secret, ok := strings.CutSuffix(params.Feed, ".ics")
	if !ok {
		return nil, domain.NotFound
	}
	calendar, err := h.service.ReadFeed(ctx, secret)
	if err != nil {
		return nil, err
	}
	tag, same := etag(ctx, calendar, params.IfNoneMatch.Or(""))
	if same {
		return &gen.NotModified{ETag: tag}, nil
	}
	return &gen.CalendarHeaders{ETag: tag, Response: gen.Calendar{Data: bytes.NewReader(calendar)}}, nil
}

// DownloadEventCalendar serves GET /events/{event_id}/calendar.ics.
func (h *Handler) DownloadEventCalendar(ctx context.Context, params gen.DownloadEventCalendarParams) (gen.DownloadEventCalendarRes, error) {
	calendar, err := h.service.EventCalendar(ctx, httpapi.Viewer(ctx), domain.EventID(params.EventID))
	if err != nil {
		return nil, err
	}
	tag, same := etag(ctx, calendar, params.IfNoneMatch.Or(""))
	if same {
		return &gen.NotModified{ETag: tag}, nil
	}
	return &gen.CalendarHeaders{ETag: tag, Response: gen.Calendar{Data: bytes.NewReader(calendar)}}, nil
}

// etag returns the ETag of a calendar and whether it equals the client's version.
// The client may cache the calendar, but must revalidate it each time.
func etag(ctx context.Context, calendar []byte, known string) (tag string, same bool) {
	httpapi.ResponseHeader(ctx).Set("Cache-Control", "private, no-cache")
	sum := sha256.Sum256(calendar)
	tag = `"` + hex.EncodeToString(sum[:16]) + `"`
	return tag, httpapi.MatchesETag(known, tag)
}
