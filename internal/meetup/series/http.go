package series

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/question"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/recurrence"
)

// Handler serves the operations on series.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// CreateEventSeries serves POST /event-series.
func (h *Handler) CreateEventSeries(ctx context.Context, req *gen.CreateEventSeriesRequest,
	_ gen.CreateEventSeriesParams) (*gen.EventSeries, error) {
	return respond(ctx)(h.service.Create(ctx, httpapi.Viewer(ctx), newOf(req)))
}

func newOf(req *gen.CreateEventSeriesRequest) New {
	in := New{Rule: req.Rrule, StartsAt: string(req.StartsAt), Timezone: req.Timezone, Minutes: minutes(req.DurationMinutes).Value,
		Publish: string(req.Publish.Or(Automatic)), Horizon: int64(req.HorizonDays.Or(defaultHorizon)), Template: event.InputOf(&req.Template)}
	if req.QuestionsEventID.Set && !req.QuestionsEventID.Null {
		in.QuestionsOf = new(domain.EventID(req.QuestionsEventID.Value))
	}
	return in
}

func minutes(m gen.OptNilInt) domain.Opt[int64] {
	out := domain.Opt[int64]{Sent: m.Set}
	if m.Set && !m.Null {
		out.Value = new(int64(m.Value))
	}
	return out
}

// GetEventSeries serves GET /event-series/{series_id}.
func (h *Handler) GetEventSeries(ctx context.Context, params gen.GetEventSeriesParams) (*gen.EventSeries, error) {
	return respond(ctx)(h.service.Get(ctx, httpapi.Viewer(ctx), domain.SeriesID(params.SeriesID)))
}

// UpdateEventSeries serves PATCH /event-series/{series_id}.
func (h *Handler) UpdateEventSeries(ctx context.Context, req *gen.UpdateEventSeriesRequest,
	params gen.UpdateEventSeriesParams) (*gen.SeriesChange, error) {
	apply := Apply(req.Apply.Or(gen.UpdateEventSeriesRequestApplyLater))
	c, err := h.service.Update(ctx, httpapi.Viewer(ctx), domain.SeriesID(params.SeriesID), event.InputOf(&req.Template), apply)
	if err != nil {
		return nil, err
	}
	return &gen.SeriesChange{Changed: c.Changed, LeftAlone: uuids(c.LeftAlone)}, nil
}

