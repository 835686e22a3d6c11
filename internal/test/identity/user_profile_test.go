package identity_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"

	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/dbtest"
)

func TestNewAccountHasRandomNames(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		me := a.As("ann").Get("/me").Want(http.StatusOK)
		if got := me.Text("user.email"); got != "ann@example.org" {
			t.Errorf("email %q", got)
		}
		if name := me.Text("profile.display_name"); len(name) != len("User 1a2b") || !strings.HasPrefix(name, "User ") {
			t.Errorf("display_name %q", name)
		}
		if name := me.Text("profile.username"); len(name) != len("user_12345678") || !strings.HasPrefix(name, "user_") {
			t.Errorf("username %q", name)
		}
		if me.Get("user.phone") != nil || me.Get("profile.avatar_url") != nil || me.Get("profile.city") != nil ||
			me.Len("profile.interests") != 0 || me.Get("user.is_moderator") != false {
			t.Errorf("new account: %s", me.Body)
		}
		a.Anonymous().Get("/me").WantError(http.StatusUnauthorized, "unauthorized")
		a.Anonymous().Patch("/me/profile", `{}`).WantError(http.StatusUnauthorized, "unauthorized")
	})
}

func TestModeratorsAreListedByEmail(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		for name, want := range map[string]bool{"ann": true, "Mod": true, "bob": false} {
			if got := a.As(name).Get("/me").Get("user.is_moderator"); got != want {
				t.Errorf("%s is a moderator: %v", name, got)
			}
		}
	}, apptest.Setting("MODERATION_ADMIN_EMAILS", "Ann@example.org,mod@EXAMPLE.org"))
}

var long = strings.Repeat("x", 200)

// updates are sent by one user, one after the other.
var updates = []struct {
	name, body string
	field      string // of the changed profile
	want       any    // nil: the body is refused
}{
	{"display name", `{"display_name":"  Anna   Schmidt "}`, "display_name", "Anna Schmidt"},
	{"display name in any script", `{"display_name":"Анна 안나 🙂"}`, "display_name", "Анна 안나 🙂"},
	{"wide letters become plain", `{"display_name":"Ａｎｎａ"}`, "display_name", "Anna"},
	{"display name composed", `{"display_name":"Ame\u0301lie"}`, "display_name", "Amélie"},
	{"80 characters", `{"display_name":"` + long[:80] + `"}`, "display_name", long[:80]},
	{"81 characters", `{"display_name":"` + long[:81] + `"}`, "", nil},
	{"grows beyond 80", `{"display_name":"` + strings.Repeat("ﷺ", 50) + `"}`, "", nil},
	{"empty display name", `{"display_name":""}`, "", nil},
	{"blank display name", `{"display_name":"   "}`, "", nil},
	{"invisible display name", `{"display_name":"\u200b\u2060"}`, "", nil},
	{"two lines", `{"display_name":"a\nb"}`, "", nil},
	{"override", `{"display_name":"\u202egnp.exe"}`, "", nil},
	{"display name number", `{"display_name":1}`, "", nil},

	{"username", `{"username":"anna.schmidt_1"}`, "username", "anna.schmidt_1"},
	{"username in capitals", `{"username":"ANNA2"}`, "username", "anna2"},
	{"username of 30", `{"username":"` + long[:30] + `"}`, "username", long[:30]},
	{"username of 31", `{"username":"` + long[:31] + `"}`, "", nil},
	{"username of 2", `{"username":"ab"}`, "", nil},
	{"double dot", `{"username":"a..b"}`, "", nil},
	{"outer dot", `{"username":".ab"}`, "", nil},
	{"outer underscore", `{"username":"ab_"}`, "", nil},
	{"dash", `{"username":"a-b"}`, "", nil},
	{"space", `{"username":" anna "}`, "", nil},
	{"Cyrillic look-alike", `{"username":"\u0430dmin"}`, "", nil},
	{"Kelvin sign", `{"username":"\u212aelvin"}`, "", nil},
	{"line end", `{"username":"anna\n"}`, "", nil},
	{"reserved", `{"username":"admin"}`, "", nil},
	{"reserved in capitals", `{"username":"Support"}`, "", nil},
	{"reserved in pieces", `{"username":"ad.min"}`, "", nil},

	{"avatar", `{"avatar_url":"https://example.com/a.png?x=1"}`, "avatar_url", "https://example.com/a.png?x=1"},
	{"avatar without TLS", `{"avatar_url":"http://example.com/a.png"}`, "", nil},
	{"avatar of script", `{"avatar_url":"javascript:alert(1)"}`, "", nil},
	{"avatar with user", `{"avatar_url":"https://u:p@example.com/"}`, "", nil},
	{"avatar empty", `{"avatar_url":""}`, "", nil},
	{"avatar too long", `{"avatar_url":"https://example.com/` + strings.Repeat("a", 2048) + `"}`, "", nil},

	{"city", `{"city":" Zürich "}`, "city", "Zürich"},
	{"city too long", `{"city":"` + strings.Repeat("x", 121) + `"}`, "", nil},
	{"city empty", `{"city":""}`, "", nil},

	{"interests", `{"interests":["Games"," games ","GAMES","hiking"]}`, "interests.1", "hiking"},
	{"first spelling stays", `{"interests":["Straße","STRASSE","straße"]}`, "interests.1", "STRASSE"},
	{"21 interests", `{"interests":[` + strings.Repeat(`"x",`, 20) + `"x"]}`, "", nil},
	{"interest too long", `{"interests":["` + strings.Repeat("x", 41) + `"]}`, "", nil},
	{"interest empty", `{"interests":["games",""]}`, "", nil},
	{"interest null", `{"interests":[null]}`, "", nil},
	{"interests not a list", `{"interests":"games"}`, "", nil},

	{"no object", `[]`, "", nil},
	{"sign-in address stays", `{"email":"victim@example.com","city":"Oslo"}`, "city", "Oslo"},
}

