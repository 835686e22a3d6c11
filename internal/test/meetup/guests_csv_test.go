package meetup_test

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// guestRows returns the lines of the list of guests, without the names of the columns.
func guestRows(t *testing.T, c *apptest.Client, path string) [][]string {
	t.Helper()
	reply := c.Get(path + "/participants.csv").Want(200)
	text, marked := strings.CutPrefix(string(reply.Body), "\ufeff")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !marked || reply.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.HasPrefix(reply.Header.Get("Content-Disposition"), "attachment") || reply.Header.Get("Cache-Control") != "private, no-store" {
		t.Fatalf("%v, %v, %q", err, reply.Header, reply.Body)
	}
	if got := strings.Join(rows[0], " "); got != "name username party_size participation_visibility joined_at participant_id" {
		t.Errorf("the columns are %s", got)
	}
	return rows[1:]
}

// TestGuestsAsCSV downloads guests with hostile names. Nobody but the organizer may, and an API key gets no incognito name.
func TestGuestsAsCSV(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, ann, uma := a.As("org"), a.As("ann"), a.As("uma")
		path := "/events/" + org.Publish(apptest.Fields{"max_party_size": 3})
		ann.Patch("/me/profile", apptest.Fields{"display_name": `=HYPERLINK("//x";"y")`}).Want(200)
		uma.Patch("/me/profile", apptest.Fields{"display_name": "Uma, the -1"}).Want(200)
		ann.Post(path+"/join", apptest.Fields{"party_size": 3}).Want(200)
		uma.Post(path+"/join", apptest.Fields{"participation_visibility": "incognito"}).Want(200)
		a.As("left").Post(path+"/join", nil).Want(200)
		a.As("left").Delete(path + "/join").Want(200)
		names := func(c *apptest.Client) (all []string) {
			for _, row := range guestRows(t, c, path) {
				all = append(all, row[0]+" "+row[2]+" "+row[3])
			}
			slices.Sort(all)
			return all
		}
		if got := names(org); !slices.Equal(got, []string{`'=HYPERLINK("//x";"y") 3 public`, "Uma, the -1 1 incognito"}) {
			t.Errorf("the guests are %q", got)
		}
		key := org.Post("/me/api-keys", apptest.Fields{"name": "Printer", "scopes": []string{"attendance:read"}}).Want(201).Text("key")
		if got := strings.Join(names(a.WithBearer(key)), "\n"); !keyGuests.MatchString(got) {
			t.Errorf("for a key, the guests are %q", got)
		}
		refused(t, ann, "GET", path+"/participants.csv", domain.NotOrganizer)
		org.Block(uma)
		if got := names(org); len(got) != 1 {
			t.Errorf("after a block, the guests are %q", got)
		}
	}, apptest.StartAt(apptest.Today))
}

// keyGuests are the guests of TestGuestsAsCSV for an API key.
var keyGuests = regexp.MustCompile(`^'=HYPERLINK\("//x";"y"\) 3 public\nGuest [0-9A-Z]{4} 1 incognito$`)

// TestManyGuestsAsCSV downloads more guests than one piece of the response has.
func TestManyGuestsAsCSV(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := "/events/" + org.Publish(nil)
		event := id(t, path[len("/events/"):])
		err := a.DB.InTx(t.Context(), func(tx db.Tx) error {
			for range 2500 {
				user := domain.RandomID[any]()
				tx.Queue(t.Context(), attendanceAddUserStmt, user)
				tx.Queue(t.Context(), fillGuestsStmt, event, user)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for _, row := range guestRows(t, org, path) {
			ids[row[5]] = true
		}
		if len(ids) != 2500 {
			t.Errorf("%s of 2500 guests", fmt.Sprint(len(ids)))
		}
	}, apptest.StartAt(apptest.Today))
}

var fillGuestsStmt = db.SQL("attendance.test_fill_guests", `
	INSERT INTO participants (event_id, user_id, id, status, visibility, slot, joined_at, created_at, updated_at)
	VALUES ($1, $2, $2, 'going', 'public', 0, 1, 1, 1)`)
