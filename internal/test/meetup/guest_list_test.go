package meetup_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// TestGuestListsOfServices reads lists of the forms that services export.
func TestGuestListsOfServices(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(nil)
		org.Post("/events/"+event+"/email-invitations", apptest.Fields{"emails": []string{"old@example.org"}}).Want(201)
		for name, row := range map[string]struct{ text, want string }{
			"Luma": {"api_id,name,first_name,last_name,email,phone_number,created_at,approval_status\n" +
				"gst-1,Anna A,Anna,A,anna@example.org,,2026-11-01,approved\ngst-2,Bo,Bo,,bo@example.org,,2026-11-01,declined\n" +
				"gst-3,,,,Anna+x@example.org,,,invited\ngst-4,Old,,,old@example.org,,,approved\n",
				"anna@example.org Anna A new; bo@example.org Bo answered; Anna+x@example.org  repeated; old@example.org Old invited"},
			"Eventbrite": {"\ufeffOrder #,Order Date,First Name,Last Name,Email,Quantity,Attendee Status\r\n" +
				"1,2026-11-01,Anna,\"A, B\",anna@example.org,1,Attending\r\n2,2026-11-01,Bo,C,nobody,1,Not Attending\r\n",
				"anna@example.org Anna A, B new; nobody Bo C address"},
			"a table with semicolons": {"Name;E-Mail\nÄnne;anna@example.org\n;\n", "anna@example.org Änne new"},
			"Latin letters":           {"Name,Email\n\xc4nne,anna@example.org\n", "anna@example.org Änne new"},
		} {
			t.Run(name, func(t *testing.T) {
				r := org.In(t).With("Content-Type", "text/csv").Post("/events/"+event+"/guest-lists", row.text).Want(200)
				var all []string
				for i := range r.Len("items") {
					why := r.Text(fmt.Sprintf("items.%d.state", i))
					if why == "skipped" {
						why = r.Text(fmt.Sprintf("items.%d.why", i))
					}
					name, _ := r.Get(fmt.Sprintf("items.%d.name", i)).(string)
					all = append(all, r.Text(fmt.Sprintf("items.%d.email", i))+" "+name+" "+why)
				}
				if got := strings.Join(all, "; "); got != row.want {
					t.Errorf("%s\nwant %s", got, row.want)
				}
			})
		}
		send := org.With("Content-Type", "text/csv")
		long := send.Post("/events/"+event+"/guest-lists", "email\n"+strings.Repeat("x@example.org\n", 600)).Want(200)
		if long.Len("items") != 500 || long.Get("left_out_count") != 100.0 {
			t.Errorf("a long list has %d guests, %v left out", long.Len("items"), long.Get("left_out_count"))
		}
		for _, bad := range []string{"", "name,phone\nAnna,1\n", "\x1f\x8b"} {
			send.Post("/events/"+event+"/guest-lists", bad).WantError(400, "invalid_request")
		}
		send.Post("/events/"+event+"/guest-lists", strings.Repeat("x", 2<<20+1)).WantError(413, "payload_too_large")
		send.Post("/events/"+org.Draft(nil)+"/guest-lists", "email\n").WantError(403, "forbidden")
	}, apptest.StartAt(apptest.Today))
}
