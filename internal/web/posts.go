package web

import (
	"context"
	"net/url"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

const (
	postsPerPage    = 5
	commentsPerPage = 100
)

// writers shows the form for a comment on a page only to visitors who are signed in. Others sign in first.
func writers(p page) page {
	return func(ctx context.Context, v *visit) (templ.Component, error) {
		if v.page.Writes() {
			return members(p)(ctx, v)
		}
		return p(ctx, v)
	}
}

// postsOf returns one page of the posts of an event.
func (s *Site) postsOf(ctx context.Context, v *visit, event gen.EventDetailsCore) (d view.PostsData, err error) {
	cursor := optional(v.page.URL.Query(), "posts")
	list, err := s.api.ListEventPosts(ctx, gen.ListEventPostsParams{EventID: event.ID, Limit: gen.NewOptInt(postsPerPage), Cursor: cursor})
	if err != nil {
		return d, err
	}
	d = view.PostsData{Event: event, Continues: cursor.Set}
	for _, t := range list.Items {
		d.Threads = append(d.Threads, view.NewThread(t))
	}
	d.More = v.more("posts", list.NextCursor)
	return d, nil
}

// posts redirects to the posts on the page of the event. The browser keeps the fragment of a link, which names a comment.
func (s *Site) posts(_ context.Context, v *visit) (templ.Component, error) {
	return nil, redirect{view.PostsURL(v.id("event_id"))}
}

// comments lists the comments of a post. The page of the event shows only the first ones.
func (s *Site) comments(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: v.id("event_id")})
	if err != nil {
		return nil, err
	}
	list, err := s.api.ListPostComments(ctx, gen.ListPostCommentsParams{
		EventID: v.id("event_id"), PostID: v.id("post_id"), Limit: gen.NewOptInt(commentsPerPage), Cursor: optional(v.page.URL.Query(), "cursor"),
	})
	if err != nil {
		return nil, err
	}
	v.page.Title, v.page.NoIndex = v.page.T("posts.comments_of", "Event", details.Response.Event.Title), true
	return view.Comments(v.page, view.CommentsData{
		Event: details.Response.Event, PostID: v.id("post_id"), Comments: view.NewComments(list.Items),
		More: v.more("cursor", list.NextCursor),
	}), nil
}

// createPost writes a post of the organizer, or an announcement if that is ticked.
func (s *Site) createPost(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := &gen.CreateEventPostRequest{Body: lines(form, "body")}
	if kind := form.Get("kind"); kind != "" {
		request.Kind = gen.NewOptEventPostKind(gen.EventPostKind(kind))
	}
	post, err := s.api.CreateEventPost(ctx, request, gen.CreateEventPostParams{EventID: formID(form, "event_id"),
		IdempotencyKey: formKey(form)})
	if err != nil {
		return outcome{}, err
	}
	return backTo(form, post.ID.String(), "posts", "show"), nil
}

// createComment answers a post, or a comment on it.
func (s *Site) createComment(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	request := &gen.CreateEventPostCommentRequest{Body: lines(form, "body")}
	if form.Has("parent_comment_id") {
		request.ParentCommentID = gen.NewOptNilUUID(formID(form, "parent_comment_id"))
	}
	comment, err := s.api.CreatePostComment(ctx, request, gen.CreatePostCommentParams{
		EventID: formID(form, "event_id"), PostID: formID(form, "post_id"), IdempotencyKey: formKey(form),
	})
	if err != nil {
		return outcome{}, err
	}
	return backTo(form, comment.ID.String(), "answer", "show"), nil
}

func (s *Site) updateComment(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.UpdatePostComment(ctx, &gen.UpdateEventPostCommentRequest{Body: lines(form, "body")}, gen.UpdatePostCommentParams{
		EventID: formID(form, "event_id"), PostID: formID(form, "post_id"), CommentID: formID(form, "comment_id"),
	})
	return backTo(form, form.Get("comment_id"), "edit", "show"), err
}

func (s *Site) deleteComment(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	err := s.api.DeletePostComment(ctx, gen.DeletePostCommentParams{
		EventID: formID(form, "event_id"), PostID: formID(form, "post_id"), CommentID: formID(form, "comment_id"),
	})
	return backTo(form, form.Get("post_id"), "edit", "show"), err
}

func (s *Site) deletePost(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	err := s.api.DeleteEventPost(ctx, gen.DeleteEventPostParams{EventID: formID(form, "event_id"), PostID: formID(form, "post_id")})
	return backTo(form, "posts", "edit", "show"), err
}

func (s *Site) likePost(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.LikePost(ctx, gen.LikePostParams{EventID: formID(form, "event_id"), PostID: formID(form, "post_id")})
	return backTo(form, form.Get("post_id")), err
}

func (s *Site) unlikePost(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.UnlikePost(ctx, gen.UnlikePostParams{EventID: formID(form, "event_id"), PostID: formID(form, "post_id")})
	return backTo(form, form.Get("post_id")), err
}
