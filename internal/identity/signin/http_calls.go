package signin

import (
	"context"
	_ "embed" // the development page
	"html/template"
	"net/http"
	"time"

	"moothall/internal/identity/signin/telephony"
	"moothall/internal/platform/form"
	"moothall/internal/platform/httpapi"
)

const pageTimeout = 5 * time.Second

// PhoneReports handles the reports that a telephony provider sends, outside the
// contract. It answers 404 if another provider is configured, and 403 to a
// request that is not authenticated as the provider's.
func (h *Handler) PhoneReports(provider string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !h.usesProvider(provider) {
			http.NotFound(w, r)
			return
		}
		p := h.service.Phone.Provider
		f, err := form.Read(r)
		if err != nil {
			http.Error(w, "malformed form", http.StatusBadRequest)
			return
		}
		for name, values := range r.URL.Query() {
			f.Values[name] = append(f.Values[name], values...)
		}
		reports, err := p.Reports(f.Values)
		if err != nil {
			http.Error(w, "not from the provider", http.StatusForbidden)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), pageTimeout)
		defer cancel()
		if err := h.service.HandleReports(ctx, provider, reports); err != nil {
			httpapi.WriteUnavailable(ctx, w, err)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte(p.Ack())) // an error means that the provider has disconnected
	}
}

// usesProvider reports whether this provider is configured.
func (h *Handler) usesProvider(name string) bool {
	p := h.service.Phone.Provider
	return p != nil && p.Name() == name
}

//go:embed calls.html
var callsHTML string

var callsTemplate = template.Must(template.New("calls").Parse(callsHTML))

// development is the name of the provider whose calls the page simulates.
var development = telephony.NewDevelopment().Name()

// PendingCallsPage lists the calls that the development provider expects; 404
// with any other provider.
func (h *Handler) PendingCallsPage(w http.ResponseWriter, r *http.Request) {
	if !h.usesProvider(development) {
		http.NotFound(w, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pageTimeout)
	defer cancel()
	calls, err := h.service.PendingCalls(ctx, development)
	if err != nil {
		httpapi.WriteUnavailable(ctx, w, err)
		return
	}
	httpapi.WritePage(w, http.StatusOK, callsTemplate, calls, "form-action 'self'")
}

// SimulateCall simulates the call of the page's form. It answers 404 with a real
// provider and 403 to a form of another site.
func (h *Handler) SimulateCall(w http.ResponseWriter, r *http.Request) {
	if !h.usesProvider(development) {
		http.NotFound(w, r)
		return
	}
	if http.NewCrossOriginProtection().Check(r) != nil {
		http.Error(w, "cross-origin form", http.StatusForbidden)
		return
	}
	f, err := form.Read(r)
	if err != nil {
		http.Error(w, "malformed form", http.StatusBadRequest)
		return
	}
	phone, err := h.service.Phone.Rules.Parse(f.Get("phone"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pageTimeout)
	defer cancel()
	report := telephony.Report{Ref: telephony.CallRef(string(phone), f.Get("number")), Status: telephony.Confirmed}
	if err := h.service.HandleReports(ctx, development, []telephony.Report{report}); err != nil {
		httpapi.WriteUnavailable(ctx, w, err)
		return
	}
	http.Redirect(w, r, "/dev/calls", http.StatusSeeOther)
}
