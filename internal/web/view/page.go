// Package view contains the HTML of the web client: a template for each page and for each
// part that several pages use. Views get values of the contract and texts; they call nothing.
package view

import (
	"cmp"
	"context"
	"io"
	"net/url"
	"time"

	"github.com/a-h/templ"
	templruntime "github.com/a-h/templ/runtime"
	"golang.org/x/text/message"

	"moothall/api/gen"
	"moothall/internal/platform/text"
	"moothall/internal/web/documents"
)

// Page is what all views of one response share.
type Page struct {
	Language  text.Language
	Languages []text.Language      // that the visitor can choose
	Theme     string               // "light", "dark", or "" for that of the system
	Viewer    *gen.CurrentUser     // nil: not signed in
	Unread    int                  // notifications of the viewer
	Reports   int                  // that are open, for moderators; at most 100
	Now       time.Time            // by the clock of the service
	URL       *url.URL             // of the page
	Query     url.Values           // of the URL; views do not change it
	Base      string               // address at which other programs reach the service
	Form      Form                 // the form that was sent to this page, if any
	Methods   SignInMethods        // of this service
	Tiles     string               // address of the map of the world
	Geocoder  string               // kind of the geocoder; empty: only cities are found
	Streets   string               // address of the map with streets; empty: none
	Documents []documents.Document // of whoever runs the service
	Live      bool                 // the service sends changes to open pages
	Part      bool                 // only the content is wanted: htmx replaces it

	Title       string   // of the document, without the name of the service
	Description string   // for search engines and previews; may be empty
	Cover       string   // address of a large picture, which browsers load first; may be empty
	Module      string   // name of a script that only this page needs; may be empty
	Feed        *url.URL // of the events of the page, without its format; may be nil
	Frame       string   // HTML by which other sites show the events of the page; may be empty
	NoIndex     bool     // search engines must not list the page
	Colors      string   // class of the colours of an event; empty: those of the service
	Entrance    string   // most visits begin here: the styles with which browsers show the page before they have those of others; may be empty
	Preview     *Preview // for links to the page; may be nil

	numbers *message.Printer // of printer, once it was called
}

// SignInMethods are the ways to sign in that a service offers.
type SignInMethods struct {
	Email, Phone, Passkey bool
	Providers             []string // names of identity providers
	Outbox                bool     // a page shows the mails, in development
	Calls                 bool     // a page simulates phone calls, in development
}

// T returns a text. Arguments are names and values for its template.
func (p *Page) T(id string, arguments ...any) string {
	if len(arguments) == 0 {
		return p.Language.Message(id, nil)
	}
	return p.Language.Message(id, text.Fields(arguments))
}

// N returns a text whose form depends on a count, which is {{.PluralCount}} in its template.
func (p *Page) N(id string, count int) string {
	return p.Language.Plural(id, int64(count), text.Fields{"PluralCount", p.Number(count)})
}

// Path returns the address of the page without the host, to return to.
func (p *Page) Path() string { return p.URL.RequestURI() }

// SignedIn reports whether the viewer is signed in.
func (p *Page) SignedIn() bool { return p.Viewer != nil }

// Is reports whether the viewer is a user.
func (p *Page) Is(user [16]byte) bool { return p.Viewer != nil && p.Viewer.User.ID == user }

// writeText writes the text of an expression in a template into HTML. The buffer keeps the first error.
func writeText[T ~string](to *templruntime.Buffer, text T) {
	_, _ = to.WriteString(templ.EscapeString(text))
}

// What generated code uses without imports.
type (
	pageContext = context.Context
	buffer      = templruntime.Buffer
)

// component returns the component that draw writes. It has no children.
func component(draw func(context.Context, *buffer) error) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		out, isPart := templruntime.GetBuffer(w)
		if !isPart {
			defer func() { err = cmp.Or(err, templruntime.ReleaseBuffer(out)) }()
		}
		return draw(templ.ClearChildren(templ.InitializeContext(ctx)), out)
	})
}
