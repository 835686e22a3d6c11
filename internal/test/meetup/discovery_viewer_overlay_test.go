package meetup_test

import (
	"slices"
	"testing"

	"moothall/internal/test/apptest"
)

// TestSignedInPagesMatchAnonymousPages requests the same page again and again,
// signed in and anonymously: viewers see the same page except for their own
// participation and blocks.
func TestSignedInPagesMatchAnonymousPages(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, other, ann, bob := a.As("org"), a.As("other"), a.As("ann"), a.As("bob")
		at := func(start string) apptest.Fields {
			return apptest.Fields{"starts_at": start, "lat": 55.75, "lng": 37.62}
		}
		first := org.Publish(at("2026-06-05T16:00:00Z"))
		second := org.Publish(at("2026-06-06T16:00:00Z"))
		others := other.Publish(at("2026-06-07T16:00:00Z"))
		visible := map[string][]string{"a block hides": {first, second}, "": {first, second, others}}
		for _, step := range []struct {
			name   string
			do     func()
			going  []string // events that ann goes to
			hidden string
		}{
			{name: "at first", do: func() {}},
			{name: "after joining", do: func() { ann.Post("/events/"+second+"/join", nil).Want(200) }, going: []string{second}},
			{name: "after another has joined", do: func() { bob.Post("/events/"+first+"/join", nil).Want(200) }, going: []string{second}},
			{name: "after leaving", do: func() { ann.Delete("/events/" + second + "/join").Want(200) }},
			{name: "after a block", do: func() { ann.Block(other) }, hidden: "a block hides"},
			{name: "after its end", do: func() { ann.Delete("/users/" + other.UserID + "/block").Want(204) }},
			{name: "after being blocked", do: func() { other.Block(ann) }, hidden: "a block hides"},
		} {
			step.do()
			for _, path := range []string{"/events", "/events?limit=2", "/events/map?bbox=-180,-90,180,90&limit=2"} {
				anonymous := a.Anonymous().Get(path)
				if got := bob.Get(path); !slices.Equal(eventIDs(got), eventIDs(anonymous)) || got.Get("next_cursor") != anonymous.Get("next_cursor") {
					t.Errorf("%s, %s: bob sees %s", step.name, path, got.Body)
				}
			}
			own := ann.Get("/events")
			if got, want := eventIDs(own), visible[step.hidden]; !slices.Equal(got, want) {
				t.Errorf("%s: ann sees %v, want %v", step.name, got, want)
			}
			if got := going(own); !slices.Equal(got, step.going) {
				t.Errorf("%s: ann goes to %v, want %v", step.name, got, step.going)
			}
			if more := ann.Get("/events?limit=2").Get("next_cursor") != nil; more != (step.hidden == "") {
				t.Errorf("%s: ann's first page has a cursor: %v", step.name, more)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// going returns the events of a list that the caller takes part in.
func going(r *apptest.Reply) []string {
	var found []string
	for i, id := range eventIDs(r) {
		if r.Get("items").([]any)[i].(map[string]any)["feed_context"].(map[string]any)["viewer_going"] == true {
			found = append(found, id)
		}
	}
	return found
}
