package identity_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// named creates an account with these names. The name of the actor is the username.
func named(t *testing.T, a *apptest.App, username, name, city string) *apptest.Client {
	t.Helper()
	body := map[string]any{"display_name": name, "username": username}
	if city != "" {
		body["city"] = city
	}
	c := a.As(username)
	c.Patch("/me/profile", body).Want(http.StatusOK)
	return c
}

// usernames returns the usernames of all pages of a search.
func usernames(t *testing.T, c *apptest.Client, query string) []string {
	t.Helper()
	var names []string
	cursor := ""
	for {
		path := "/users/profiles?" + query
		if cursor != "" {
			path += "&cursor=" + cursor
		}
		page := c.Get(path).Want(http.StatusOK)
		for i := range page.Len("items") {
			names = append(names, page.Text(fmt.Sprintf("items.%d.username", i)))
		}
		next, ok := page.Get("next_cursor").(string)
		if !ok {
			return names
		}
		cursor = next
	}
}

func query(q, city string) string {
	values := url.Values{}
	if q != "" {
		values.Set("q", q)
	}
	if city != "" {
		values.Set("city", city)
	}
	return values.Encode()
}

func TestSearchMatchesWordPrefixesAndCity(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		named(t, a, "anna.schmidt", "Anna Schmidt", "Berlin")
		named(t, a, "annabel", "Annabel Anna", "Berlin")
		named(t, a, "jose", "José Ñandú", "São Paulo")
		named(t, a, "zoe", "Ζωή", "Αθήνα")
		named(t, a, "wang", "王小明", "北京")
		named(t, a, "peter", "peter pan", "berlin")
		named(t, a, "percent", "100% _all_", "")
		for _, row := range []struct {
			what, q, city string
			want          string
		}{
			{"all, sorted by name", "", "", "percent anna.schmidt annabel jose peter zoe wang"},
			{"a city in another case", "", "BERLIN", "anna.schmidt annabel peter"},
			{"a city without accents", "", "sao paulo", "jose"},
			{"a city in another script", "", "ΑΘΗΝΑ", "zoe"},
			{"no such city", "", "Berl", ""},
			{"an invisible city", "", "\u200b", ""},
			{"a prefix, whole words first", "anna", "", "anna.schmidt annabel"},
			{"two matching words of one user", "ann", "", "anna.schmidt annabel"},
			{"a longer prefix", "annab", "", "annabel"},
			{"two words in any order", "schm ann", "", "anna.schmidt"},
			{"the same word twice", "ann ann", "", "anna.schmidt annabel"},
			{"words of two users", "anna pan", "", ""},
			{"the middle of a word", "chmidt", "", ""},
			{"without accents", "nandu", "", "jose"},
			{"with other accents", "JÔSÉ", "", "jose"},
			{"in Greek, without accents", "ζωη", "", "zoe"},
			{"a part of a Chinese name", "小明", "", "wang"},
			{"the username", "anna.schmidt", "", "anna.schmidt"},
			{"a word and a city", "p", "berlin", "peter"},
			{"a word and another city", "anna", "São Paulo", ""},
			{"no pattern", "%", "", ""},
			{"no underscore pattern", "p_ter", "", ""},
			{"digits", "100", "", "percent"},
			{"only punctuation", "?!", "", ""},
		} {
			got := usernames(t, a.Anonymous(), query(row.q, row.city))
			if strings.Join(got, " ") != row.want {
				t.Errorf("%s: %q, want %q", row.what, got, row.want)
			}
			if paged := usernames(t, a.Anonymous(), query(row.q, row.city)+"&limit=1"); !slices.Equal(paged, got) {
				t.Errorf("%s: %q with limit 1, %q at once", row.what, paged, got)
			}
		}
	})
}

func TestSearchUsesCurrentNames(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		username := ann.Get("/me").Text("profile.username")
		want := func(q, city string, n int) {
			t.Helper()
			if got := usernames(t, a.Anonymous(), query(q, city)); len(got) != n {
				t.Errorf("%s in %s finds %q", q, city, got)
			}
		}
		want(username, "", 0) // new accounts have chosen no name
		want("User", "", 0)
		ann.Patch("/me/profile", map[string]any{"display_name": "Ann One", "city": "Oslo"}).Want(http.StatusOK)
		want("User", "", 1) // the username still matches
		want("one", "oslo", 1)
		ann.Patch("/me/profile", map[string]any{"username": "ann2", "city": nil}).Want(http.StatusOK)
		want("User", "", 0)
		want("one", "oslo", 0)
		want("", "oslo", 0)
		want("ann2", "", 1)
		ann.Patch("/me/profile", map[string]any{"interests": []string{"games"}}).Want(http.StatusOK)
		want("", "", 1)
	})
}

