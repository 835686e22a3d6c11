package user_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall/internal/apptest"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/user"
)

// named makes an account with these names; the username is also the actor's.
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

// found gives the usernames of a search, page after page.
func found(t *testing.T, c *apptest.Client, query string) []string {
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

func TestSearch(t *testing.T) {
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
			{"everybody by name", "", "", "percent anna.schmidt annabel jose peter zoe wang"},
			{"a city, whatever its case", "", "BERLIN", "anna.schmidt annabel peter"},
			{"a city, whatever its accents", "", "sao paulo", "jose"},
			{"a city in another script", "", "ΑΘΗΝΑ", "zoe"},
			{"no such city", "", "Berl", ""},
			{"a city of nothing visible", "", "\u200b", ""},
			{"the beginning of a word, whole words first", "anna", "", "anna.schmidt annabel"},
			{"once who has two such words", "ann", "", "anna.schmidt annabel"},
			{"a longer beginning", "annab", "", "annabel"},
			{"two words in any order", "schm ann", "", "anna.schmidt"},
			{"the same word twice", "ann ann", "", "anna.schmidt annabel"},
			{"a word and a stranger's", "anna pan", "", ""},
			{"the middle of a word", "chmidt", "", ""},
			{"without accents", "nandu", "", "jose"},
			{"with other accents", "JÔSÉ", "", "jose"},
			{"in Greek, without accents", "ζωη", "", "zoe"},
			{"a part of a Chinese name", "小明", "", "wang"},
			{"the username", "anna.schmidt", "", "anna.schmidt"},
			{"and a city", "p", "berlin", "peter"},
			{"and another city", "anna", "São Paulo", ""},
			{"a pattern is none", "%", "", ""},
			{"nor an underscore", "p_ter", "", ""},
			{"digits", "100", "", "percent"},
			{"only signs", "?!", "", ""},
		} {
			got := found(t, a.Anonymous(), query(row.q, row.city))
			if strings.Join(got, " ") != row.want {
				t.Errorf("%s: %q, want %q", row.what, got, row.want)
			}
			if paged := found(t, a.Anonymous(), query(row.q, row.city)+"&limit=1"); !slices.Equal(paged, got) {
				t.Errorf("%s: %q one by one, %q at once", row.what, paged, got)
			}
		}
	})
}

// TestSearchFollowsChanges finds people by what they are called now.
func TestSearchFollowsChanges(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		username := ann.Get("/me").Text("profile.username")
		want := func(q, city string, n int) {
			t.Helper()
			if got := found(t, a.Anonymous(), query(q, city)); len(got) != n {
				t.Errorf("%s in %s finds %q", q, city, got)
			}
		}
		want(username, "", 1)
		want("User", "", 1) // as new accounts are called
		ann.Patch("/me/profile", map[string]any{"display_name": "Ann One", "city": "Oslo"}).Want(http.StatusOK)
		want("User", "", 1) // her username still
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

func TestSearchLeavesOut(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann, bob := named(t, a, "ann", "Ann", "Oslo"), named(t, a, "bob", "Bob", "Oslo")
		named(t, a, "machine", "Machine", "Oslo") // its address is a test's
		late := named(t, a, "late", "Late", "Oslo")
		late.Patch("/me/profile", map[string]any{"username": "e2e.late"}).Want(http.StatusOK)
		late.Patch("/me/profile", map[string]any{"username": "late"}).Want(http.StatusOK)
		want := func(who string, c *apptest.Client, want string) {
			t.Helper()
			for _, query := range []string{"", "city=oslo", "limit=1"} {
				if got := strings.Join(found(t, c, query), " "); got != want {
					t.Errorf("%s finds %q by %q, want %q", who, got, query, want)
				}
			}
		}
		want("anybody", a.Anonymous(), "ann bob")
		late.Get("/users/" + late.UserID + "/profile").Want(http.StatusOK) // directly they are there
		ann.Post("/users/"+bob.UserID+"/block", nil).Want(http.StatusOK)
		want("who blocks", ann, "ann")
		want("who is blocked", bob, "bob")
		want("anybody", a.Anonymous(), "ann bob")
		want("a stranger", late, "ann bob")

		s := user.NewService(a.DB, a.Clock.Now, user.Moderators{})
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
		in(func(tx db.Tx) (bool, error) { return s.Suspend(t.Context(), tx, userID(t, ann), a.Clock.Now()) })
		want("anybody", a.Anonymous(), "bob")
		ann.Get("/me").WantError(http.StatusUnauthorized, "unauthorized")
		in(func(tx db.Tx) (bool, error) { return s.Restore(t.Context(), tx, userID(t, ann)) })
		want("anybody", a.Anonymous(), "ann bob")
		bob.Delete("/me").Want(http.StatusNoContent)
		want("anybody", a.Anonymous(), "ann")
	}, apptest.Setting("TEST_PROFILE_PATTERNS", "machine@*, E2E.*"))
}

