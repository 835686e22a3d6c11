package view

import (
	"context"
	"io"
	"net/url"

	"github.com/a-h/templ"

	"moothall/internal/web/assets"
)

// style is the style sheet, whose hash the Content-Security-Policy has.
func style() templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, "<style>"+assets.Style+"</style>")
		return err
	})
}

func (p *Page) documentTitle() string {
	if p.Title == "" {
		return "Moothall"
	}
	return p.Title + " – Moothall"
}

// loginURL is the address of the sign-in, which returns to this page.
func (p *Page) loginURL() templ.SafeURL {
	return templ.SafeURL("/login?" + url.Values{"return_to": {p.Path()}}.Encode())
}

func (p *Page) notificationsLabel() string {
	if p.Unread == 0 {
		return p.T("nav.notifications")
	}
	return p.N("nav.unread", p.Unread)
}
