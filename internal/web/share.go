package web

import (
	"context"
	"net/url"

	"github.com/a-h/templ"
	"rsc.io/qr"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// share is the page by which visitors share an event. Its organizer comes here after publishing it.
func (s *Site) share(ctx context.Context, v *visit) (templ.Component, error) {
	d, err := s.shared(ctx, v)
	if err != nil {
		return nil, err
	}
	e := d.Details.Event
	d.Published = view.IsHost(d.Details) && v.page.URL.Query().Has("published")
	if isPublic(e) {
		frame := listFrame(url.Values{"event_id": {e.ID.String()}})
		frame.Title, frame.Height = e.Title, eventFrameHeight
		d.Frame, d.Square, d.QRFile = s.frame(frame), picturePath(d.Details, squareFile), picturePath(d.Details, qrFile)
	}
	v.page.Title = v.page.T("share.of", "Event", e.Title)
	return view.Share(v.page, d), nil
}

// poster is a page to print.
func (s *Site) poster(ctx context.Context, v *visit) (templ.Component, error) {
	d, err := s.shared(ctx, v)
	if err != nil {
		return nil, err
	}
	v.page.Title = d.Details.Event.Title
	return view.Poster(v.page, d), nil
}

// shared returns what all pages for sharing an event show. It redirects to the page of a draft: drafts are not shared.
func (s *Site) shared(ctx context.Context, v *visit) (view.ShareData, error) {
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: v.id("event_id")})
	if err != nil {
		return view.ShareData{}, err
	}
	e := details.Response.Event
	if e.Status == gen.EventStatusDraft {
		return view.ShareData{}, redirect{view.PagePath(e.ShareURL)}
	}
	v.page.NoIndex = true
	return view.ShareData{Details: &details.Response, QR: newQR(e.ShareURL)}, nil
}

// newQR returns the QR code of an address, which a scratch does not make unreadable.
func newQR(address string) view.QR {
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		panic(err) // an address is not too long
	}
	return view.NewQR(code.Size, code.Black)
}