func TestSearchOmitsTestProfilesSuspendedAndBlockedUsers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob := named(t, a, "ann", "Ann", "Oslo"), named(t, a, "bob", "Bob", "Oslo")
		named(t, a, "machine", "Machine", "Oslo") // its address matches a pattern
		late := named(t, a, "late", "Late", "Oslo")
		late.Patch("/me/profile", map[string]any{"username": "e2e.late"}).Want(http.StatusOK)
		late.Patch("/me/profile", map[string]any{"username": "late"}).Want(http.StatusOK)
		want := func(who string, c *apptest.Client, want string) {
			t.Helper()
			for _, query := range []string{"", "city=oslo", "limit=1"} {
				if got := strings.Join(usernames(t, c, query), " "); got != want {
					t.Errorf("%s finds %q by %q, want %q", who, got, query, want)
				}
			}
		}
		want("anonymous", a.Anonymous(), "ann bob")
		late.Get("/users/" + late.UserID + "/profile").Want(http.StatusOK) // the profile itself is visible
		ann.Post("/users/"+bob.UserID+"/block", nil).Want(http.StatusOK)
		want("the blocker", ann, "ann")
		want("the blocked user", bob, "bob")
		want("anonymous", a.Anonymous(), "ann bob")
		want("a stranger", late, "ann bob")

		s := &user.Service{DB: a.DB, Clock: a.Clock.Now}
		in := func(change func(db.Tx) (bool, error)) {
			t.Helper()
			for _, first := range []bool{true, false} {
				err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
					if changed, err := change(tx); err != nil || changed != first {
						t.Errorf("changed %t, %v", changed, err)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		in(func(tx db.Tx) (bool, error) { return s.Suspend(t.Context(), tx, ann.ID(), a.Clock.Now()) })
		want("anonymous", a.Anonymous(), "bob")
		ann.Get("/me").WantError(http.StatusUnauthorized, "unauthorized")
		in(func(tx db.Tx) (bool, error) { return s.Restore(t.Context(), tx, ann.ID()) })
		want("anonymous", a.Anonymous(), "ann bob")
		bob.Delete("/me").Want(http.StatusNoContent)
		want("anonymous", a.Anonymous(), "ann")
	}, apptest.Setting("TEST_PROFILE_PATTERNS", "machine@*, E2E.*"))
}

// TestSearchPages checks that pages of any length neither skip nor repeat users, even
// with equal names.
func TestSearchPages(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		const many = 22
		want := map[string]bool{}
		for i := range many {
			username := fmt.Sprintf("page%02d", i)
			named(t, a, username, []string{"Max Page", "Page <&> Max", "Page"}[rand.IntN(3)], "Oslo")
			want[username] = true
		}
		for _, search := range []string{"", "q=pag", "q=page", "q=p&city=oslo", "q=max+page", "city=oslo"} {
			whole := usernames(t, a.Anonymous(), search+"&limit=100")
			if len(whole) != many && search != "q=max+page" {
				t.Errorf("%s finds %d", search, len(whole))
			}
			for _, limit := range []int{1, 7, 20, 21, 22} {
				if got := usernames(t, a.Anonymous(), fmt.Sprintf("%s&limit=%d", search, limit)); !slices.Equal(got, whole) {
					t.Errorf("%s with limit %d: %q, want %q", search, limit, got, whole)
				}
			}
		}
		next := a.Anonymous().Get("/users/profiles?q=max&limit=1").Want(http.StatusOK).Text("next_cursor")
		for _, path := range []string{"?cursor=" + next, "?q=other&cursor=" + next, "?q=max&cursor=x" + next, "?cursor=nonsense", "?limit=0",
			"?limit=101", "?q=" + strings.Repeat("x", 121)} {
			a.Anonymous().Get("/users/profiles"+path).WantError(http.StatusBadRequest, "invalid_request")
		}
	})
}

// TestSearchScansRarestWord checks that a search scans the rows of its rarest word, and
// at most maxScanned rows if all words are common.
func TestSearchScansRarestWord(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		named(t, a, "abe", "Abe Common Usual", "")
		named(t, a, "zed", "Zed Common Usual", "")
		named(t, a, "ann", "Ann Common Rare", "")
		named(t, a, "zoe", "Zoe Common Rare", "")
		others := func(yield func([]any) bool) {
			for i := range 50_000 {
				word := []string{"common", "usual"}[i%2]
				if !yield([]any{"\x1f" + word, "max", domain.NewID[domain.UserKind](a.Clock.Now()), 0}) {
					return
				}
			}
		}
		if _, err := a.DB.Bulk(t.Context(), "people", []string{"term", "name_key", "user_id", "shared"}, others); err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct{ q, pages string }{
			{"common", "abe ann zed zoe"},
			{"common ra", "ann zoe"},
			{"rar commo", "ann zoe"},
			{"common unknown", ""},
			{"common usual", "abe | zed"},
		} {
			var pages []string
			for next := ""; ; {
				page := a.Anonymous().Get("/users/profiles?" + query(row.q, "") + next).Want(http.StatusOK)
				var names []string
				for i := range page.Len("items") {
					names = append(names, page.Text(fmt.Sprintf("items.%d.username", i)))
				}
				pages = append(pages, strings.Join(names, " "))
				cursor, more := page.Get("next_cursor").(string)
				if !more {
					break
				}
				next = "&cursor=" + cursor
			}
			if got := strings.Join(pages, " | "); got != row.pages {
				t.Errorf("%s: %q, want %q", row.q, got, row.pages)
			}
			if got := strings.Join(usernames(t, a.Anonymous(), query(row.q, "")+"&limit=1"), " "); got != strings.ReplaceAll(row.pages, " | ", " ") {
				t.Errorf("%s: %q with limit 1", row.q, got)
			}
		}
	})
}
