package web

import (
	"context"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// reportsPerPage is the number of reports that a moderator sees before "More".
const reportsPerPage = 20

// moderation shows the queue of reports to moderators, and the form that decides on one of them.
func (s *Site) moderation(ctx context.Context, v *visit) (templ.Component, error) {
	query := v.page.URL.Query()
	status, target := query.Get("status"), query.Get("target_type")
	list, err := s.api.ListReports(ctx, gen.ListReportsParams{
		Status:     gen.OptReportStatus{Value: gen.ReportStatus(status), Set: status != ""},
		TargetType: gen.OptReportTargetType{Value: gen.ReportTargetType(target), Set: target != ""},
		Cursor:     optional(query, "cursor"),
		Limit:      gen.NewOptInt(reportsPerPage),
	})
	if err != nil {
		return nil, err
	}
	v.page.Title, v.page.NoIndex = v.page.T("moderation.title"), true
	return view.Moderation(v.page, view.ModerationData{
		Status: status, Target: target, Decided: query.Get("report"), Reports: list.Items, More: v.more("cursor", list.NextCursor),
	}), nil
}

// updateReport stores the decision of a moderator: a status, and an action where one follows.
func (s *Site) updateReport(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	status, action, _ := strings.Cut(form.Get("decision"), " ")
	request := &gen.UpdateReportStatusRequest{Status: gen.ReportStatus(status)}
	if action != "" {
		request.Action = gen.NewOptModerationActionKind(gen.ModerationActionKind(action))
	}
	if note := form.Get("note"); note != "" {
		request.Note = gen.NewOptNilString(note)
	}
	_, err := s.api.UpdateReport(ctx, request, gen.UpdateReportParams{ReportID: formID(form, "report_id")})
	return outcome{to: view.WithoutDecision(localPath(form.Get("page")))}, err
}
