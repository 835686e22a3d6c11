package view

import (
	"net/url"

	"github.com/a-h/templ"
)

// style is one of assets.Styles, whose hashes the Content-Security-Policy has.
func style(sheet string) templ.Component {
	return component(func(_ pageContext, out *buffer) error { return writeVerbatim(out, "<style>", sheet, "</style>") })
}

// writeVerbatim writes texts as they are. They are constants, files of the program, or escaped.
func writeVerbatim(out *buffer, texts ...string) error {
	for _, text := range texts {
		if _, err := out.WriteString(text); err != nil {
			return err
		}
	}
	return nil
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

// home is the page that the name of the service leads to.
func (p *Page) home() templ.SafeURL {
	if p.SignedIn() {
		return "/my"
	}
	return "/"
}

// maxBadge is the largest number of unread notifications that the navigation counts.
const maxBadge = 99

func (p *Page) unread() string { return p.badge(p.Unread) }

// badge is how a badge shows a number.
func (p *Page) badge(n int) string {
	if n > maxBadge {
		return p.Number(maxBadge) + "+"
	}
	return p.Number(n)
}

// feed returns the address of the feed of the page in a format.
func (p *Page) feed(format string) string {
	address := *p.Feed
	address.Path += "." + format
	return address.String()
}