func TestUpdateValidatesFields(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		for _, c := range updates {
			before := ann.Get("/me")
			after := ann.Patch("/me/profile", c.body)
			if c.want == nil {
				after.WantError(http.StatusBadRequest, "invalid_request")
				if now := ann.Get("/me"); string(now.Body) != string(before.Body) {
					t.Errorf("%s: refused, but %s became %s", c.name, before.Body, now.Body)
				}
				continue
			}
			if got := after.Get("profile." + c.field); after.Status != http.StatusOK || got != c.want {
				t.Errorf("%s: %d %v, want %v", c.name, after.Status, got, c.want)
			}
			if now := ann.Get("/me"); string(now.Body) != string(after.Body) {
				t.Errorf("%s: response %s, later %s", c.name, after.Body, now.Body)
			}
			if email := after.Text("user.email"); email != "ann@example.org" {
				t.Errorf("%s: the address became %s", c.name, email)
			}
		}
	})
}

func TestUpdateWithoutChangeKeepsUpdatedAt(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		before := ann.Patch("/me/profile", `{"city":"Oslo","interests":["games"],"avatar_url":"https://example.com/a"}`).Want(http.StatusOK)
		a.Clock.Advance(time.Minute)
		for _, body := range []string{`{}`, `{"city":"Oslo"}`, `{"interests":["games","Games"]}`, `{"email":"x@example.org","nonsense":1}`} {
			after := ann.Patch("/me/profile", body).Want(http.StatusOK)
			if string(after.Body) != string(before.Body) {
				t.Errorf("%s: %s became %s", body, before.Body, after.Body)
			}
		}
		after := ann.Patch("/me/profile", `{"city":null,"avatar_url":null,"interests":[]}`).Want(http.StatusOK)
		if after.Get("profile.city") != nil || after.Get("profile.avatar_url") != nil || after.Len("profile.interests") != 0 {
			t.Errorf("not cleared: %s", after.Body)
		}
		if after.Text("profile.updated_at") == before.Text("profile.updated_at") {
			t.Error("updated_at did not change")
		}
	})
}

func TestUpdateNamesEveryInvalidField(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		problem := a.As("ann").With("Accept", "application/problem+json").
			Patch("/me/profile", `{"display_name":" ","username":"admin","avatar_url":"http://x.y/","city":"a\nb","interests":["ok","\u200b"]}`)
		problem.Want(http.StatusBadRequest)
		want := []string{"/display_name", "/username", "/avatar_url", "/city", "/interests/1"}
		for i, pointer := range want {
			if got := problem.Get(fmt.Sprintf("errors.%d.pointer", i)); got != pointer {
				t.Errorf("error %d is at %v, want %s: %s", i, got, pointer, problem.Body)
			}
		}
		if problem.Len("errors") != len(want) {
			t.Errorf("%s", problem.Body)
		}
	})
}

func TestOneOfConcurrentUsersGetsUsername(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		clients := a.Crowd()
		replies := apptest.Replies(len(clients), func(i int) *apptest.Reply {
			return clients[i].Patch("/me/profile", `{"username":"The.One"}`)
		})
		winners := 0
		for i, r := range replies {
			if r.Status == http.StatusOK {
				winners++
				clients[i].Patch("/me/profile", `{"username":"THE.ONE"}`).Want(http.StatusOK) // their own name is available
				continue
			}
			r.WantError(http.StatusConflict, "username_taken")
		}
		if winners != 1 {
			t.Errorf("%d clients got the username", winners)
		}
	}, apptest.Instances(3))
}

