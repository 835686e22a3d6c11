package web

import (
	"context"
	"net/http"
	"net/url"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// report lets the viewer report what the query names.
func (s *Site) report(_ context.Context, v *visit) (templ.Component, error) {
	query := v.page.URL.Query()
	target := gen.ReportTargetType(query.Get("target_type"))
	if target.Validate() != nil {
		return nil, &view.Problem{Status: http.StatusNotFound}
	}
	v.page.Title, v.page.NoIndex = v.page.T("report.title."+string(target)), true
	return view.Report(v.page, view.ReportData{Target: target, ID: query.Get("target_id"), Back: localPath(query.Get("return_to"))}), nil
}

func (s *Site) createReport(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := &gen.CreateReportRequest{
		TargetType: gen.ReportTargetType(form.Get("target_type")), TargetID: formID(form, "target_id"),
		Reason: gen.ReportReason(form.Get("reason")),
	}
	if comment := form.Get("comment"); comment != "" {
		request.Comment = gen.NewOptNilString(comment)
	}
	_, err := s.api.CreateReport(ctx, request, gen.CreateReportParams{})
	return outcome{step: view.StepReported}, err
}