// TestSearchPages walks pages of every length while nobody is skipped or
// repeated, among people of one name too.
func TestSearchPages(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		const many = 22
		want := map[string]bool{}
		for i := range many {
			username := fmt.Sprintf("page%02d", i)
			named(t, a, username, []string{"Max Page", "Page <&> Max", "Page"}[rand.IntN(3)], "Oslo")
			want[username] = true
		}
		for _, search := range []string{"", "q=pag", "q=page", "q=p&city=oslo", "q=max+page", "city=oslo"} {
			whole := found(t, a.Anonymous(), search+"&limit=100")
			if len(whole) != many && search != "q=max+page" {
				t.Errorf("%s finds %d", search, len(whole))
			}
			for _, limit := range []int{1, 7, 20, 21, 22} {
				if got := found(t, a.Anonymous(), fmt.Sprintf("%s&limit=%d", search, limit)); !slices.Equal(got, whole) {
					t.Errorf("%s by %d: %q, want %q", search, limit, got, whole)
				}
			}
		}
		next := a.Anonymous().Get("/users/profiles?q=max&limit=1").Want(http.StatusOK).Text("next_cursor")
		for _, path := range []string{"?cursor=" + next, "?q=other&cursor=" + next, "?q=max&cursor=x" + next, "?cursor=nonsense", "?limit=0", "?limit=101", "?q=" + strings.Repeat("x", 121)} {
			a.Anonymous().Get("/users/profiles"+path).WantError(http.StatusBadRequest, "invalid_request")
		}
	})
}

// TestSearchAmongVeryMany goes along the rarest word of a search, and no
// farther than a request may along words that are all common.
func TestSearchAmongVeryMany(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		named(t, a, "abe", "Abe Common Usual", "")
		named(t, a, "zed", "Zed Common Usual", "")
		named(t, a, "ann", "Ann Common Rare", "")
		named(t, a, "zoe", "Zoe Common Rare", "")
		strangers := func(yield func([]any) bool) {
			for i := range 50_000 {
				word := []string{"common", "usual"}[i%2]
				if !yield([]any{"\x1f" + word, "max", domain.NewID[domain.UserKind](a.Clock.Now()), 0}) {
					return
				}
			}
		}
		if _, err := a.DB.Bulk(t.Context(), "people", []string{"term", "name_key", "user_id", "shared"}, strangers); err != nil {
			t.Fatal(err)
		}
		for _, row := range []struct{ q, pages string }{
			{"common", "abe ann zed zoe"},
			{"common ra", "ann zoe"},
			{"rar commo", "ann zoe"},
			{"common nobody", ""},
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
			if got := strings.Join(found(t, a.Anonymous(), query(row.q, "")+"&limit=1"), " "); got != strings.ReplaceAll(row.pages, " | ", " ") {
				t.Errorf("%s: %q one by one", row.q, got)
			}
		}
	})
}

// TestIndex puts profiles into the search that are older than it is.
func TestIndex(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		old := make([]user.Imported, 60)
		for i := range old {
			username := fmt.Sprintf("old%02d", i)
			email, err := user.ParseEmail(username + "@example.org")
			if err != nil {
				t.Fatal(err)
			}
			old[i] = user.Imported{UserID: domain.NewID[domain.UserKind](a.Clock.Now()), Email: email, DisplayName: "Old", Username: username,
				City: new("Oslo"), CreatedAt: a.Clock.Now()}
		}
		if err := user.Import(t.Context(), a.DB, old); err != nil {
			t.Fatal(err)
		}
		if got := found(t, a.Anonymous(), "q=old&city=oslo"); len(got) != len(old) {
			t.Errorf("%d of those imported are found", len(got))
		}
		exec(t, a, forgetPeopleStmt)
		exec(t, a, forgetWordsStmt)
		if got := found(t, a.Anonymous(), ""); len(got) != 0 {
			t.Fatalf("%q are still found", got)
		}
		a.Clock.Advance(time.Hour)
		a.RunJobs()
		for _, search := range []string{"", "q=old", "city=oslo", "q=old+old5&city=oslo"} {
			want := 60
			if strings.Contains(search, "old5") {
				want = 10
			}
			if got := found(t, a.Anonymous(), search); len(got) != want {
				t.Errorf("%s finds %d, want %d", search, len(got), want)
			}
		}
	})
}

var (
	forgetPeopleStmt = db.SQL("profile_test.forget_people", `DELETE FROM people`)
	forgetWordsStmt  = db.SQL("profile_test.forget_words", `UPDATE profiles SET words = NULL`)
)
