package meetup_test

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// guestCode is what stands for the name of a hidden guest.
var guestCode = regexp.MustCompile(`^[0-9A-HJKMNP-TV-Z]{4}$`)

// identifies reports whether a response names a user: by the id, the name or the username, also in a cursor.
func identifies(r *apptest.Reply, who *apptest.Client) bool {
	profile := who.Get("/me").Want(200)
	text := string(r.Body)
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(`":,{}[] `, r) }) {
		decoded, _ := base64.RawURLEncoding.DecodeString(word)
		text += string(decoded)
	}
	return strings.Contains(text, who.UserID) || strings.Contains(text, profile.Text("profile.username"))
}

// blockedWorld is an event with a guest in a block with a host, and where the guest is.
func blockedWorld(a *apptest.App, how string) (path, guest string) {
	org, ben, ann := a.As("org"), a.As("ben"), a.As("ann")
	fields := map[string]apptest.Fields{"going": nil, "requesting": {"join_policy": "approval"},
		"waiting": {"capacity": 1, "waitlist": "offer"}}[how]
	path, meal, _, _ := asking(a, fields)
	newHost(org, ben, strings.TrimPrefix(path, "/events/"))
	ann.Block(ben)
	body := answers(answer(meal, "vegetarian"))
	if how == "waiting" {
		a.As("first").Post(path+"/join", answers(answer(meal, "everything"))).Want(200)
		return path, path + "/waitlist/entries/" + ann.Post(path+"/waitlist", body).Want(201).Text("id")
	}
	return path, path + "/participants/" + ann.Post(path+"/join", body).Want(200).Text("id")
}

// TestHostSeesBlockedGuestAsCode lists a guest in a block with a host. The organizer reads the name and the host a code, the same one in
// each list.
func TestHostSeesBlockedGuestAsCode(t *testing.T) {
	for how, list := range map[string]string{"going": "/participants", "requesting": "/participants?status=requested",
		"waiting": "/waitlist/entries"} {
		t.Run(how, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, a *apptest.App) {
				org, ben, ann := a.As("org"), a.As("ben"), a.As("ann")
				path, guest := blockedWorld(a, how)
				ids := guest[strings.LastIndex(guest, "/")+1:]
				first := ben.Get(path + list).Want(200)
				code := first.Text("items.0.guest_code")
				if first.Len("items") != 1 || !guestCode.MatchString(code) || first.Get("items.0.profile") != nil {
					t.Fatalf("the host reads %s", first.Body)
				}
				if how != "waiting" && first.Text("items.0.participant.user_id") != ids {
					t.Errorf("the id of the user is shown: %s", first.Body)
				}
				if first.Text("items.0.answers.0.value") != "vegetarian" {
					t.Errorf("the host reads no answers: %s", first.Body)
				}
				if rows := ben.Get(path + "/answers").Want(200); !strings.Contains(string(rows.Body), `"guest_code":"`+code+`"`) {
					t.Errorf("in the list of answers, the code is not %s: %s", code, rows.Body)
				}
				for _, read := range []string{list, "/answers", "/answers?limit=1", "/answers.csv", "/participants?limit=1", "/participants.csv"} {
					if r := ben.Get(path + read).Want(200); identifies(r, ann) {
						t.Errorf("%s names the guest: %s", read, r.Body)
					}
				}
				for _, file := range []string{"/answers.csv", "/participants.csv"} {
					if r := string(ben.Get(path + file).Want(200).Body); (how == "going" || file == "/answers.csv") &&
						!strings.Contains(r, `"Guest `+code+`"`) {
						t.Errorf("%s: %s", file, r)
					}
				}
				if r := org.Get(path + list).Want(200); !identifies(r, ann) || r.Get("items.0.guest_code") != nil {
					t.Errorf("the organizer reads %s", r.Body)
				}
			}, apptest.StartAt(apptest.Today))
		})
	}
}

// TestHostDecidesAboutBlockedGuest approves, declines and removes a hidden guest by the id of the row. No response names the guest.
func TestHostDecidesAboutBlockedGuest(t *testing.T) {
	for name, row := range map[string]struct {
		how, method, then string
		status            int
		want              string // participation of the guest
	}{
		"approve":      {"requesting", "POST", "/approve", 200, "going"},
		"decline":      {"requesting", "POST", "/decline", 200, "declined"},
		"remove":       {"going", "DELETE", "", 204, "removed"},
		"remove entry": {"waiting", "DELETE", "", 204, ""},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, a *apptest.App) {
				path, guest := blockedWorld(a, row.how)
				r := a.As("ben").Do(row.method, guest+row.then, nil).Want(row.status)
				if identifies(r, a.As("ann")) {
					t.Errorf("the host reads %s", r.Body)
				}
				if got, _ := a.As("ann").Get(path).Want(200).Get("viewer_participation_status").(string); got != row.want {
					t.Errorf("the guest is %q", got)
				}
				if row.how == "waiting" && a.As("ann").Get(path+"/waitlist").Want(200).Text("status") != "removed" {
					t.Error("the guest still waits")
				}
			}, apptest.StartAt(apptest.Today))
		})
	}
}

// TestPagesOfHiddenGuests reads lists page by page that have hidden guests: each guest once, with any guest as the last one of a page.
func TestPagesOfHiddenGuests(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ben := a.As("ben")
		path, _ := blockedWorld(a, "going")
		meal := ben.Get(path + "/questions").Want(200).Text("items.0.id")
		for _, name := range []string{"bob", "uma", "zoe"} {
			a.As(name).Post(path+"/join", answers(answer(meal, "everything"))).Want(200)
		}
		ben.Block(a.As("uma"))
		for list, field := range map[string]string{"/participants": "participant.id", "/answers": "participant_id"} {
			for _, limit := range []int{1, 2, 3} {
				seen := map[string]bool{}
				pages := attendanceListed(t, ben, path+list, limit, field)
				for _, id := range pages {
					seen[id] = true
				}
				if len(seen) != 4 || len(pages) != 4 {
					t.Errorf("%s, %d a page: %v", list, limit, pages)
				}
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestMessageCountsBlockedGuests counts a guest in a block with the host who writes: the guest reads the message, without its author.
func TestMessageCountsBlockedGuests(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ben, ann := a.As("ben"), a.As("ann")
		path, _ := blockedWorld(a, "going")
		sent := ben.Post(path+"/guest-messages", apptest.Fields{"audience": "going", "body": "The code is 1234."}).Want(201)
		if sent.Number("recipients") != 1 || sizes(ben, path)[0] != 1.0 {
			t.Errorf("the message reaches %s", sent.Body)
		}
		if r := ann.Get(path + "/guest-messages").Want(200); r.Text("items.0.body") != "The code is 1234." || r.Get("items.0.author") != nil {
			t.Errorf("the guest reads %s", r.Body)
		}
		if got := fieldsOf(ann.Get("/notifications").Want(200), "items", "kind"); strings.Contains(got, "guest_message") {
			t.Errorf("the guest is notified of %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}
