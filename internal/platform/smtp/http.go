package smtp

import (
	"context"
	_ "embed" // the pages
	"errors"
	"html/template"
	"io"
	"net/http"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

//go:embed outbox.html
var outboxHTML string

var outboxTemplate = template.Must(template.New("outbox").Parse(outboxHTML))

const pageTimeout = 5 * time.Second

// Pages shows the mails of an outbox. Without an outbox it answers 404.
type Pages struct {
	Outbox *Outbox // nil: mails are not stored
	// Samples returns an example of every mail in a language, for the gallery.
	Samples func(language string) ([]Message, error)
}

// List shows the list of mails.
func (p Pages) List(w http.ResponseWriter, r *http.Request) {
	p.show(w, r, func(ctx context.Context) (any, error) {
		mails, err := p.Outbox.List(ctx)
		return map[string]any{"Mails": mails}, err
	})
}

// Mail shows one mail.
func (p Pages) Mail(w http.ResponseWriter, r *http.Request) {
	p.show(w, r, func(ctx context.Context) (any, error) {
		m, err := p.read(ctx, r)
		return map[string]any{"Mail": m}, err
	})
}

// show writes the page with the data of a function.
func (p Pages) show(w http.ResponseWriter, r *http.Request, load func(ctx context.Context) (any, error)) {
	p.writePage(w, r, func(ctx context.Context) error {
		data, err := load(ctx)
		if err == nil {
			httpapi.WritePage(w, http.StatusOK, outboxTemplate, data, "frame-src 'self'")
		}
		return err
	})
}

// HTML serves the HTML part of a mail for the frame of its page: without scripts, forms
// and other sites' resources. Links open in a new window.
func (p Pages) HTML(w http.ResponseWriter, r *http.Request) {
	p.writePage(w, r, func(ctx context.Context) error {
		m, err := p.read(ctx, r)
		switch {
		case err != nil:
			return err
		case m.HTML == "":
			return domain.NotFound
		}
		writeHTML(w, m.HTML, "sandbox allow-popups allow-popups-to-escape-sandbox; ")
		return nil
	})
}

// Source serves the encoded mail.
func (p Pages) Source(w http.ResponseWriter, r *http.Request) {
	p.writePage(w, r, func(ctx context.Context) error {
		m, err := p.read(ctx, r)
		if err == nil {
			write(w, "text/plain", m.Source)
		}
		return err
	})
}

// writeHTML writes the HTML part of a mail, with more directives of its policy.
func writeHTML(w http.ResponseWriter, html, policy string) {
	w.Header().Set("Content-Security-Policy", policy+
		"default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'")
	write(w, "text/html", `<base target="_blank">`+html)
}

func write(w http.ResponseWriter, contentType, body string) {
	w.Header().Set("Content-Type", contentType+"; charset=utf-8")
	_, _ = io.WriteString(w, body) // an error means that the client has disconnected
}

// read returns the mail of the path.
func (p Pages) read(ctx context.Context, r *http.Request) (Stored, error) {
	id, err := domain.ParseID[domain.MailKind](r.PathValue("id"))
	if err != nil {
		return Stored{}, domain.NotFound
	}
	return p.Outbox.Read(ctx, id)
}

// writePage calls respond, which writes the page or returns an error. An error becomes the response.
func (p Pages) writePage(w http.ResponseWriter, r *http.Request, respond func(ctx context.Context) error) {
	if p.Outbox == nil {
		http.NotFound(w, r)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), pageTimeout)
	defer cancel()
	switch err := respond(ctx); {
	case errors.Is(err, domain.NotFound):
		http.NotFound(w, r)
	case err != nil:
		httpapi.WriteUnavailable(ctx, w, err)
	}
}
