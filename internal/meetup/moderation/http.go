package moderation

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/address"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/group"
	"moothall/internal/meetup/review"
	"moothall/internal/platform/httpapi"
)

// Handler serves the operations on reports.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// CreateReport serves POST /reports.
func (h *Handler) CreateReport(ctx context.Context, req *gen.CreateReportRequest, _ gen.CreateReportParams) (*gen.Report, error) {
	if err := checkReport(ctx, req); err != nil {
		return nil, err
	}
	r, err := h.service.Report(ctx, httpapi.Viewer(ctx), draftOf(req))
	if err != nil {
		return nil, err
	}
	r.ResolvedBy = nil // hidden from the reporter
	return new(r.toAPI()), nil
}

func draftOf(req *gen.CreateReportRequest) Draft {
	return Draft{
		TargetType: TargetType(req.TargetType), TargetID: TargetID(req.TargetID),
		Reason: string(req.Reason), Comment: httpapi.Opt[string](req.Comment).Value,
	}
}

func moveOf(req *gen.UpdateReportStatusRequest) Move {
	return Move{
		To: statusOf(req.Status), Action: Action(req.Action.Or(gen.ModerationActionKind(NoAction))), Note: httpapi.Opt[string](req.Note).Value,
	}
}

// checkReport returns an error that names every wrong field of a report.
func checkReport(ctx context.Context, req *gen.CreateReportRequest) error {
	var problems domain.Problems
	problems.AddAll(refuseModeratorFields(req))
	problems.AddAll(new(draftOf(req)).clean(httpapi.Viewer(ctx)))
	return problems.Err()
}

// refuseModeratorFields returns an error if the reporter sent fields that the server
// sets (contract §0).
func refuseModeratorFields(req *gen.CreateReportRequest) error {
	var problems domain.Problems
	for _, field := range []struct {
		pointer string
		sent    []byte
	}{{"/status", req.Status}, {"/action", req.Action}, {"/reporter_user_id", req.ReporterUserID}} {
		if field.sent != nil {
			problems.Add(field.pointer, "must not be sent by the reporter")
		}
	}
	return problems.Err()
}

// ListReports serves GET /admin/reports.
func (h *Handler) ListReports(ctx context.Context, params gen.ListReportsParams) (*gen.ReportsResponse, error) {
	f := Filter{Limit: params.Limit.Or(domain.DefaultLimit), Cursor: params.Cursor.Or("")}
	if status, ok := params.Status.Get(); ok {
		f.Status = new(statusOf(status))
	}
	if kind, ok := params.TargetType.Get(); ok {
		f.TargetType = new(TargetType(kind))
	}
	page, err := h.service.List(ctx, httpapi.Viewer(ctx), f)
	if err != nil {
		return nil, err
	}
	items := make([]gen.ReportQueueItem, len(page.Items))
	for i, r := range page.Items {
		items[i] = r.toAPI(h.service.Events.Pages)
	}
	return &gen.ReportsResponse{Items: items, NextCursor: gen.NullCursor(page.Next)}, nil
}

// CountOpenReports serves GET /admin/reports/open-count.
func (h *Handler) CountOpenReports(ctx context.Context) (*gen.OpenReportsResponse, error) {
	n, err := h.service.CountOpen(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	return &gen.OpenReportsResponse{OpenCount: n}, nil
}

// UpdateReport serves PATCH /admin/reports/{report_id}.
func (h *Handler) UpdateReport(ctx context.Context, req *gen.UpdateReportStatusRequest,
	params gen.UpdateReportParams) (*gen.UpdateReportStatusResponse, error) {
	r, record, err := h.service.Move(ctx, httpapi.Viewer(ctx), domain.ReportID(params.ReportID), moveOf(req))
	if err != nil {
		return nil, err
	}
	return &gen.UpdateReportStatusResponse{Report: r.toAPI(), Action: record.toAPI()}, nil
}

// statusOf converts a status that the generated code has validated.
func statusOf(s gen.ReportStatus) Status { return Status(slices.Index(statusNames, string(s))) }

func (r Report) toAPI() gen.Report {
	return gen.Report{
		ID: uuid.UUID(r.ID), ReporterUserID: gen.NullUUID(r.ReporterID),
		TargetType: gen.ReportTargetType(r.TargetType), TargetID: uuid.UUID(r.TargetID),
		Reason: gen.ReportReason(r.Reason), Comment: gen.NullString(r.Comment), Status: gen.ReportStatus(r.Status.String()),
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, ResolvedAt: gen.NullDateTime(r.ResolvedAt), ResolvedByUserID: gen.NullUUID(r.ResolvedBy),
	}
}

func (q Queued) toAPI(pages address.Pages) gen.ReportQueueItem {
	r, reporter, text := q.Report.toAPI(), user.NullAPI(q.Reporter), gen.NullString(q.Text)
	return gen.ReportQueueItem{
		ID: r.ID, ReporterUserID: r.ReporterUserID, TargetType: r.TargetType, TargetID: r.TargetID, Reason: r.Reason, Comment: r.Comment,
		Status: r.Status, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, ResolvedAt: r.ResolvedAt, ResolvedByUserID: r.ResolvedByUserID,
		Target:   q.target(pages),
		Reporter: gen.OptNilPublicProfile{Value: reporter.Value, Set: true, Null: reporter.Null},
		Text:     gen.OptNilString{Value: text.Value, Set: true, Null: text.Null},
	}
}

func (q Queued) target(pages address.Pages) gen.NilReportedThing {
	switch {
	case q.Event != nil:
		return gen.NewNilReportedThing(gen.NewEventCardReportedThing(event.CardAPI(*q.Event, pages)))
	case q.User != nil:
		return gen.NewNilReportedThing(gen.NewPublicProfileReportedThing(user.API(*q.User)))
	case q.Group != nil:
		return gen.NewNilReportedThing(gen.NewGroupReportedThing(group.API(*q.Group, pages)))
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
