package httpapi

import "net/http"

// beginTrace begins the trace of a request. A traceparent header counts only if the settings say so and a trusted
// proxy has sent it: otherwise clients could choose which requests are recorded.
func (s *Server) beginTrace(r *http.Request, st *requestState) *http.Request {
	if s.tracer == nil {
		return r
	}
	parent := ""
	if peer, ok := parseAddress(r.RemoteAddr); ok && s.continues && isTrusted(peer, s.proxies) {
		parent = r.Header.Get("Traceparent")
	}
	ctx, span := s.tracer.Begin(r.Context(), "request", parent)
	if !span.IsRecorded() {
		return r
	}
	st.span = span
	return r.WithContext(ctx)
}

// endTrace ends the trace of a request. Like the log, it has no path, query, address or name of a user.
func (st *requestState) endTrace(method string, status int) {
	st.span.Rename(st.name())
	st.span.SetText("http.request.method", knownMethod(method))
	st.span.SetNumber("http.response.status_code", status)
	st.span.SetText("request_id", st.id)
	if status >= http.StatusInternalServerError {
		st.span.Fail()
	}
	st.span.End(nil)
}
