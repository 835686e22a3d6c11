package browser

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// elementOf matches the address of an element on a page.
var elementOf = regexp.MustCompile(`^(/[^#]*)#([0-9a-f-]{36})$`)

// leads fails unless an action leads to an element of a page, whose id it returns.
func (r answer) leads(t *testing.T, page string) (id string) {
	t.Helper()
	to := elementOf.FindStringSubmatch(r.Header.Get("Location"))
	if r.StatusCode != http.StatusSeeOther || to == nil || to[1] != page {
		t.Fatalf("%s: %d to %q, want an element of %q: %s", r.Request.URL.Path, r.StatusCode, r.Header.Get("Location"), page, r.Body)
	}
	return to[2]
}

func TestPosts(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(nil)
		page := pageOf(a.As("org"), event)
		org, ann, nobody := signedIn(t, a, "org"), signedIn(t, a, "ann"), visitor(t, a)
		fields := func(more ...string) url.Values {
			f := url.Values{"event_id": {event}}
			for i := 0; i < len(more); i += 2 {
				f.Set(more[i], more[i+1])
			}
			return f
		}
		org.open(page).want(t, http.StatusOK, "createEventPost", "Nothing has been posted yet")
		ann.open(page).want(t, http.StatusOK, "not", "createEventPost")

		write := fields("body", "The back room\r\nis <b>ours</b>.", "kind", "announcement", "key", "post-1")
		post := org.submit("createEventPost", page, write).leads(t, page)
		if org.submit("createEventPost", page, write).leads(t, page) != post {
			t.Error("the form that was sent twice has written two posts")
		}
		nobody.open(page).want(t, http.StatusOK, "The back room\nis &lt;b&gt;ours&lt;/b&gt;.", "Announcement", `id="`+post+`"`)
		org.submit("createEventPost", page, fields("body", " ")).want(t, http.StatusUnprocessableEntity, `aria-invalid="true"`,
			"but not more than fits here")
		ann.submit("createEventPost", page, fields("body", "Mine")).want(t, http.StatusUnprocessableEntity)

		ann.submit("likePost", page, fields("post_id", post)).redirects(t, page+"#"+post)
		ann.open(page).want(t, http.StatusOK, `aria-label="Like: 1 like" aria-pressed="true"`, "/do/unlikePost")
		nobody.open(page).want(t, http.StatusOK, `aria-label="Like: 1 like" aria-pressed="false"`)
		ann.submit("unlikePost", page, fields("post_id", post)).redirects(t, page+"#"+post)
		ann.open(page).want(t, http.StatusOK, `aria-label="Like: 0 likes"`)

		answer := page + "?answer=" + post
		ann.open(page).want(t, http.StatusOK, `href="`+answer+`"`, "not", "createPostComment")
		ann.open(answer).want(t, http.StatusOK, "createPostComment", "autofocus")
		nobody.open(answer).redirects(t, "/login?"+url.Values{"return_to": {answer}}.Encode())
		ann.submit("createPostComment", answer, fields("post_id", post, "body", "")).want(t, http.StatusUnprocessableEntity, "createPostComment",
			`aria-invalid="true"`)
		comment := ann.submit("createPostComment", answer, fields("post_id", post, "body", "Who brings dice?", "key", "c-1")).leads(t, page)
		org.open(page+"?answer="+comment).want(t, http.StatusOK, `name="parent_comment_id" value="`+comment+`"`)
		reply := org.submit("createPostComment", page+"?answer="+comment, fields("post_id", post, "parent_comment_id", comment, "body", "I do",
			"key", "c-2")).leads(t, page)
		nobody.open(page).want(t, http.StatusOK, "2 comments", "Who brings dice?", "I do", `id="`+reply+`"`, "not", "?edit=")

		edit := page + "?edit=" + comment
		ann.open(page).want(t, http.StatusOK, edit)
		org.open(edit).want(t, http.StatusOK, "not", "updatePostComment") // it is not theirs
		ann.open(edit).want(t, http.StatusOK, "updatePostComment", "Who brings dice?</textarea>")
		ann.submit("updatePostComment", edit, fields("post_id", post, "comment_id", comment, "body", "Who brings two dice?")).redirects(t,
			page+"#"+comment)
		nobody.open(page).want(t, http.StatusOK, "Who brings two dice?")
		org.submit("deletePostComment", page, fields("post_id", post, "comment_id", comment)).want(t, http.StatusUnprocessableEntity)
		ann.submit("deletePostComment", edit, fields("post_id", post, "comment_id", comment)).redirects(t, page+"#"+post)
		nobody.open(page).want(t, http.StatusOK, "This comment was deleted", "I do", "1 comment", "not", "two dice")
		org.submit("deletePostComment", page, fields("post_id", post, "comment_id", reply)).redirects(t, page+"#"+post)
		nobody.open(page).want(t, http.StatusOK, "not", "This comment was deleted", "I do")

		remove := page + "?edit=" + post
		org.open(page).want(t, http.StatusOK, remove, "not", "deleteEventPost")
		ann.open(remove).want(t, http.StatusOK, "not", "deleteEventPost")
		org.open(remove).want(t, http.StatusOK, "deleteEventPost", "The post disappears for everybody")
		org.submit("deleteEventPost", remove, fields("post_id", post)).redirects(t, page+"#posts")
		nobody.open(page).want(t, http.StatusOK, "Nothing has been posted yet", "not", "The back room")
	}, settings...)
}