func TestPublicProfileIsHiddenFromBlockedUsers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, bob, stranger := a.As("ann"), a.As("bob"), a.As("stranger")
		ann.Patch("/me/profile", `{"display_name":"Ann","username":"ann1","city":"Oslo","interests":["games"],"avatar_url":"https://example.com/a"}`).Want(http.StatusOK)
		path := "/users/" + ann.UserID + "/profile"
		want := `{"user_id":"` + ann.UserID +
			`","display_name":"Ann","username":"ann1","avatar_url":"https://example.com/a","city":"Oslo","interests":["games"],"name_chosen":true}`
		for name, c := range map[string]*apptest.Client{"anonymous": a.Anonymous(), "ann": ann, "bob": bob, "stranger": stranger} {
			if got := c.Get(path).Want(http.StatusOK); string(got.Body) != want {
				t.Errorf("%s sees %s", name, got.Body)
			}
		}
		stranger.Get("/users/" + strings.ToUpper(ann.UserID) + "/profile").Want(http.StatusOK)
		stranger.Get("/users/nonsense/profile").WantError(http.StatusBadRequest, "invalid_request")
		unknown := stranger.Get("/users/01890000-0000-7000-8000-000000000000/profile")
		unknown.WantError(http.StatusNotFound, "not_found")

		a.Exec(userBlockStmt, ann.ID(), bob.ID(), domain.RandomID[domain.UserKind](), a.Clock.Now())
		if got := bob.Get(path); got.Status != unknown.Status || string(got.Body) != string(unknown.Body) {
			t.Errorf("the blocked user sees %d %s", got.Status, got.Body)
		}
		ann.Get("/users/" + bob.UserID + "/profile").Want(http.StatusOK) // the blocker still sees the profile
		stranger.Get(path).Want(http.StatusOK)
		a.Anonymous().Get(path).Want(http.StatusOK)

		err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
			tx.Changed(user.Profile.Of(ann.ID()))
			_, err := tx.Exec(t.Context(), userSuspendStmt, ann.ID(), a.Clock.Now())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		stranger.Get(path).WantError(http.StatusNotFound, "not_found")
		a.Anonymous().Get(path).WantError(http.StatusNotFound, "not_found")
	})
}

var (
	userBlockStmt   = db.SQL("user_test.block", `INSERT INTO blocks (blocker_id, blocked_id, id, created_at) VALUES ($1, $2, $3, $4)`)
	userSuspendStmt = db.SQL("user_test.suspend", `UPDATE users SET suspended_at = $2 WHERE id = $1`)
	userCountStmt   = db.SQL("user_test.count", `SELECT COUNT(*) FROM users u JOIN profiles p ON p.user_id = u.id WHERE u.email_key = $1`)
)

// TestTextCases sends each text as each field: it is refused or stored as the contract
// says.
func TestTextCases(t *testing.T) {
	values := apptest.Texts(t)
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		for id, value := range values {
			for _, field := range []string{"display_name", "username", "city", "avatar_url", "interests"} {
				var sent any = value
				path := "profile." + field
				if field == "interests" {
					sent, path = []string{value}, path+".0"
				}
				after := ann.Patch("/me/profile", map[string]any{field: sent})
				if after.Status == http.StatusBadRequest || after.Status == http.StatusRequestEntityTooLarge {
					continue
				}
				got, want := after.Want(http.StatusOK).Text(path), normalized(field, value)
				if again := ann.Get("/me").Text(path); got != want || again != want {
					t.Errorf("%s as %s: sent %+q, response %+q, later %+q", id, field, value, got, again)
				}
			}
		}
	})
}

func TestConcurrentFirstSignInsByEmailCreateOneAccount(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := &user.Service{DB: d, Clock: domain.SystemClock()}
		ids := make([]domain.UserID, apptest.Crowd)
		apptest.Concurrently(len(ids), func(i int) {
			email, err := user.ParseEmail([]string{"Ann@example.org", "ann@EXAMPLE.org"}[i%2])
			if err != nil {
				t.Error(err)
			}
			err = d.InTx(t.Context(), func(tx db.Tx) (err error) {
				ids[i], err = s.FindOrCreateByEmail(t.Context(), tx, email, i%3 == 0, time.Now())
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		for _, id := range ids {
			if id != ids[0] {
				t.Fatalf("two accounts, %s and %s", id, ids[0])
			}
		}
		var n int
		if err := d.One(t.Context(), userCountStmt, "ann@example.org").Scan(&n); err != nil || n != 1 {
			t.Errorf("%d accounts, %v", n, err)
		}
	})
}

// normalized returns a text as the contract stores it.
func normalized(field, s string) string {
	switch field {
	case "username":
		return strings.ToLower(s)
	case "avatar_url":
		return s
	case "display_name": // RFC 8266
		return strings.Join(strings.Fields(norm.NFKC.String(s)), " ")
	}
	return strings.TrimSpace(norm.NFC.String(s))
}
