package web

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/assets"
	"moothall/internal/web/view"
)

// inviteLink shows what an invitation link leads to, to signed-out visitors and other services, too. It leads visitors who see the event
// to its page. No cache stores the page, because links end.
func (s *Site) inviteLink(ctx context.Context, v *visit) (templ.Component, error) {
	token := v.r.PathValue("token")
	link, err := s.api.GetInviteLink(ctx, gen.GetInviteLinkParams{Token: token})
	if err != nil {
		return nil, err
	}
	if !link.EventID.Null {
		return nil, found{view.EventURL(link.EventID.Value)}
	}
	v.w.Header().Set("Cache-Control", "private, no-store")
	v.page.Title, v.page.Description = link.Title, v.page.WhenAndWhere(link)
	v.page.NoIndex, v.page.Entrance, v.page.Cover = true, assets.EventStyle, link.ImageURL.Value
	v.page.Preview = &view.Preview{Type: view.EventPreview, URL: s.Origin + v.page.URL.Path, ImageAlt: link.ImageAlt.Value,
		Image: cmp.Or(link.ImageURL.Value, s.Origin+assets.URL("icon-512.png"))}
	return view.InviteLink(v.page, view.InviteLinkData{Link: link, Token: token}), nil
}

// acceptInviteLink joins the event of an invitation link, or answers "maybe". A visitor whom the event asks something is invited, and
// answers on its page.
func (s *Site) acceptInviteLink(ctx context.Context, form url.Values) (outcome, error) {
	request := gen.AcceptInviteLinkRequest{ParticipationVisibility: formVisibility(form)}
	if status := form.Get("status"); status != "" {
		request.Status = gen.NewOptAcceptInviteLinkRequestStatus(gen.AcceptInviteLinkRequestStatus(status))
	}
	params := gen.AcceptInviteLinkParams{Token: form.Get(view.TokenField)}
	i, err := s.api.AcceptInviteLink(ctx, gen.NewOptAcceptInviteLinkRequest(request), params)
	if problem, refused := errors.AsType[*view.Problem](err); refused && problem.Reason == "answers_required" {
		request.Status = gen.NewOptAcceptInviteLinkRequestStatus(gen.AcceptInviteLinkRequestStatusTentative)
		i, err = s.api.AcceptInviteLink(ctx, gen.NewOptAcceptInviteLinkRequest(request), params)
	}
	if err != nil {
		return outcome{}, err
	}
	page := view.EventURL(i.EventID)
	if i.Status == gen.InvitationStatusAccepted {
		page += "?" + url.Values{view.JoinedField: {"yes"}}.Encode()
	}
	return outcome{to: page}, nil
}

// readInviteLinks adds the invitation links to what the organizer sees of the guests.
func (s *Site) readInviteLinks(ctx context.Context, v *visit, d *view.GuestsData) error {
	links, err := s.api.ListInviteLinks(ctx, gen.ListInviteLinksParams{EventID: d.Details.Event.ID, Limit: gen.NewOptInt(guestsPerPage),
		Cursor: optional(v.page.URL.Query(), "links")})
	if err != nil {
		return err
	}
	for _, l := range links.Items {
		d.Links = append(d.Links, view.OwnInviteLink{InviteLink: l, QR: newQR(l.URL)})
	}
	d.MoreLinks = v.more("links", links.NextCursor)
	return nil
}

// createInviteLink makes a link. It ends on the hour, so that the form can be sent twice.
func (s *Site) createInviteLink(ctx context.Context, v *visit, form url.Values) (outcome, error) {
	f := formReader{Values: form}
	request := gen.CreateInviteLinkRequest{MaxUses: f.integer("max_uses")}
	if days, _ := strconv.Atoi(form.Get("days")); days > 0 {
		request.ExpiresAt.SetTo(v.page.Now.UTC().Truncate(time.Hour).Add(time.Duration(days) * day))
	}
	if err := f.err(); err != nil {
		return outcome{}, err
	}
	_, err := s.api.CreateInviteLink(ctx, gen.NewOptCreateInviteLinkRequest(request),
		gen.CreateInviteLinkParams{EventID: formID(form, "event_id"), IdempotencyKey: formKey(form)})
	return backTo(form, "links"), err
}

func (s *Site) endInviteLink(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	err := s.api.EndInviteLink(ctx, gen.EndInviteLinkParams{EventID: formID(form, "event_id"), LinkID: formID(form, "link_id")})
	return backTo(form, "links"), err
}
