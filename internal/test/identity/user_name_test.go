package identity_test

import (
	"net/http"
	"regexp"
	"testing"

	"moothall/internal/test/apptest"
)

// TestNobodyIsListedBeforeChoosingAName follows a new account until others find it.
func TestNobodyIsListedBeforeChoosingAName(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann, others := a.As("ann"), a.Anonymous()
		check := func(what string, chosen bool, listed int) {
			t.Helper()
			for path, profile := range map[string]string{"/me": "profile.", "/users/" + ann.UserID + "/profile": ""} {
				if got := ann.Get(path).Want(http.StatusOK).Get(profile + "name_chosen"); got != chosen {
					t.Errorf("%s: name_chosen of %s is %v", what, path, got)
				}
			}
			username := ann.Get("/me").Text("profile.username")
			for _, query := range []string{"", "?q=" + username, "?city=Berlin"} {
				if n := others.Get("/users/profiles" + query).Want(http.StatusOK).Len("items"); n != listed {
					t.Errorf("%s: %q finds %d", what, query, n)
				}
			}
		}
		placeholder := ann.Get("/me").Text("profile.display_name")
		if !regexp.MustCompile(`^User [0-9a-f]{4}$`).MatchString(placeholder) {
			t.Errorf("the placeholder is %q", placeholder)
		}
		ann.Patch("/me/profile", apptest.Fields{"city": "Berlin", "username": "anna"}).Want(http.StatusOK)
		check("only a username", false, 0)
		ann.Patch("/me/profile", apptest.Fields{"display_name": ""}).Want(http.StatusBadRequest)
		check("a refused name", false, 0)
		ann.Patch("/me/profile", apptest.Fields{"display_name": placeholder}).Want(http.StatusOK)
		check("the placeholder itself", true, 1)
		ann.Patch("/me/profile", apptest.Fields{"display_name": "Anna"}).Want(http.StatusOK)
		check("a name", true, 1)
		if export := ann.Get("/me/export").Want(http.StatusOK); export.Get("account.name_chosen") != true {
			t.Error("the export does not say it")
		}
	})
}

// TestNotificationsCallUsersGuestsBeforeTheyChooseAName reads a notification in three languages.
func TestNotificationsCallUsersGuestsBeforeTheyChooseAName(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, ann := a.As("org"), a.As("ann")
		ann.Follow(org)
		title := func(language string) string {
			return org.With("Accept-Language", language).Get("/notifications").Want(http.StatusOK).Text("items.0.title")
		}
		for language, want := range map[string]string{"en": "Guest follows you now", "de": "Gast folgt dir jetzt"} {
			if got := title(language); got != want {
				t.Errorf("%s: %q, want %q", language, got, want)
			}
		}
		ann.Patch("/me/profile", apptest.Fields{"display_name": "Anna"}).Want(http.StatusOK)
		if got := title("en"); got != "Anna follows you now" {
			t.Errorf("with a name: %q", got)
		}
	})
}
