package app

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"moothall/api"
	"moothall/internal/delivery/mail"
	"moothall/internal/domain"
	"moothall/internal/identity/signin"
	"moothall/internal/identity/signin/email"
	"moothall/internal/meetup/media"
	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/platform/smtp"
	"moothall/internal/web"
	"moothall/internal/web/assets"
	"moothall/internal/web/documents"
	"moothall/internal/web/view"
)

// extraRoutes are the routes outside the contract.
func (a *App) extraRoutes(site *web.Site, signIn *signin.Handler, emailSignIn *email.Handler, pictures *media.Handler,
	deliveries *mail.Handler, samples func(language string) ([]smtp.Message, error)) *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("GET /assets/", web.Assets())
	mux.Handle("POST /do/{action}", httpapi.Route(site.Do))
	mux.HandleFunc("GET /api/openapi.yaml", contract(api.Spec))
	mux.HandleFunc("GET /api/asyncapi.yaml", contract(api.AsyncSpec))
	mux.HandleFunc("GET /openapi.yaml", movedContract)
	mux.Handle("GET /docs", api.Docs())
	mux.Handle("GET /docs/", api.Docs())
	mux.Handle("GET /cards/{file}", httpapi.Route(site.PreviewPicture))
	mux.Handle("GET /feeds/events.atom", httpapi.Route(site.EventsFeed))
	mux.Handle("GET /feeds/events.ics", httpapi.Route(site.EventsFeed))
	mux.Handle("GET /users/{user_id}/events.atom", httpapi.Route(site.OrganizerFeed))
	mux.Handle("GET /users/{user_id}/events.ics", httpapi.Route(site.OrganizerFeed))
	mux.Handle("GET /groups/{group_id}/events.atom", httpapi.Route(site.GroupFeed))
	mux.Handle("GET /groups/{group_id}/events.ics", httpapi.Route(site.GroupFeed))
	mux.Handle("GET /embed/events", httpapi.Route(site.Embed))
	mux.Handle("GET /oembed", httpapi.Route(site.OEmbed))
	mux.HandleFunc("GET /robots.txt", site.Robots)
	mux.Handle("GET /manifest.webmanifest", httpapi.Route(site.Manifest))
	mux.Handle("GET /sw.js", web.Worker())
	mux.Handle("GET /sitemap.xml", httpapi.Route(site.Sitemap))
	mux.Handle("GET /sitemap-groups.xml", httpapi.Route(site.GroupSitemap))
	mux.HandleFunc("GET /livez", live)
	mux.Handle("GET /basemap/{file}", a.baseMap)
	mux.Handle("GET /media/", httpapi.Route(pictures.Serve))
	mux.HandleFunc("GET /readyz", a.ready)
	mux.HandleFunc("POST /auth/phone/callback/smsru", signIn.PhoneReports("smsru"))
	mux.HandleFunc("POST /auth/phone/callback/smsc", signIn.PhoneReports("smsc"))
	mux.HandleFunc("GET /login/confirm", emailSignIn.LinkPage)
	mux.HandleFunc("POST /login/confirm", emailSignIn.ConfirmLink)
	mux.HandleFunc("GET /u/{token}", deliveries.UnsubscribePage)
	mux.HandleFunc("POST /u/{token}", deliveries.Unsubscribe)
	mux.HandleFunc("GET /i/mail/{token}", deliveries.Budgeted(deliveries.InvitationPage))
	mux.HandleFunc("POST /i/mail/{token}", deliveries.Budgeted(deliveries.AnswerInvitationPage))
	mux.HandleFunc("GET /i/mail/{token}/never", deliveries.Budgeted(deliveries.NeverPage))
	mux.HandleFunc("POST /i/mail/{token}/never", deliveries.Budgeted(deliveries.Never))
	outbox := a.outboxPages(samples)
	mux.HandleFunc("GET /dev/mail", outbox.List)
	mux.HandleFunc("GET /dev/mail/gallery", outbox.Gallery)
	mux.HandleFunc("GET /dev/mail/{id}", outbox.Mail)
	mux.HandleFunc("GET /dev/mail/{id}/html", outbox.HTML)
	mux.HandleFunc("GET /dev/mail/{id}/source", outbox.Source)
	mux.HandleFunc("POST /dev/violations", a.logViolation)
	mux.HandleFunc("GET /dev/calls", signIn.PendingCallsPage)
	mux.HandleFunc("POST /dev/calls", signIn.SimulateCall)
	return mux
}

