package view

import (
	"net/url"

	"github.com/a-h/templ"

	"moothall/api/gen"
)

// ModerationData is what the queue of reports shows.
type ModerationData struct {
	Status, Target string // the filter; "" for all
	Decided        string // id of the report that the moderator decides on; may be empty
	Reports        []gen.ReportQueueItem
	More           string // address of the next reports; "" if there are none
}

var (
	reportStatuses = []gen.ReportStatus{"", gen.ReportStatusOpen, gen.ReportStatusInReview, gen.ReportStatusResolved,
		gen.ReportStatusDismissed}
	reportTargets = []gen.ReportTargetType{"", gen.ReportTargetTypeEvent, gen.ReportTargetTypeUser, gen.ReportTargetTypeReview,
		gen.ReportTargetTypePost, gen.ReportTargetTypeComment, gen.ReportTargetTypeMessage,
		gen.ReportTargetTypeGuestMessage, gen.ReportTargetTypeGroup}
)

// on returns the address of the queue with another filter.
func (d ModerationData) on(status, target string) templ.SafeURL {
	q := url.Values{}
	if status != "" {
		q.Set("status", status)
	}
	if target != "" {
		q.Set("target_type", target)
	}
	return templ.SafeURL((&url.URL{Path: "/moderation", RawQuery: q.Encode()}).String())
}

// decisionOn returns the address of the page with the form for a report.
func (p *Page) decisionOn(report string) string {
	q := p.URL.Query()
	q.Set("report", report)
	return (&url.URL{Path: p.URL.Path, RawQuery: q.Encode(), Fragment: "report-" + report}).String()
}

// WithoutDecision returns an address of the queue without the form for a report.
func WithoutDecision(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "/moderation"
	}
	q := u.Query()
	q.Del("report")
	u.RawQuery = q.Encode()
	return u.String()
}

// decisions returns the statuses that may follow on that of a report, with actions where one
// is possible. The operation refuses all others.
func decisions(r gen.ReportQueueItem) []string {
	switch r.Status {
	case gen.ReportStatusResolved, gen.ReportStatusDismissed:
		return []string{"open"}
	case gen.ReportStatusOpen:
		return append([]string{"in_review", "dismissed", "resolved"}, actionsOn(r)...)
	default:
		return append([]string{"dismissed", "resolved"}, append(actionsOn(r), "open")...)
	}
}

func actionsOn(r gen.ReportQueueItem) []string {
	switch {
	case r.Target.Null:
		return nil
	case r.TargetType == gen.ReportTargetTypeEvent:
		return []string{"resolved cancel_event", "resolved warn_user", "resolved suspend_user"}
	case r.TargetType == gen.ReportTargetTypeGroup:
		suspension := "resolved suspend_group"
		if group, ok := r.Target.Value.GetGroup(); ok && group.SuspendedAt.Set {
			suspension = "resolved restore_group"
		}
		return []string{suspension, "resolved warn_user", "resolved suspend_user"}
	case r.TargetType == gen.ReportTargetTypeUser:
		return []string{"resolved warn_user", "resolved suspend_user"}
	}
	return []string{"resolved hide_content", "resolved warn_user", "resolved suspend_user"}
}

func isClosed(r gen.ReportQueueItem) bool { return !r.ResolvedAt.Null }

// ReportData is what the form of a report is about.
type ReportData struct {
	Target gen.ReportTargetType
	ID     string
	Back   string // address of the page from which the viewer came
}

// reportURL returns the address of the form that reports something on this page.
func (p *Page) reportURL(target gen.ReportTargetType, id string) string {
	q := url.Values{"target_type": {string(target)}, "target_id": {id}, "return_to": {p.Path()}}
	return "/report?" + q.Encode()
}

// reportReasons are the reasons that a visitor can choose.
var reportReasons = []gen.ReportReason{
	gen.ReportReasonSpam, gen.ReportReasonHarassment, gen.ReportReasonHate, gen.ReportReasonViolence, gen.ReportReasonSexualContent,
	gen.ReportReasonFraud, gen.ReportReasonImpersonation, gen.ReportReasonIllegal, gen.ReportReasonOther,
}
