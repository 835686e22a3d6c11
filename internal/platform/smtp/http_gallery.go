package smtp

import (
	"context"
	_ "embed" // the page
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

//go:embed gallery.html
var galleryHTML string

var galleryTemplate = template.Must(template.New("gallery").Parse(galleryHTML))

// galleryLanguages are the languages that the gallery shows; the first is the default.
var galleryLanguages = []string{"en", "de", "ru"}

// darkQuery is the media query of the styles of mails for dark colours. The gallery replaces it to show both.
const darkQuery = "(prefers-color-scheme: dark)"

// gallery contains the values of gallery.html.
type gallery struct {
	Languages []string
	Language  string
	Mails     []Message
}

// Gallery shows an example of every mail in a language, in light and dark colours. With the parameter mail, the number of
// one, it serves the HTML of that mail.
func (p Pages) Gallery(w http.ResponseWriter, r *http.Request) {
	p.writePage(w, r, func(_ context.Context) error {
		q := r.URL.Query()
		language := q.Get("language")
		if language == "" {
			language = galleryLanguages[0]
		}
		mails, err := p.Samples(language)
		if err != nil {
			return err
		}
		if !q.Has("mail") {
			httpapi.WritePage(w, http.StatusOK, galleryTemplate, gallery{galleryLanguages, language, mails}, "frame-src 'self'")
			return nil
		}
		n, err := strconv.Atoi(q.Get("mail"))
		if err != nil || n < 0 || n >= len(mails) {
			return domain.NotFound
		}
		replaced := "not all"
		if q.Get("theme") == "dark" {
			replaced = "all"
		}
		// No sandbox: its documents load no pictures of this origin. These mails have no texts of users.
		writeHTML(w, strings.ReplaceAll(mails[n].HTML, darkQuery, replaced), "")
		return nil
	})
}