// ListSeriesEvents serves GET /event-series/{series_id}/events.
func (h *Handler) ListSeriesEvents(ctx context.Context, params gen.ListSeriesEventsParams) (*gen.MyEventsResponse, error) {
	page, err := h.service.ComingEvents(ctx, httpapi.Viewer(ctx), domain.SeriesID(params.SeriesID), params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items := make([]gen.EventCard, len(page.Items))
	for i, c := range page.Items {
		items[i] = event.CardAPI(c, h.service.Events.Pages)
	}
	return &gen.MyEventsResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

// ListMyEventSeries serves GET /me/event-series.
func (h *Handler) ListMyEventSeries(ctx context.Context, params gen.ListMyEventSeriesParams) (*gen.MyEventSeriesResponse, error) {
	page, err := h.service.Mine(ctx, httpapi.Viewer(ctx), params.Limit.Or(domain.DefaultLimit), params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	out := &gen.MyEventSeriesResponse{Items: make([]gen.EventSeries, len(page.Items)), NextCursor: gen.NullCursor(page.Next)}
	for i, s := range page.Items {
		item, err := respond(ctx)(s, nil)
		if err != nil {
			return nil, err
		}
		out.Items[i] = *item
	}
	return out, nil
}

// ListSeriesDates serves GET /event-series/{series_id}/dates.
func (h *Handler) ListSeriesDates(ctx context.Context, params gen.ListSeriesDatesParams) (*gen.SeriesDatesResponse, error) {
	s, page, err := h.service.ComingDates(ctx, httpapi.Viewer(ctx), domain.SeriesID(params.SeriesID), params.Limit.Or(domain.DefaultLimit),
		params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	out := &gen.SeriesDatesResponse{Items: make([]gen.SeriesDateState, len(page.Items)), NextCursor: gen.NullCursor(page.Next)}
	for i, d := range page.Items {
		out.Items[i] = gen.SeriesDateState{OccurrenceAt: gen.LocalDateTime(d.Occurrence), StartsAt: d.StartsAt,
			State: gen.SeriesDateStateState(d.State), Moved: d.Moved(s.Timezone), EventID: gen.NullUUID(d.Event)}
	}
	return out, nil
}

// PreviewEventSeries serves GET /event-series/preview.
func (h *Handler) PreviewEventSeries(_ context.Context, params gen.PreviewEventSeriesParams) (*gen.SeriesPreview, error) {
	dates, gaps, err := h.service.Preview(params.Rrule, string(params.StartsAt), params.Timezone)
	if err != nil {
		return nil, err
	}
	out := &gen.SeriesPreview{Dates: make([]gen.SeriesDate, len(dates)), Gaps: gaps}
	for i, d := range dates {
		out.Dates[i] = gen.SeriesDate{OccurrenceAt: gen.LocalDateTime(d.Local.Format(recurrence.Layout)), StartsAt: d.At}
	}
	return out, nil
}

// SkipSeriesDate serves POST /event-series/{series_id}/skip.
func (h *Handler) SkipSeriesDate(ctx context.Context, req *gen.SkipSeriesDateRequest,
	params gen.SkipSeriesDateParams) (*gen.EventSeries, error) {
	id := domain.SeriesID(params.SeriesID)
	return h.after(ctx, id, h.service.Skip(ctx, httpapi.Viewer(ctx), id, string(req.OccurrenceAt)))
}

// SplitEventSeries serves POST /event-series/{series_id}/split.
func (h *Handler) SplitEventSeries(ctx context.Context, req *gen.SplitEventSeriesRequest,
	params gen.SplitEventSeriesParams) (*gen.SeriesSplit, error) {
	in := Continuation{From: string(req.From), Rule: req.Rrule, StartsAt: string(req.StartsAt), Minutes: minutes(req.DurationMinutes)}
	r, c, err := h.service.Split(ctx, httpapi.Viewer(ctx), domain.SeriesID(params.SeriesID), in)
	if err != nil {
		return nil, err
	}
	next, err := respond(ctx)(r, nil)
	if err != nil {
		return nil, err
	}
	return &gen.SeriesSplit{Series: *next, Canceled: c.Changed, LeftAlone: uuids(c.LeftAlone)}, nil
}

// PauseEventSeries serves POST /event-series/{series_id}/pause.
func (h *Handler) PauseEventSeries(ctx context.Context, params gen.PauseEventSeriesParams) (*gen.EventSeries, error) {
	return h.setStatus(ctx, domain.SeriesID(params.SeriesID), Paused)
}

// ResumeEventSeries serves POST /event-series/{series_id}/resume.
func (h *Handler) ResumeEventSeries(ctx context.Context, params gen.ResumeEventSeriesParams) (*gen.EventSeries, error) {
	return h.setStatus(ctx, domain.SeriesID(params.SeriesID), Active)
}

// EndEventSeries serves POST /event-series/{series_id}/end.
func (h *Handler) EndEventSeries(ctx context.Context, params gen.EndEventSeriesParams) (*gen.EventSeries, error) {
	return h.setStatus(ctx, domain.SeriesID(params.SeriesID), Ended)
}

// JoinEventSeries serves POST /event-series/{series_id}/join.
func (h *Handler) JoinEventSeries(ctx context.Context, req gen.OptJoinEventSeriesRequest,
	params gen.JoinEventSeriesParams) (*gen.SeriesJoin, error) {
	terms := Terms{Visibility: string(req.Value.ParticipationVisibility.Or("")), Answers: question.FromAPI(req.Value.Answers)}
	j, err := h.service.Join(ctx, httpapi.Viewer(ctx), domain.SeriesID(params.SeriesID), terms)
	if err != nil {
		return nil, err
	}
	return &gen.SeriesJoin{Joined: j.Joined, Waiting: j.Waiting, Refused: uuids(j.Refused)}, nil
}

// LeaveEventSeries serves DELETE /event-series/{series_id}/join.
func (h *Handler) LeaveEventSeries(ctx context.Context, params gen.LeaveEventSeriesParams) error {
	leaves := params.Dates.Value == gen.LeaveEventSeriesDatesLeave
	return h.service.Leave(ctx, httpapi.Viewer(ctx), domain.SeriesID(params.SeriesID), leaves)
}

func (h *Handler) setStatus(ctx context.Context, id domain.SeriesID, to Status) (*gen.EventSeries, error) {
	return h.after(ctx, id, h.service.SetStatus(ctx, httpapi.Viewer(ctx), id, to))
}

// after returns a series that a request has changed.
func (h *Handler) after(ctx context.Context, id domain.SeriesID, err error) (*gen.EventSeries, error) {
	if err != nil {
		return nil, err
	}
	return respond(ctx)(h.service.Get(ctx, httpapi.Viewer(ctx), id))
}

// respond returns a series as the caller sees it.
func respond(ctx context.Context) func(Series, error) (*gen.EventSeries, error) {
	return func(s Series, err error) (*gen.EventSeries, error) {
		if err != nil {
			return nil, err
		}
		title, err := s.Template.Title()
		if err != nil {
			return nil, err
		}
		return &gen.EventSeries{
			ID: uuid.UUID(s.ID), OrganizerID: uuid.UUID(s.Owner), Title: title, Rrule: s.Rule, StartsAt: gen.LocalDateTime(s.StartsAt),
			Timezone: s.Timezone, DurationMinutes: gen.NullInt(s.Minutes), Status: gen.EventSeriesStatus(s.Status),
			Publish: gen.SeriesPublish(s.Publish), HorizonDays: int(s.Horizon), CreatedAt: s.CreatedAt,
			ViewerIsOrganizer: s.Owner == httpapi.Viewer(ctx).UserID, ViewerJoined: s.Joined,
		}, nil
	}
}

func uuids(ids []domain.EventID) []uuid.UUID {
	out := make([]uuid.UUID, len(ids))
	for i, id := range ids {
		out[i] = uuid.UUID(id)
	}
	return out
}