// TestCommentsOfBlockedUsersAreHidden keeps their place, so that replies stay connected.
func TestCommentsOfBlockedUsersAreHidden(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org, ann := a.As("org"), a.As("ann")
	event := org.Publish(nil)
	posts := "/events/" + event + "/posts"
	comments := posts + "/" + org.Post(posts, apptest.Fields{"body": "Hello"}).Want(http.StatusCreated).Text("id") + "/comments"
	first := ann.Post(comments, apptest.Fields{"body": "From Ann"}).Want(http.StatusCreated).Text("id")
	org.Post(comments, apptest.Fields{"body": "A reply", "parent_comment_id": first}).Want(http.StatusCreated)
	ann.Block(a.As("ben"))
	signedIn(t, a, "ben").open("/events/"+event).want(t, http.StatusOK, "You do not see this comment", "A reply", "not", "From Ann")
}

func TestOlderPostsAndComments(t *testing.T) {
	a := apptest.New(t, db.SQLite, append(settings, apptest.Setting("RATE_LIMITS", "off"))...)
	org := a.As("org")
	event := org.Publish(nil)
	page := "/events/" + event
	var first string
	for i := range 6 {
		a.Clock.Advance(1)
		id := org.Post(page+"/posts", apptest.Fields{"body": "post no. " + string(rune('a'+i))}).Want(http.StatusCreated).Text("id")
		if i == 0 {
			first = id
		}
	}
	nobody := visitor(t, a)
	newest := nobody.open(page)
	newest.want(t, http.StatusOK, "post no. f", "post no. b", "not", "post no. a", "Newest posts")
	older := regexp.MustCompile(`href="([^"]+\?posts=[^"#]+)#posts"`).FindStringSubmatch(newest.Body)
	if older == nil {
		t.Fatal("no older posts")
	}
	nobody.open(older[1]).want(t, http.StatusOK, "post no. a", "Newest posts", "not", "post no. b")

	comments := page + "/posts/" + first + "/comments"
	for i := range 101 {
		org.Post(comments, apptest.Fields{"body": "comment no. " + strings.Repeat("i", i) + "."}).Want(http.StatusCreated)
	}
	all := nobody.open(comments)
	all.want(t, http.StatusOK, "comment no. .", comments+"?answer="+first, "More comments", "Chess in the park", "not",
		"comment no. "+strings.Repeat("i", 100)+".")
	next := regexp.MustCompile(`href="([^"]+\?cursor=[^"]+)"`).FindStringSubmatch(all.Body)
	if next == nil {
		t.Fatal("no more comments")
	}
	nobody.open(next[1]).want(t, http.StatusOK, "comment no. "+strings.Repeat("i", 100)+".", "not", "More comments")
}

// TestPostsOfNotificationsHaveAPage checks the addresses that notifications and mails link to.
func TestPostsOfNotificationsHaveAPage(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		event := a.As("org").Publish(nil)
		page := "/events/" + event
		post := a.As("org").Post(page+"/posts", apptest.Fields{"body": "Hello"}).Want(http.StatusCreated).Text("id")
		comment := a.As("ann").Post(page+"/posts/"+post+"/comments", apptest.Fields{"body": "Hi"}).Want(http.StatusCreated).Text("id")
		a.RunJobs()

		visitor(t, a).open(page+"/posts").redirects(t, page+"?show=posts") // the browser keeps the fragment
		visitor(t, a).open(page+"?show=posts").want(t, http.StatusOK, `id="posts" tabindex="-1" autofocus`)
		visitor(t, a).open(page+"/reviews").redirects(t, "/login?"+url.Values{"return_to": {page + "/reviews"}}.Encode())
		ann := signedIn(t, a, "ann")
		ann.open(page+"/reviews").redirects(t, page+"#reviews")
		if r := ann.open(page+"/posts", "Accept", "application/json", "Sec-Fetch-Mode", "cors"); r.isPage() ||
			!strings.Contains(r.Body, `"items"`) {
			t.Errorf("the operation answers %s", r.Body)
		}

		org := signedIn(t, a, "org")
		id := idOfNotification.FindStringSubmatch(org.open("/notifications").Body)[1]
		org.submit("readNotification", "/notifications", url.Values{"open": {id}}).redirects(t, page+"/posts#"+comment)
	}, settings...)
}
