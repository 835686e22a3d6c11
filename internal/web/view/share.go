package view

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
)

// ShareData is what the pages show by which an event is shared.
type ShareData struct {
	Details   *gen.EventDetails
	QR        QR     // of the address
	Published bool   // the organizer has just published it
	Frame     string // HTML by which other sites show the event; empty for a private one
	Square    string // path of the square picture; empty for a private event
	QRFile    string // path of the QR code; empty for a private event
}

func (d ShareData) private() bool { return d.Details.Event.Visibility == gen.EventVisibilityPrivate }

// mail is the address of a new mail with the link.
func (d ShareData) mail(p *Page) templ.SafeURL {
	e := d.Details.Event
	text := e.Title + "\n" + p.Span(e.StartsAt, e.EndsAt, e.Timezone) + "\n" + Place(d.Details.Location)
	return mailURL(e.Title, strings.TrimSpace(text)+"\n\n"+e.ShareURL)
}

// mailURL is the address of a new mail.
func mailURL(subject, text string) templ.SafeURL {
	query := url.Values{"subject": {subject}, "body": {strings.ReplaceAll(text, "\n", "\r\n")}}
	return templ.SafeURL("mailto:?" + strings.ReplaceAll(query.Encode(), "+", "%20")) // RFC 6068
}

// shown is the address of the event as people read it.
func (d ShareData) shown() string {
	_, address, _ := strings.Cut(d.Details.Event.ShareURL, "://")
	return address
}

// QR is a QR code.
type QR struct {
	size int
	path string // of the dark modules
}

// quiet is the width of the margin around a QR code, in modules.
const quiet = 4

// NewQR returns a code of modules, of which some are dark.
func NewQR(size int, dark func(x, y int) bool) QR {
	var path strings.Builder
	for y := range size {
		for x := 0; x < size; x++ {
			begin := x
			for x < size && dark(x, y) {
				x++
			}
			if x > begin {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", begin+quiet, y+quiet, x-begin, x-begin)
			}
		}
	}
	return QR{size + 2*quiet, path.String()}
}

func (q QR) side() string { return strconv.Itoa(q.size) }

func (q QR) box() string { return "0 0 " + q.side() + " " + q.side() }

// QRFile returns a code as an SVG file.
func QRFile(q QR) []byte {
	var file bytes.Buffer
	_ = qrCode(q, "").Render(context.Background(), &file) // a buffer does not fail
	return file.Bytes()
}