// publicRoutes are the extra routes that show everybody the same events.
var publicRoutes = []string{
	"GET /cards/{file}", "GET /feeds/events.atom", "GET /feeds/events.ics", "GET /users/{user_id}/events.atom",
	"GET /users/{user_id}/events.ics", "GET /groups/{group_id}/events.atom", "GET /groups/{group_id}/events.ics",
	"GET /embed/events", "GET /oembed", "GET /sitemap.xml",
}

// outboxPages returns the pages of the mails that a service in development does not send.
func (a *App) outboxPages(samples func(string) ([]smtp.Message, error)) smtp.Pages {
	if !a.settings.hasOutbox() {
		return smtp.Pages{}
	}
	return smtp.Pages{Outbox: &smtp.Outbox{DB: a.db, Clock: a.clock}, Samples: samples}
}

// mailSamples returns a function that returns an example of every mail in a language.
func (r *services) mailSamples(s Settings, d *db.DB, now domain.Clock) func(language string) ([]smtp.Message, error) {
	return func(language string) (all []smtp.Message, err error) {
		if mailer := s.mailer(d, now, r.deliver.Tokens); mailer != nil {
			mailer.Brand.Logo = assets.URL("icon-180.png") // also without https
			if all, err = mailer.Samples(language, now.Now()); err != nil {
				return nil, err
			}
		}
		for _, sample := range []func(string) (smtp.Message, error){r.signIn.MailSample, r.mailSignIn.MailSample} {
			m, err := sample(language)
			if err != nil {
				return nil, err
			}
			all = append(all, m)
		}
		return all, nil
	}
}

const maxViolation = 64 << 10 // bytes

// logViolation logs that a page violates its Content-Security-Policy. In development only, because anyone may send it.
func (a *App) logViolation(w http.ResponseWriter, r *http.Request) {
	if a.settings.Env != Development {
		http.NotFound(w, r)
		return
	}
	var sent struct {
		Report struct {
			Directive string `json:"violated-directive"`
			Blocked   string `json:"blocked-uri"`
			Source    string `json:"source-file"`
			Line      int    `json:"line-number"`
		} `json:"csp-report"`
	}
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, maxViolation)).Decode(&sent) != nil || sent.Report.Directive == "" {
		http.Error(w, "no report", http.StatusBadRequest)
		return
	}
	report := sent.Report
	a.log.WarnContext(r.Context(), "a page violates its Content-Security-Policy", slog.String("directive", report.Directive),
		slog.String("blocked", report.Blocked), slog.String("source", report.Source), slog.Int("line", report.Line))
	w.WriteHeader(http.StatusNoContent)
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

// newSite returns the web client, which calls the operations of the server.
func (a *App) newSite() *web.Site {
	s := a.settings
	methods := view.SignInMethods{
		Email: s.SMTP != nil || s.hasOutbox(), Phone: s.Phone.Provider != "none", Passkey: s.relyingParty() != nil,
		Outbox: s.hasOutbox(), Calls: s.Phone.Provider == "development",
	}
	for _, p := range s.Idps {
		methods.Providers = append(methods.Providers, p.Name)
	}
	reports := ""
	if s.Env == Development {
		reports = "/dev/violations"
	}
	return web.New(web.Options{
		Calls: a.calls, Clock: a.clock, BaseURL: s.PublicBaseURL, Origin: string(s.pages()),
		HTTPS: strings.HasPrefix(s.PublicBaseURL, "https:"), Methods: methods,
		Documents: documents.New(s.PagesDir, a.clock, a.log),
		Map:       a.baseMap, Geocoder: s.Geocoder.Kind, Currencies: s.PaymentCurrencies, Live: s.Realtime.On, Reports: reports,
		RemoteDatabase: a.db.Engine() == db.PostgreSQL,
	})
}
