package moderation

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/event"
	"moothall/internal/platform/httpapi"
	"moothall/internal/review"
	"moothall/internal/user"
)

// Handler answers the operations of this room.
type Handler struct{ service *Service }

// NewHandler answers by the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// usualPage is how many reports a page has when the client does not say.
const usualPage = 20

// CreateReport answers POST /reports.
func (h *Handler) CreateReport(ctx context.Context, req *gen.CreateReportRequest) (*gen.Report, error) {
	if err := onlyTheReporters(req); err != nil {
		return nil, err
	}
	r, err := h.service.Report(ctx, httpapi.Viewer(ctx), Draft{
		TargetType: TargetType(req.TargetType), TargetID: TargetID(req.TargetID),
		Reason: string(req.Reason), Comment: httpapi.Opt[string](req.Comment).Value,
	})
	if err != nil {
		return nil, err
	}
	r.ResolvedBy = nil // the reporter is not told who
	return new(r.toAPI()), nil
}

// onlyTheReporters refuses what a reporter does not say (contract §0).
func onlyTheReporters(req *gen.CreateReportRequest) error {
	var wrong domain.Problems
	for _, field := range []struct {
		pointer string
		sent    []byte
	}{{"/status", req.Status}, {"/action", req.Action}, {"/reporter_user_id", req.ReporterUserID}} {
		if field.sent != nil {
			wrong.Add(field.pointer, "must not be sent by the reporter")
		}
	}
	return wrong.Err()
}

// ListReports answers GET /admin/reports.
func (h *Handler) ListReports(ctx context.Context, params gen.ListReportsParams) (*gen.ReportsResponse, error) {
	f := Filter{Limit: params.Limit.Or(usualPage), Cursor: params.Cursor.Or("")}
	if status, ok := params.Status.Get(); ok {
		f.Status = new(statusOf(status))
	}
	if kind, ok := params.TargetType.Get(); ok {
		f.TargetType = new(TargetType(kind))
	}
	p, err := h.service.List(ctx, httpapi.Viewer(ctx), f)
	if err != nil {
		return nil, err
	}
	items := make([]gen.ReportQueueItem, len(p.Reports))
	for i, r := range p.Reports {
		items[i] = r.toAPI()
	}
	return &gen.ReportsResponse{Items: items, NextCursor: gen.NullString(p.Next)}, nil
}

// UpdateReport answers PATCH /admin/reports/{report_id}.
func (h *Handler) UpdateReport(ctx context.Context, req *gen.UpdateReportStatusRequest, params gen.UpdateReportParams) (*gen.UpdateReportStatusResponse, error) {
	r, done, err := h.service.Move(ctx, httpapi.Viewer(ctx), domain.ReportID(params.ReportID), Move{
		To: statusOf(req.Status), Action: Action(req.Action.Or(gen.ModerationActionKind(NoAction))), Note: httpapi.Opt[string](req.Note).Value,
	})
	if err != nil {
		return nil, err
	}
	return &gen.UpdateReportStatusResponse{Report: r.toAPI(), Action: done.toAPI()}, nil
}

// statusOf reads a status that the contract has checked.
func statusOf(s gen.ReportStatus) Status { return Status(slices.Index(statusNames, string(s))) }

func (r Report) toAPI() gen.Report {
	return gen.Report{
		ID: uuid.UUID(r.ID), ReporterUserID: gen.NullUUID(r.ReporterID),
		TargetType: gen.ReportTargetType(r.TargetType), TargetID: uuid.UUID(r.TargetID),
		Reason: gen.ReportReason(r.Reason), Comment: gen.NullString(r.Comment), Status: gen.ReportStatus(r.Status.String()),
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, ResolvedAt: gen.NullDateTime(r.ResolvedAt), ResolvedByUserID: gen.NullUUID(r.ResolvedBy),
	}
}

func (q Queued) toAPI() gen.ReportQueueItem {
	r := q.Report.toAPI()
	return gen.ReportQueueItem{
		ID: r.ID, ReporterUserID: r.ReporterUserID, TargetType: r.TargetType, TargetID: r.TargetID, Reason: r.Reason, Comment: r.Comment,
		Status: r.Status, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, ResolvedAt: r.ResolvedAt, ResolvedByUserID: r.ResolvedByUserID,
		Target: q.target(),
	}
}

func (q Queued) target() gen.NilReportedThing {
	switch {
	case q.Event != nil:
		return gen.NewNilReportedThing(gen.NewEventCardReportedThing(event.CardAPI(*q.Event)))
	case q.User != nil:
		return gen.NewNilReportedThing(gen.NewPublicProfileReportedThing(user.API(*q.User)))
	case q.Review != nil:
		return gen.NewNilReportedThing(gen.NewEventReviewReportedThing(review.API(*q.Review)))
	default:
		return gen.NilReportedThing{Null: true}
	}
}

func (r Record) toAPI() gen.ModerationAction {
	return gen.ModerationAction{
		ID: uuid.UUID(r.ID), ReportID: uuid.UUID(r.ReportID), ModeratorUserID: uuid.UUID(r.ModeratorID),
		Action: gen.ModerationActionKind(r.Action), FromStatus: gen.ReportStatus(r.From.String()), ToStatus: gen.ReportStatus(r.To.String()),
		Note: gen.NullString(r.Note), CreatedAt: r.CreatedAt,
	}
}
