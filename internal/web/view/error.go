package view

import "net/http"

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

func (p *Page) errorTitle(problem *Problem) string {
	p.Title, p.NoIndex = p.T("error.title."+errorID(problem.Status)), true
	return p.Title
}

func (p *Page) errorText(problem *Problem) string {
	id := errorID(problem.Status)
	if id == "not_found" {
		return p.T("error.no_such_page")
	}
	return p.T("error."+id, "Seconds", problem.RetryAfter)
}
