package meetup_test

import (
	"strings"
	"testing"

	"moothall/internal/test/apptest"
)

// TestAnswersNameNoIncognitoGuest compares what a host and an API key read before and after somebody goes, waits or requests to join
// incognito, and answers: nothing changes. The organizer reads the answers.
func TestAnswersNameNoIncognitoGuest(t *testing.T) {
	for name, row := range map[string]struct {
		event apptest.Fields
		how   string
	}{
		"going":      {nil, "/join"},
		"requesting": {apptest.Fields{"join_policy": "approval"}, "/join"},
		"waiting":    {apptest.Fields{"capacity": 1, "waitlist": "offer"}, "/waitlist"},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Rules(t, func(t *testing.T, a *apptest.App) {
				org, uma, host, ann := a.As("org"), a.As("uma"), a.As("host"), a.As("ann")
				path, meal, _, _ := asking(a, row.event)
				org.Post(path+"/hosts", apptest.Fields{"user_id": host.UserID}).Want(200)
				host.Patch(path+"/hosts/"+host.UserID, apptest.Fields{"status": "active"}).Want(200)
				ann.Post(path+"/join", answers(answer(meal, "everything"))).Want(200)
				key := org.Post("/me/api-keys", apptest.Fields{"name": "Printer", "scopes": []string{"attendance:read"}}).Want(201).Text("key")
				program := a.Anonymous().With("Authorization", "Bearer "+key)
				reads := []string{"/answers", "/answers.csv", "/answers?status=going", "/answers?question_id=" + meal,
					"/answers?question_id=" + meal + "&answer=vegetarian", "/questions"}
				list := []string{"/participants", "/participants?status=requested", "/participants?question_id=" + meal,
					"/participants?status=requested&question_id=" + meal + "&answer=vegetarian", "/participants?min_party_size=2", "/participants.csv"}
				read := func() (all string) {
					for _, r := range reads {
						all += string(host.Get(path+r).Want(200).Body) + string(program.Get(path+r).Want(200).Body)
					}
					for _, r := range list {
						all += string(host.Get(path + r).Want(200).Body)
					}
					return all
				}
				before := read()
				body := answers(answer(meal, "vegetarian"))
				body["participation_visibility"] = "incognito"
				uma.Post(path+row.how, body)
				if own(uma, path) != "vegetarian" {
					t.Fatal("Uma has not answered")
				}
				if after := read(); after != before {
					t.Errorf("before\n%s\nafter\n%s", before, after)
				}
				if csv := string(org.Get(path + "/answers.csv").Want(200).Body); !strings.Contains(csv, "vegetarian") {
					t.Errorf("the organizer reads %s", csv)
				}
				if entries := host.Get(path + "/waitlist/entries").Want(200).Body; strings.Contains(string(entries), "vegetarian") {
					t.Errorf("a host reads %s", entries)
				}
			}, apptest.StartAt(apptest.Today))
		})
	}
}
