package browser

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestMyEventsAndChats opens the home and the chats of a user.
func TestMyEventsAndChats(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		visitor(t, a).open("/my").redirects(t, "/login?return_to=%2Fmy")
		visitor(t, a).open("/chats").redirects(t, "/login?return_to=%2Fchats")
		org, ann := a.As("org"), signedIn(t, a, "ann")
		ann.open("/my").want(t, http.StatusOK, "Nothing here", "not", `class="badge"`)
		ann.open("/chats").want(t, http.StatusOK, "No chats yet")

		at := func(days int) string { return a.Clock.Now().AddDate(0, 0, days).UTC().Format(time.RFC3339) }
		tea := org.Publish(apptest.Fields{"title": "Tea", "starts_at": at(2)})
		chess := org.Publish(apptest.Fields{"title": "Chess", "starts_at": at(1)})
		secret := org.Draft(apptest.Fields{"title": "Secret", "starts_at": at(3), "visibility": "private"})
		org.Post("/events/"+secret+"/invitations", apptest.Fields{"email": apptest.Email("ann")}).Want(http.StatusCreated)
		for _, event := range []string{tea, chess} {
			a.As("ann").Join(event)
		}
		a.As("ann").Publish(apptest.Fields{"title": "Own", "starts_at": at(4)})
		a.As("ann").Draft(apptest.Fields{"title": "Plan"})
		a.As("ann").Post("/events/"+tea+"/messages", apptest.Fields{"body": "Who brings milk?"}).Want(http.StatusCreated)

		ann.open("/my").want(t, http.StatusOK, `id="next-event"><a href="/events/`+chess, "Tea", "Own", `<span class="badge">1</span>`, "not", "Secret",
			"Plan")
		ann.open("/my?role=draft").want(t, http.StatusOK, "Plan", "Draft", "not", "Tea")
		ann.open("/my?role=invited").want(t, http.StatusOK, "Secret", "not", "Tea")
		ann.open("/my?role=hosting").want(t, http.StatusOK, "Own", "not", "Tea")
		ann.open("/my?role=unknown").want(t, http.StatusOK, "Chess")
		ann.open("/my?role=past&cursor=x").want(t, http.StatusBadRequest)
		signedIn(t, a, "org").open("/chats").want(t, http.StatusOK, "Tea", "Guest</bdi>: <span", "Who brings milk?", `aria-hidden="true">1</span>`)
	}, settings...)
}

// TestPagesAskForANameAndCallOthersGuests shows an organizer without a name to others, in each language, until they choose one.
func TestPagesAskForANameAndCallOthersGuests(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	org := signedIn(t, a, "org")
	event := a.As("org").Publish(nil)
	page := "/events/" + event
	name := a.As("org").Get("/me").Text("profile.display_name")
	for language, guest := range map[string]string{"en": "Guest", "de": "Gast", "ru": "Гость"} {
		for _, path := range []string{page, "/", "/users/" + a.As("org").UserID} {
			visitor(t, a).open(path, "Accept-Language", language).want(t, http.StatusOK, guest, "not", name)
		}
	}
	org.open("/").want(t, http.StatusOK, "What may others call you?", "not", `value="`+name)
	org.open("/profile").want(t, http.StatusOK, "not", "What may others call you?", `value="`+name)
	org.submit("chooseName", "/", url.Values{"display_name": {"\u202e"}}).want(t, http.StatusUnprocessableEntity, "What may others call you?")
	org.submit("chooseName", "/", url.Values{"display_name": {"Olga"}}).redirects(t, "/")
	org.open("/").want(t, http.StatusOK, "Olga", "not", "What may others call you?")
	visitor(t, a).open(page).want(t, http.StatusOK, "Olga", "not", "Guest")
}

// TestPagesCountHoursByCountry opens an event at eight in the evening, and its cached page in other countries.
func TestPagesCountHoursByCountry(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	start := a.Clock.Now().AddDate(0, 0, 2).UTC().Format(time.DateOnly) + "T20:00:00Z"
	page := "/events/" + a.As("org").Publish(apptest.Fields{"starts_at": start, "timezone": "UTC"})
	for range 2 {
		for accepted, want := range map[string]string{"en-US": "8:00\u00a0PM", "en-GB": "20:00", "en": "20:00", "de-DE": "20:00", "ru": "20:00"} {
			visitor(t, a).open(page, "Accept-Language", accepted).want(t, http.StatusOK, want)
		}
	}
}

// TestNameOfAJoinerIsSetOnlyOnce joins as somebody new, and again as somebody who has a name.
func TestNameOfAJoinerIsSetOnlyOnce(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	for i, row := range []struct{ typed, want string }{{"", ""}, {"Noor", "Noor"}, {"Somebody", "Noor"}} {
		page := "/events/" + a.As("org").Publish(nil)
		b, fields := visitor(t, a), url.Values{"event_id": {page[len("/events/"):]}, "email": {"new@example.org"}, "name": {row.typed}}
		b.submit("joinEvent", page, fields).want(t, http.StatusOK, `name="code"`)
		fields.Set("code", webCodeInMail.FindString(a.Mail("new@example.org").Text))
		b.submit("verifyEmailSignIn", page, fields).redirects(t, page+"?joined=yes")
		me := a.SignIn("new@example.org").Get("/me").Want(http.StatusOK)
		if me.Get("profile.name_chosen") != (row.want != "") || row.want != "" && me.Text("profile.display_name") != row.want {
			t.Errorf("join %d with the name %q: %s", i, row.typed, me.Body)
		}
		a.Clock.Advance(time.Minute) // so that the next mail is the newest
	}
}
