package httpapi

import (
	"bytes"
	"context"
	"html/template"
	"net/http"
)

// WritePage writes an HTML page that has no scripts. Its Content-Security-Policy allows the styles
// and fonts of this service. The directive is added to it, for example "form-action 'self'".
func WritePage(w http.ResponseWriter, status int, page *template.Template, data any, directive string) {
	var body bytes.Buffer
	if err := page.Execute(&body, data); err != nil {
		panic(err) // the template does not match its data
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; font-src 'self'; "+directive+"; frame-ancestors 'none'")
	w.WriteHeader(status)
	_, _ = body.WriteTo(w) // an error means that the client has disconnected
}

// WriteUnavailable responds 503 to a request of an extra route. The error is logged, but not sent to the client.
func WriteUnavailable(ctx context.Context, w http.ResponseWriter, err error) {
	stateOf(ctx).setCause(ctx, err)
	http.Error(w, "try again later", http.StatusServiceUnavailable)
}
