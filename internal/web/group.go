package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/assets"
	"moothall/internal/web/view"
)

// How many members, events of each list, and announcements the page of a group shows.
const (
	facesOfGroup  = 12
	eventsOnGroup = 10
	newsOnGroup   = 3
)

// group shows the group at the address that people share. An earlier slug leads to the present one.
func (s *Site) group(ctx context.Context, v *visit) (templ.Component, error) {
	g, err := s.groupAt(ctx, v.r.PathValue("slug"))
	if err != nil {
		return nil, err
	}
	return s.showGroup(ctx, v, g)
}

// groupAt returns the group with a slug, as lists have it.
func (s *Site) groupAt(ctx context.Context, slug string) (*gen.Group, error) {
	found, err := s.api.ListGroups(ctx, gen.ListGroupsParams{Slug: gen.NewOptString(slug)})
	if isRefused(err, http.StatusBadRequest) || err == nil && len(found.Items) == 0 {
		return nil, &view.Problem{Status: http.StatusNotFound}
	}
	if err != nil {
		return nil, err
	}
	return &found.Items[0], nil
}

// groupByID leads to the address that people share.
func (s *Site) groupByID(ctx context.Context, v *visit) (templ.Component, error) {
	g, err := s.groupOf(ctx, v)
	if err != nil {
		return nil, err
	}
	return s.showGroup(ctx, v, g)
}

// groupOf returns the group in the path of a page.
func (s *Site) groupOf(ctx context.Context, v *visit) (*gen.Group, error) {
	return s.api.GetGroup(ctx, gen.GetGroupParams{GroupID: v.id("group_id")})
}

// showGroup shows a group, of which a list has no hosts.
func (s *Site) showGroup(ctx context.Context, v *visit, g *gen.Group) (templ.Component, error) {
	page := view.PagePath(g.ShareURL)
	if err := v.moveTo(page); err != nil {
		return nil, err
	}
	d := view.GroupData{}
	err := s.together(func() (err error) {
		d.Group, err = s.api.GetGroup(ctx, gen.GetGroupParams{GroupID: g.ID})
		return err
	}, func() error {
		if !view.ListsMembers(g) {
			return nil
		}
		list, err := s.api.ListGroupMembers(ctx, gen.ListGroupMembersParams{GroupID: g.ID, Limit: gen.NewOptInt(facesOfGroup)})
		if err == nil {
			d.Members = list.Items
		}
		return err
	}, func() (err error) {
		d.Coming, err = s.eventsOfGroup(ctx, v, g, gen.ListGroupEventsPeriodComing)
		return err
	}, func() (err error) {
		d.Past, err = s.eventsOfGroup(ctx, v, g, gen.ListGroupEventsPeriodPast)
		return err
	}, func() error { return s.readNews(ctx, v, g, &d) })
	if err != nil {
		return nil, err
	}
	v.page.Title, v.page.Description, v.page.Cover = g.Name, view.Excerpt(g.Description.Value), g.ImageURL.Value
	v.page.NoIndex = v.page.URL.RawQuery != "" || !view.IsPublicGroup(g)
	if view.IsPublicGroup(g) {
		v.page.Preview = s.groupPreview(g)
		v.page.Feed = &url.URL{Path: view.GroupURL(g.ID, "events")}
		v.page.Frame = s.frame(listFrame(url.Values{"group_id": {g.ID.String()}}))
	}
	return view.GroupPage(v.page, d), nil
}

// eventsOfGroup returns some events of a group, which are not labeled with it. The cursor is the parameter of the page with the name of
// the period.
func (s *Site) eventsOfGroup(ctx context.Context, v *visit, g *gen.Group, period gen.ListGroupEventsPeriod) (view.EventList, error) {
	parameter := string(period)
	list, err := s.api.ListGroupEvents(ctx, gen.ListGroupEventsParams{GroupID: g.ID, Period: gen.NewOptListGroupEventsPeriod(period),
		Limit: gen.NewOptInt(eventsOnGroup), Cursor: optional(v.page.URL.Query(), parameter)})
	if err != nil {
		return view.EventList{}, err
	}
	cards := slices.Clone(list.Items)
	for i := range cards {
		cards[i].Group.Reset()
	}
	return view.EventList{Cards: cards, More: v.more(parameter, list.NextCursor)}, nil
}

// readNews adds the announcements to what a member sees.
func (s *Site) readNews(ctx context.Context, v *visit, g *gen.Group, d *view.GroupData) error {
	if g.ViewerRole.Null {
		return nil
	}
	list, err := s.api.ListGroupAnnouncements(ctx, gen.ListGroupAnnouncementsParams{GroupID: g.ID, Limit: gen.NewOptInt(newsOnGroup),
		Cursor: optional(v.page.URL.Query(), "news")})
	if err == nil {
		d.News, d.MoreNews = list.Items, v.more("news", list.NextCursor)
	}
	return err
}

// publicGroup returns the group that an operation has returned, if other services may show it.
func publicGroup(g *gen.Group, err error) (*gen.Group, error) {
	if err == nil && !view.IsPublicGroup(g) {
		err = &view.Problem{Status: http.StatusNotFound}
	}
	return g, err
}

// groupPreview returns what other services show for a link to a public group.
func (s *Site) groupPreview(g *gen.Group) *view.Preview {
	return &view.Preview{Type: view.EventPreview, URL: g.ShareURL, Image: cmp.Or(g.ImageURL.Value, s.Origin+assets.URL("icon-512.png")),
		IsIcon: g.ImageURL.Null, OEmbed: s.oEmbedAddress(g.ShareURL), Data: view.NewGroupJSON(g)}
}

// groupShare is the page by which visitors share a group.
func (s *Site) groupShare(ctx context.Context, v *visit) (templ.Component, error) {
	g, err := s.groupOf(ctx, v)
	if err != nil {
		return nil, err
	}
	v.page.Title, v.page.NoIndex = v.page.T("share.of", "Event", g.Name), true
	return view.GroupShare(v.page, view.GroupShareData{Group: g, QR: newQR(g.ShareURL)}), nil
}

// joinGroup joins a group, asks to join it, accepts an invitation, or changes whether the members see the visitor.
func (s *Site) joinGroup(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := gen.JoinGroupRequest{Visibility: gen.OptGroupMemberVisibility{
		Value: gen.GroupMemberVisibility(form.Get("visibility")), Set: form.Has("visibility")}}
	_, err := s.api.JoinGroup(ctx, gen.NewOptJoinGroupRequest(request), gen.JoinGroupParams{GroupID: formID(form, "group_id")})
	return back(form), err
}

// announceToGroup writes to all members.
func (s *Site) announceToGroup(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.AnnounceToGroup(ctx, &gen.AnnounceToGroupRequest{Body: strings.TrimSpace(lines(form, "body"))},
		gen.AnnounceToGroupParams{GroupID: formID(form, "group_id"), IdempotencyKey: formKey(form)})
	return outcome{step: view.StepSent}, err
}

// leaveGroup leaves a group, declines an invitation, or withdraws a request.
func (s *Site) leaveGroup(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	err := s.api.LeaveGroup(ctx, gen.LeaveGroupParams{GroupID: formID(form, "group_id")})
	if isRefused(err, http.StatusNotFound) {
		err = nil // it has ended already
	}
	return back(form), err
}
