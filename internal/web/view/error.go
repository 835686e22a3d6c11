package view

import (
	"net/http"
	"slices"
	"strings"
)

// errorID returns the text of a status: the not-found page does not distinguish hidden from missing.
func errorID(status int) string {
	switch {
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return "not_found"
	case status == http.StatusForbidden:
		return "forbidden"
	case status == http.StatusRequestEntityTooLarge:
		return "payload_too_large"
	case status == http.StatusTooManyRequests:
		return "rate_limited"
	case status == http.StatusServiceUnavailable:
		return "service_unavailable"
	case status < http.StatusInternalServerError:
		return "invalid_request"
	}
	return "internal_error"
}

// eventPages begin the addresses of pages of events.
var eventPages = []string{"/e/", "/events/", "/i/"}

// mayBeInvited reports whether a signed-out viewer may see an event after signing in, for all that the page says: hidden and missing
// events have the same page.
func (p *Page) mayBeInvited(problem *Problem) bool {
	return errorID(problem.Status) == "not_found" && !p.SignedIn() &&
		slices.ContainsFunc(eventPages, func(prefix string) bool { return strings.HasPrefix(p.URL.Path, prefix) })
}

func (p *Page) errorTitle(problem *Problem) string {
	id := errorID(problem.Status)
	if p.mayBeInvited(problem) {
		id = "not_invited"
	}
	p.Title, p.NoIndex = p.T("error.title."+id), true
	return p.Title
}

func (p *Page) errorText(problem *Problem) string {
	id := errorID(problem.Status)
	switch {
	case p.mayBeInvited(problem):
		return p.T("error.not_invited")
	case id == "not_found":
		return p.T("error.no_such_page")
	}
	return p.T("error."+id, "Seconds", problem.RetryAfter)
}
