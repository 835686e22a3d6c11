package web

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// myEvents is the home of a visitor who is signed in: their coming events, or those of one role.
func (s *Site) myEvents(ctx context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("my.title")
	d := view.MyEventsData{Role: gen.MyEventsRole(v.page.URL.Query().Get("role")), Lists: map[gen.MyEventsRole]view.EventList{}}
	if !view.IsMyRole(d.Role) {
		d.Role = ""
	}
	roles := []gen.MyEventsRole{gen.MyEventsRoleDraft, gen.MyEventsRoleInvited, gen.MyEventsRoleGoing, gen.MyEventsRoleHosting}
	if d.Role != "" {
		roles = []gen.MyEventsRole{gen.MyEventsRoleDraft, gen.MyEventsRoleInvited, d.Role}
	}
	for _, role := range roles {
		params := gen.ListMyEventsParams{Role: gen.NewOptMyEventsRole(role), Limit: gen.NewOptInt(eventsPerPage)}
		if role == d.Role {
			params.Cursor = optional(v.page.URL.Query(), "cursor")
		}
		list, err := s.api.ListMyEvents(ctx, params)
		if err != nil {
			return nil, err
		}
		d.Lists[role] = view.EventList{Cards: list.Items, More: v.more("cursor", list.NextCursor)}
	}
	if d.Role == gen.MyEventsRoleHosting {
		list, err := s.api.ListMyEventSeries(ctx, gen.ListMyEventSeriesParams{Cursor: optional(v.page.URL.Query(), "series")})
		if err != nil {
			return nil, err
		}
		d.Series, d.MoreSeries = list.Items, v.more("series", list.NextCursor)
	}
	return view.MyEvents(v.page, d), nil
}

// chats lists the chats of the visitor.
func (s *Site) chats(ctx context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("chats.title")
	cursor := optional(v.page.URL.Query(), "cursor")
	list, err := s.api.ListMyChats(ctx, gen.ListMyChatsParams{Limit: gen.NewOptInt(eventsPerPage), Cursor: cursor})
	if err != nil {
		return nil, err
	}
	return view.Chats(v.page, view.ChatsData{Items: list.Items, More: v.more("cursor", list.NextCursor), Continues: cursor.Set}), nil
}

// home is the page after a sign-in that no other page has asked for.
func home(returnTo string) string { return localPath(cmp.Or(returnTo, "/my")) }
