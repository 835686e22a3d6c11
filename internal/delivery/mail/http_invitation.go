package mail

import (
	"context"
	_ "embed" // email_invitation.html
	"errors"
	"html/template"
	"net/http"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/attendance"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/ratelimit"
)

//go:embed email_invitation.html
var invitationHTML string

var invitationTemplate = template.Must(template.New("invitation").Parse(invitationHTML))

// maxAnswerBody limits the form of an answer, in bytes.
const maxAnswerBody = 16 << 10

// invitationPage contains the values of email_invitation.html. It is the same whether the address has an account or not.
type invitationPage struct {
	Language, Root string
	Error, Done    string // at most one; both empty: nothing has happened
	Title, Host    string // empty Title: the link is invalid or has ended
	When           string
	Message        *string
	For            string
	Name           string
	Labels         map[string]string
	Answers        []pageAnswer
}

type pageAnswer struct {
	Status, Text string
	Current      bool // or, before an answer, the first one
}

var pageLabels = []string{"name", "question", "forwarded", "never", "nobody", "report", "more"}

// InvitationHandler serves a page of an e-mail invitation.
type InvitationHandler func(ctx context.Context, w http.ResponseWriter, r *http.Request)

// Budgeted serves a page within the budget of the client address, so that tokens cannot be guessed.
func (h *Handler) Budgeted(serve InvitationHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), pageTimeout)
		defer cancel()
		err := h.service.Attendance.Limits.Spend(ctx, attendance.LinksPerAddress, ratelimit.Address(httpapi.Client(ctx).Address))
		switch {
		case errors.Is(err, domain.RateLimited):
			http.Error(w, "try again in a minute", http.StatusTooManyRequests)
		case err != nil:
			httpapi.WriteUnavailable(ctx, w, err)
		default:
			serve(ctx, w, r)
		}
	}
}

// InvitationPage serves GET /i/mail/{token}. It changes nothing, because mail scanners open every link.
func (h *Handler) InvitationPage(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	h.showInvitation(ctx, w, r, http.StatusOK, invitationPage{})
}

// AnswerInvitationPage serves POST /i/mail/{token}: an answer, or a refusal. It needs no session and makes none.
func (h *Handler) AnswerInvitationPage(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	l := notify.BestLanguage(r.Header.Get("Accept-Language"))
	r.Body = http.MaxBytesReader(w, r.Body, maxAnswerBody)
	token, status := r.PathValue("token"), access.Invitation(r.PostFormValue("answer"))
	switch refusal := Refusal(r.PostFormValue("do")); {
	case refusal == NeverFromHost || refusal == NeverAgain || refusal == Report:
		h.refuse(ctx, w, r, l, refusal)
	case status == access.Accepted || status == access.Tentative || status == access.Declined:
		err := h.service.Attendance.AnswerEmail(ctx, token, status, r.PostFormValue("name"))
		h.answered(ctx, w, r, l, status, err)
	default:
		h.showInvitation(ctx, w, r, http.StatusBadRequest, invitationPage{})
	}
}

func (h *Handler) answered(ctx context.Context, w http.ResponseWriter, r *http.Request, l notify.Language, status access.Invitation,
	err error) {
	var refused *domain.Error
	switch {
	case err == nil && status == access.Declined: // the link has ended
		writeInvitation(w, http.StatusOK, invitationPage{Language: l.String(), Root: "/", Done: l.Text("invitation.done.declined")})
	case err == nil:
		h.showInvitation(ctx, w, r, http.StatusOK, invitationPage{Done: l.Text("invitation.done." + string(status))})
	case errors.Is(err, domain.NotFound):
		h.showInvitation(ctx, w, r, http.StatusNotFound, invitationPage{})
	case errors.Is(err, attendance.ErrSignIn):
		h.showInvitation(ctx, w, r, http.StatusForbidden, invitationPage{Error: l.Text("invitation.sign_in")})
	case errors.As(err, &refused) && refused.Reason == domain.EventFull:
		h.showInvitation(ctx, w, r, http.StatusForbidden, invitationPage{Error: l.Text("invitation.full")})
	case errors.As(err, &refused) && refused.Reason == "" && refused.Code == domain.Invalid("", "").Code:
		h.showInvitation(ctx, w, r, http.StatusBadRequest, invitationPage{Error: l.Text("invitation.name_invalid")})
	default:
		httpapi.WriteUnavailable(ctx, w, err)
	}
}

func (h *Handler) showInvitation(ctx context.Context, w http.ResponseWriter, r *http.Request, status int, p invitationPage) {
	l := notify.BestLanguage(r.Header.Get("Accept-Language"))
	p.Language, p.Root = l.String(), "/"
	i, err := h.service.Attendance.OfToken(ctx, r.PathValue("token"))
	switch {
	case errors.Is(err, domain.NotFound):
		p.Error = l.Text("invitation.ended")
		writeInvitation(w, http.StatusNotFound, p)
		return
	case err != nil:
		httpapi.WriteUnavailable(ctx, w, err)
		return
	}
	p.Title, p.Host = i.Title, l.Titled("invitation.host", l.Name(i.Host), "", "")
	p.When, p.Message = l.When(i.StartsAt, i.Timezone, i.City), i.Message
	p.For = l.Titled("invitation.for", "", "", attendance.Mask(*i.Email))
	if i.Name != nil {
		p.Name = *i.Name
	}
	p.Labels = map[string]string{}
	for _, label := range pageLabels {
		p.Labels[label] = l.Text("invitation." + label)
	}
	for n, one := range []access.Invitation{access.Accepted, access.Tentative, access.Declined} {
		p.Answers = append(p.Answers, pageAnswer{string(one), l.Text("invitation.answer." + string(one)),
			i.Status == one || n == 0 && i.Status == access.Pending})
	}
	writeInvitation(w, status, p)
}

// NeverPage serves GET /i/mail/{token}/never: a page with a button.
func (h *Handler) NeverPage(_ context.Context, w http.ResponseWriter, r *http.Request) {
	l := notify.BestLanguage(r.Header.Get("Accept-Language"))
	writePageAt(w, "/", http.StatusOK, page{Language: l.String(), Title: l.Text("invitation.never"), Button: l.Text("page.stop")})
}

// Never serves POST /i/mail/{token}/never: the button of the page, and one-click unsubscribe of mail programs (RFC 8058).
func (h *Handler) Never(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	h.refuse(ctx, w, r, notify.BestLanguage(r.Header.Get("Accept-Language")), NeverFromHost)
}

func (h *Handler) refuse(ctx context.Context, w http.ResponseWriter, r *http.Request, l notify.Language, refusal Refusal) {
	switch err := h.service.Refuse(ctx, r.PathValue("token"), refusal); {
	case errors.Is(err, domain.NotFound):
		writePageAt(w, "/", http.StatusNotFound, page{Language: l.String(), Title: l.Text("page.invalid")})
	case err != nil:
		httpapi.WriteUnavailable(ctx, w, err)
	default:
		writePageAt(w, "/", http.StatusOK, page{Language: l.String(), Title: l.Text("invitation.refused." + string(refusal))})
	}
}

func writeInvitation(w http.ResponseWriter, status int, p invitationPage) {
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cache-Control", "no-store")
	httpapi.WritePage(w, status, invitationTemplate, p, "form-action 'self'")
}
