package session

import (
	"bytes"
	"context"
	_ "embed" // the development page
	"errors"
	"html/template"
	"net/http"
	"time"

	"moothall/internal/platform/httpapi"
	"moothall/internal/session/telephony"
	"moothall/internal/user"
)

const (
	maxForm      = 64 << 10 // bytes
	pagePatience = 5 * time.Second
)

// PhoneReports takes what the telephony provider sends by itself, outside the
// contract. Whatever does not prove to come from the provider changes nothing.
func (h *Handler) PhoneReports(provider string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !h.phoneBy(provider) {
			http.NotFound(w, r)
			return
		}
		p := h.service.opts.Phone.Provider
		if err := readForm(w, r); err != nil {
			http.Error(w, "the form is malformed", http.StatusBadRequest)
			return
		}
		reports, err := p.Reports(r.Form)
		if err != nil {
			http.Error(w, "not from the provider", http.StatusForbidden)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), pagePatience)
		defer cancel()
		if err := h.service.Called(ctx, provider, reports); err != nil {
			tryLater(ctx, w, err)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(p.Receipt())) // the provider is gone: nobody to tell
	}
}

// phoneBy reports whether that provider is the one that is set.
func (h *Handler) phoneBy(provider string) bool {
	p := h.service.opts.Phone.Provider
	return p != nil && p.Name() == provider
}

func tryLater(ctx context.Context, w http.ResponseWriter, err error) {
	httpapi.Failed(ctx, err)
	http.Error(w, "try again later", http.StatusServiceUnavailable)
}

// readForm reads a form of either encoding, into memory.
func readForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return err
	}
	if err := r.ParseMultipartForm(maxForm); !errors.Is(err, http.ErrNotMultipart) { //nolint:gosec // the body is bounded above
		return err
	}
	return nil
}

//go:embed calls.html
var callsHTML string

var callsTemplate = template.Must(template.New("calls").Parse(callsHTML))

// development is the name of the provider whose calls a page plays.
var development = telephony.NewDevelopment().Name()

// PendingCallsPage lists the calls that are waited for where no real provider
// is set. 404 elsewhere.
func (h *Handler) PendingCallsPage(w http.ResponseWriter, r *http.Request) {
	if !h.phoneBy(development) {
		http.NotFound(w, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pagePatience)
	defer cancel()
	calls, err := h.service.PendingCalls(ctx, development)
	if err != nil {
		tryLater(ctx, w, err)
		return
	}
	var page bytes.Buffer
	if err := callsTemplate.Execute(&page, calls); err != nil {
		panic(err) // the template and its data are ours
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'")
	_, _ = page.WriteTo(w) // the client is gone: nobody to tell
}

// PlayCall plays the call of the page's form. 404 where a real provider is set,
// 403 for a form on another site's page.
func (h *Handler) PlayCall(w http.ResponseWriter, r *http.Request) {
	if !h.phoneBy(development) {
		http.NotFound(w, r)
		return
	}
	if http.NewCrossOriginProtection().Check(r) != nil {
		http.Error(w, "this form is not ours", http.StatusForbidden)
		return
	}
	if err := readForm(w, r); err != nil {
		http.Error(w, "the form is malformed", http.StatusBadRequest)
		return
	}
	phone, err := h.service.opts.Phone.Rules.Parse(r.PostFormValue("phone"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pagePatience)
	defer cancel()
	if err := h.service.Called(ctx, development, playedCall(phone, r.PostFormValue("number"))); err != nil {
		tryLater(ctx, w, err)
		return
	}
	http.Redirect(w, r, "/dev/calls", http.StatusSeeOther)
}

func playedCall(phone user.Phone, number string) []telephony.Report {
	return []telephony.Report{{Ref: telephony.CallRef(string(phone), number), Status: telephony.Confirmed}}
}
