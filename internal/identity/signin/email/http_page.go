package email

import (
	"context"
	_ "embed" // the page
	"errors"
	"html/template"
	"net/http"
	"time"

	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/platform/form"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/text"
)

const pageTimeout = 5 * time.Second

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// page is the data of the template. Without a Token it shows only the Message.
type page struct {
	Language string
	Title    string
	Message  string
	Token    string
	Number   string // label of the field for the number; empty: no field
	Warning  string
	Button   string
}

// LinkPage serves GET /login/confirm: a button, which posts the form. It changes nothing.
func (h *Handler) LinkPage(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, func(ctx context.Context, l text.Language) (int, page, error) {
		token := r.URL.Query().Get("c")
		link, err := h.service.FindLink(ctx, token, h.browserChallenge(ctx))
		if err != nil {
			return 0, page{}, err
		}
		if link.Here {
			return http.StatusOK, page{Token: token, Message: l.Message("page.here", nil), Button: l.Message("page.button", nil)}, nil
		}
		device := l.Message("page.device", nil)
		if link.Device != nil {
			device = *link.Device
		}
		return http.StatusOK, page{
			Token: token, Message: l.Message("page.elsewhere", map[string]any{"Minutes": int(link.Age / time.Minute), "Device": device}),
			Number: l.Message("page.number", nil), Warning: l.Message("page.warning", nil), Button: l.Message("page.confirm", nil),
		}, nil
	})
}

// ConfirmLink serves POST /login/confirm. In the browser that started it signs in and opens
// the web client; elsewhere it confirms the sign-in. It answers 403 to a form of another
// site.
func (h *Handler) ConfirmLink(w http.ResponseWriter, r *http.Request) {
	h.serve(w, r, func(ctx context.Context, l text.Language) (int, page, error) {
		if err := h.protection.Check(r); err != nil {
			return 0, page{}, errors.Join(domain.Forbidden, err)
		}
		f, err := form.Read(r)
		if err != nil {
			return 0, page{}, errors.Join(domain.Forbidden, err)
		}
		err = h.service.Limits.Spend(ctx, ConfirmsPerAddress, ratelimit.Address(httpapi.Client(ctx).Address))
		if err != nil {
			return 0, page{}, err
		}
		link, err := h.service.FindLink(ctx, f.Get("c"), h.browserChallenge(ctx))
		if err != nil {
			return 0, page{}, err
		}
		if !link.Here {
			err := h.service.Confirm(ctx, link, f.Get("number"))
			return http.StatusOK, page{Message: l.Message("page.done", nil)}, err
		}
		in, err := h.service.SignInHere(ctx, link, session.ClientOf(ctx))
		if errors.Is(err, domain.Unauthorized) {
			err = domain.NotFound
		}
		if err != nil {
			return 0, page{}, err
		}
		h.sessions.Begin(ctx, in)
		httpapi.SetCookie(ctx, h.cookie("", -1))
		w.Header().Set("Location", h.service.WebOrigin+link.ReturnTo)
		return http.StatusSeeOther, page{}, nil
	})
}

func (h *Handler) browserChallenge(ctx context.Context) string {
	challenge, _ := httpapi.Cookie(ctx, h.cookieName())
	return challenge
}

// serve writes the page that answer returns, or the page of its error.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, answer func(ctx context.Context, l text.Language) (int, page, error)) {
	if h.service.Transport == nil {
		http.NotFound(w, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pageTimeout)
	defer cancel()
	l := text.BestLanguage(languages, r.Header.Get("Accept-Language"))
	status, p, err := answer(ctx, l)
	switch {
	case err == nil:
	case errors.Is(err, domain.NotFound):
		status, p = http.StatusGone, page{Message: l.Message("page.gone", nil)}
	case errors.Is(err, domain.Forbidden):
		status, p = http.StatusForbidden, page{Message: l.Message("page.gone", nil)}
	case errors.Is(err, domain.Unauthorized):
		httpapi.LogSecurity(ctx, httpapi.SignInFailed, domain.Viewer{})
		status, p = http.StatusForbidden, page{Message: l.Message("page.wrong", nil)}
	case errors.Is(err, domain.RateLimited):
		status, p = http.StatusTooManyRequests, page{Message: l.Message("page.limited", nil)}
	default:
		httpapi.WriteUnavailable(ctx, w, err)
		return
	}
	p.Language, p.Title = l.String(), l.Message("page.title", nil)
	w.Header().Add("Vary", "Accept-Language, Cookie")
	httpapi.WritePage(w, status, pageTemplate, p, "form-action 'self' "+h.service.WebOrigin)
}
