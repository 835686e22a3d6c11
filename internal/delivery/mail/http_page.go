package mail

import (
	"context"
	_ "embed" // page.html
	"html/template"
	"net/http"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/platform/httpapi"
)

//go:embed page.html
var pageHTML string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// pageTimeout limits the work of one page.
const pageTimeout = 5 * time.Second

// page contains the values of page.html.
type page struct {
	Language, Title, Button string
	Root                    string // the relative address of "/"
}

// UnsubscribePage serves GET /u/{token}: a page with a button. It changes nothing, because mail
// scanners open every link.
func (h *Handler) UnsubscribePage(w http.ResponseWriter, r *http.Request) {
	l := notify.BestLanguage(r.Header.Get("Accept-Language"))
	subject, ok := h.service.Tokens.Parse(r.PathValue("token"))
	switch {
	case !ok:
		writePage(w, http.StatusNotFound, page{Language: l.String(), Title: l.Text("page.invalid")})
	case subject.Leave:
		writePage(w, http.StatusOK, page{Language: l.String(), Title: l.Text("page.leave"), Button: l.Text("page.stop")})
	case subject.Kind == "":
		writePage(w, http.StatusOK, page{Language: l.String(), Title: l.Text("page.mute_event"), Button: l.Text("page.stop")})
	case subject.Kind == digestKind:
		writePage(w, http.StatusOK, page{Language: l.String(), Title: l.Text("page.stop_digest"), Button: l.Text("page.stop")})
	default:
		writePage(w, http.StatusOK, page{Language: l.String(), Title: l.Text("page.stop_kind"), Button: l.Text("page.stop")})
	}
}

// Unsubscribe serves POST /u/{token}: the button of the page, and one-click unsubscribe of mail
// programs (RFC 8058). It needs no session.
func (h *Handler) Unsubscribe(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), pageTimeout)
	defer cancel()
	l := notify.BestLanguage(r.Header.Get("Accept-Language"))
	switch ok, err := h.service.Unsubscribe(ctx, r.PathValue("token")); {
	case err != nil:
		httpapi.WriteUnavailable(ctx, w, err)
	case !ok:
		writePage(w, http.StatusNotFound, page{Language: l.String(), Title: l.Text("page.invalid")})
	default:
		done := "page.stopped"
		if subject, _ := h.service.Tokens.Parse(r.PathValue("token")); subject.Leave {
			done = "page.left"
		}
		writePage(w, http.StatusOK, page{Language: l.String(), Title: l.Text(done)})
	}
}

func writePage(w http.ResponseWriter, status int, p page) {
	writePageAt(w, "../", status, p)
}

// writePageAt writes a page whose address has a path below root.
func writePageAt(w http.ResponseWriter, root string, status int, p page) {
	p.Root = root
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cache-Control", "no-store")
	httpapi.WritePage(w, status, pageTemplate, p, "form-action 'self'")
}
