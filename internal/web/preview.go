package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/assets"
	"moothall/internal/web/preview"
	"moothall/internal/web/view"
)

// isPublic reports whether other services may show the event.
func isPublic(e gen.EventDetailsCore) bool {
	return e.Visibility == gen.EventVisibilityPublic && e.Status != gen.EventStatusDraft
}

// preview returns what other services show for a link to a public event.
func (s *Site) preview(d *gen.EventDetails) *view.Preview {
	e := d.Event
	p := &view.Preview{
		Type: view.EventPreview, URL: e.ShareURL,
		Image: s.BaseURL + picturePath(d, previewFile), ImageWidth: preview.Width, ImageHeight: preview.Height,
		Square: s.BaseURL + picturePath(d, squareFile),
	}
	if !e.ImageURL.Null {
		p.Image, p.ImageAlt, p.ImageWidth, p.ImageHeight = e.ImageURL.Value, e.ImageAlt.Value, 0, 0
	}
	p.OEmbed = s.oEmbedAddress(p.URL)
	p.Data = view.NewEventJSON(d, p, s.Origin+view.PersonURL(d.Organizer.Value))
	return p
}

// personPreview returns what other services show for a link to a user.
func (s *Site) personPreview(u gen.PublicProfile, name string) *view.Preview {
	page := s.Origin + view.PersonURL(u)
	p := &view.Preview{Type: view.ProfilePreview, URL: page, OEmbed: s.oEmbedAddress(page), Data: view.NewPersonJSON(name, page)}
	if p.Image = u.AvatarURL.Value; u.AvatarURL.Null {
		p.Image = s.Origin + assets.URL("icon-512.png")
	}
	return p
}

// oEmbedAddress returns the address at which OEmbed describes a page.
func (s *Site) oEmbedAddress(page string) string {
	return s.Origin + "/oembed?" + url.Values{"format": {"json"}, "url": {page}}.Encode()
}

// contentOf returns what the picture of an event shows, the same for everybody who may see the event.
func contentOf(d *gen.EventDetails) preview.Content {
	e := d.Event
	at := view.In(e.StartsAt, e.Timezone)
	return preview.Content{
		Number: binary.BigEndian.Uint64(e.ID[8:]), Category: e.Category.Value,
		Weekday: at.Format("Mon"), Day: at.Format("2"), Month: at.Format("Jan"), Time: at.Format("15:04"),
		Title: e.Title, Place: view.Place(d.Location), Footer: "Moothall",
	}
}

// versionOf changes with the picture, so that services that keep a picture fetch it again.
func versionOf(c preview.Content) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{c.Category, c.Weekday, c.Day, c.Month, c.Time, c.Title, c.Place}, "\x00")))
	return hex.EncodeToString(sum[:4])
}

// What PreviewPicture serves, by the end of the file name after the id of the event.
const (
	previewFile = ".png"
	squareFile  = "-square.png"
	qrFile      = ".svg"
)

// picturePath returns the path of a picture of an event, with a query that changes with what the pictures show.
func picturePath(d *gen.EventDetails, file string) string {
	return "/cards/" + d.Event.ID.String() + file + "?v=" + versionOf(contentOf(d))
}

// PreviewPicture serves the pictures of a public event at /cards/: what links show, a square one, and the QR code of its address.
func (s *Site) PreviewPicture(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("file")
	id, kind := name[:min(len(name), idLength)], name[min(len(name), idLength):]
	event, err := uuid.Parse(id)
	if err != nil || kind != previewFile && kind != squareFile && kind != qrFile {
		http.NotFound(w, r)
		return nil //nolint:nilerr // answered
	}
	ctx, _ := s.anonymousVisit(w, r)
	details, err := s.publicEvent(ctx, event)
	if err != nil {
		http.NotFound(w, r)
		return nil //nolint:nilerr // answered
	}
	mediaType := "image/svg+xml"
	var file []byte
	if kind == qrFile {
		file = view.QRFile(newQR(details.Event.ShareURL))
	} else {
		content := contentOf(details)
		content.Square = kind == squareFile
		mediaType = "image/png"
		if file, err = s.previews.Get(ctx, content); err != nil {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return nil //nolint:nilerr // answered
		}
	}
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // other sites show it beside their links
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file))
	return nil
}
