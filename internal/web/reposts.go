package web

import (
	"context"
	"net/url"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

const repostsPerPage = 10

// reposts lists what the viewer has reposted, the newest first.
func (s *Site) reposts(ctx context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("reposts.title")
	cursor := optional(v.page.URL.Query(), "cursor")
	list, err := s.api.ListMyReposts(ctx, gen.ListMyRepostsParams{Limit: gen.NewOptInt(repostsPerPage), Cursor: cursor})
	if err != nil {
		return nil, err
	}
	d := view.RepostsData{Continues: cursor.Set, More: v.more("cursor", list.NextCursor)}
	events := map[uuid.UUID]*gen.EventDetails{}
	for _, item := range list.Items {
		if events[item.Post.EventID] == nil {
			details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: item.Post.EventID})
			if err != nil {
				return nil, err
			}
			events[item.Post.EventID] = &details.Response
		}
		d.Items = append(d.Items, view.Repost{Post: item.Post, At: item.RepostedAt, Event: events[item.Post.EventID].Event})
	}
	return view.Reposts(v.page, d), nil
}

func (s *Site) repostPost(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.RepostPost(ctx, gen.RepostPostParams{EventID: formID(form, "event_id"), PostID: formID(form, "post_id")})
	return backTo(form, form.Get("post_id")), err
}

func (s *Site) unrepostPost(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.UnrepostPost(ctx, gen.UnrepostPostParams{EventID: formID(form, "event_id"), PostID: formID(form, "post_id")})
	return backTo(form, form.Get("post_id")), err
}
