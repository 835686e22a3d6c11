package app

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed" // for start.html
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"moothall/api"
	"moothall/internal/deliver"
	"moothall/internal/discovery"
	"moothall/internal/domain"
	"moothall/internal/emailsignin"
	"moothall/internal/event"
	"moothall/internal/media"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/mail"
	"moothall/internal/seed"
	"moothall/internal/signin"
)

// extraRoutes are the routes outside the contract.
func (a *App) extraRoutes(signIn *signin.Handler, emailSignIn *emailsignin.Handler, pictures *media.Handler, deliveries *deliver.Handler) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", a.startPage)
	mux.HandleFunc("GET /api/openapi.yaml", contract(api.Spec))
	mux.HandleFunc("GET /api/asyncapi.yaml", contract(api.AsyncSpec))
	mux.HandleFunc("GET /openapi.yaml", movedContract)
	mux.Handle("GET /docs", api.Docs())
	mux.Handle("GET /docs/", api.Docs())
	mux.HandleFunc("GET /livez", live)
	mux.Handle("GET /media/", httpapi.Route(pictures.Serve))
	mux.HandleFunc("GET /readyz", a.ready)
	mux.HandleFunc("POST /auth/phone/callback/smsru", signIn.PhoneReports("smsru"))
	mux.HandleFunc("POST /auth/phone/callback/smsc", signIn.PhoneReports("smsc"))
	mux.HandleFunc("GET /login/confirm", emailSignIn.LinkPage)
	mux.HandleFunc("POST /login/confirm", emailSignIn.ConfirmLink)
	mux.HandleFunc("GET /u/{token}", deliveries.UnsubscribePage)
	mux.HandleFunc("POST /u/{token}", deliveries.Unsubscribe)
	outbox := a.outboxPages()
	mux.HandleFunc("GET /dev/mail", outbox.List)
	mux.HandleFunc("GET /dev/mail/{id}", outbox.Mail)
	mux.HandleFunc("GET /dev/mail/{id}/html", outbox.HTML)
	mux.HandleFunc("GET /dev/mail/{id}/source", outbox.Source)
	mux.HandleFunc("GET /dev/calls", signIn.PendingCallsPage)
	mux.HandleFunc("POST /dev/calls", signIn.SimulateCall)
	return mux
}

// outboxPages returns the pages of the mails that a service in development does not send.
func (a *App) outboxPages() mail.Pages {
	if !a.settings.hasOutbox() {
		return mail.Pages{}
	}
	return mail.Pages{Outbox: &mail.Outbox{DB: a.db, Clock: a.clock}}
}

// contract serves a contract unchanged.
func contract(document []byte) http.HandlerFunc {
	sum := sha256.Sum256(document)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "application/yaml")
		h.Set("ETag", etag)
		h.Set("Cache-Control", "no-cache")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(document))
	}
}

// movedContract redirects from the address of the contract whose prefix /api a proxy has
// removed: the server in the contract is relative to the other address.
func movedContract(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Location", "api/openapi.yaml") // http.Redirect makes it absolute
	w.WriteHeader(http.StatusMovedPermanently)
}

//go:embed start.html
var startHTML string

var startTemplate = template.Must(template.New("start").Parse(startHTML))

// startPage shows visitors how to use the API.
func (a *App) startPage(w http.ResponseWriter, r *http.Request) {
	events, err := a.upcomingEvents(r.Context())
	if err != nil {
		a.log.WarnContext(r.Context(), "cannot list events for the start page", slog.String("error", err.Error()))
	}
	email := "you@example.org"
	if len(a.demo) > 0 {
		email = a.demo[0].Email
	}
	var page bytes.Buffer
	err = startTemplate.Execute(&page, map[string]any{
		"Base": a.settings.PublicBaseURL, "Version": Version, "Email": email, "People": a.demo, "Events": events,
		"Outbox": a.settings.hasOutbox(), "DevSignIn": a.settings.DevSignIn, "ExposeCode": a.settings.DevExposeCode,
	})
	if err != nil {
		panic(err) // a bug: neither the template nor its data comes from a user
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-cache")
	_, _ = page.WriteTo(w) // fails only when the client is gone
}

// FillDemo inserts the demo users and events into an empty database, and shows them
// on the start page. It does not change a database that has data.
func (a *App) FillDemo(ctx context.Context) error {
	now := a.clock.Now()
	demo := seed.Demo(now)
	err := seed.Fill(ctx, seed.Into(a.db, now), demo, seed.Options{})
	if err != nil && !errors.Is(err, seed.ErrNotEmpty) {
		return fmt.Errorf("app: demo: %w", err)
	}
	for user := range demo.Users() {
		a.demo = append(a.demo, user)
	}
	return nil
}

// maxUpcoming is the number of events on the start page.
const maxUpcoming = 8

// upcomingEvent is an event on the start page.
type upcomingEvent struct{ Title, When, City string }

// upcomingEvents lists the next events for the start page of the demo.
func (a *App) upcomingEvents(ctx context.Context) ([]upcomingEvent, error) {
	if len(a.demo) == 0 {
		return nil, nil
	}
	page, err := a.services.discovery.List(ctx, domain.Viewer{}, discovery.Filter{Limit: maxUpcoming})
	if err != nil {
		return nil, err
	}
	ids := make([]domain.EventID, len(page.Cards))
	for i, card := range page.Cards {
		ids[i] = card.ID
	}
	cards, err := event.Cards(ctx, a.db, domain.Viewer{}, ids, a.clock.Now())
	slices.SortFunc(cards, func(x, y event.Card) int { return cmp.Compare(x.StartsKey, y.StartsKey) })
	list := make([]upcomingEvent, len(cards))
	for i, card := range cards {
		list[i] = upcomingEvent{Title: card.Title, When: localTime(card.StartsAt, card.Timezone)}
		if card.City != nil {
			list[i].City = *card.City
		}
	}
	return list, err
}

func localTime(t time.Time, zone string) string {
	if location, err := time.LoadLocation(zone); err == nil {
		t = t.In(location)
	}
	return t.Format("Mon 2 Jan, 15:04")
}
