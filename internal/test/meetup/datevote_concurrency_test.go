package meetup_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"moothall/internal/test/apptest"
)

// TestVotesAreCountedExactly lets many users vote for two options: some vote twice, some
// withdraw. Then they vote while the organizer ends the vote.
func TestVotesAreCountedExactly(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org, guests := a.As("org"), a.Crowd()
		event := org.Publish(apptest.Fields{"date_mode": "vote"})
		votes := func(option string) string { return "/events/" + event + "/date-options/" + option + "/votes" }
		first, second := votes(addOption(org, event, "2026-06-06T16:00:00Z")), votes(addOption(org, event, "2026-06-07T16:00:00Z"))
		apptest.Concurrently(apptest.Crowd, func(i int) {
			guests[i].Post("/events/"+event+"/join", nil).Want(200)
			ids := map[string]bool{}
			for range 2 {
				ids[guests[i].Post(first, nil).Want(200).Text("id")] = true
			}
			if len(ids) != 1 {
				t.Errorf("guest %d has %d votes", i, len(ids))
			}
			guests[i].Post(second, nil).Want(200)
			if i%5 == 0 {
				guests[i].Delete(second).Want(204)
			}
			if i%10 == 1 {
				guests[i].Delete("/events/" + event + "/join").Want(200)
			}
		})
		for instance := range 3 {
			wantListed(t, org.On(instance), event, fmt.Sprint("06-06 ", apptest.Crowd-apptest.Crowd/10),
				fmt.Sprint("06-07 ", apptest.Crowd-apptest.Crowd/5-apptest.Crowd/10))
		}

		// Votes with a successful reply count, later ones do not.
		third := addOption(org, event, "2026-06-08T16:00:00Z")
		var accepted atomic.Int64
		apptest.Concurrently(apptest.Crowd+1, func(i int) {
			if i == apptest.Crowd {
				org.Post("/events/"+event+"/date-options/"+third+"/select", nil).Want(200)
				return
			}
			if reply := guests[i].Post(votes(third), nil); reply.Status == 200 && i%10 != 1 {
				accepted.Add(1)
			} else if reply.Status != 200 {
				reply.WantError(403, "forbidden")
			}
		})
		if got := datevoteListed(org, event)[2]; got != fmt.Sprintf("06-08 %d!", accepted.Load()) {
			t.Errorf("%d votes were accepted, the option is %s", accepted.Load(), got)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestConcurrentOptionsAreLimited adds more options at once than the limit of twenty: twenty succeed.
// Of equal options one succeeds.
func TestConcurrentOptionsAreLimited(t *testing.T) {
	const limit, requests = 20, 30
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		for name, row := range map[string]struct {
			end  any
			days int
			want int64
		}{
			"different":        {nil, requests, limit},
			"the same":         {"2026-06-02T18:00:00Z", 1, 1},
			"the same, no end": {nil, 1, 1},
		} {
			event := org.Publish(nil)
			var added atomic.Int64
			apptest.Concurrently(requests, func(i int) {
				start := apptest.Today.AddDate(0, 0, 1+i%row.days)
				reply := org.On(i).Post("/events/"+event+"/date-options", apptest.Fields{"starts_at": start, "ends_at": row.end})
				if reply.Status == 201 {
					added.Add(1)
				} else {
					reply.WantError(400, "invalid_request")
				}
			})
			if n := org.Get("/events/" + event + "/date-options").Len("items"); added.Load() != row.want || n != int(row.want) {
				t.Errorf("%s: %d were added, %d are listed, want %d", name, added.Load(), n, row.want)
			}
		}
	}, apptest.StartAt(apptest.Today))
}

// TestConcurrentSelectionsAgree selects different options at once: the event has the
// date of the selected one.
func TestConcurrentSelectionsAgree(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		event := org.Publish(apptest.Fields{"date_mode": "vote"})
		start := map[string]string{}
		var options []string
		for day := 1; day <= 10; day++ {
			at := fmt.Sprintf("2026-07-%02dT10:00:00Z", day)
			id := addOption(org, event, at)
			options, start[id] = append(options, id), at
		}
		apptest.Concurrently(apptest.Crowd, func(i int) {
			org.On(i).Post("/events/"+event+"/date-options/"+options[i%len(options)]+"/select", nil).Want(200)
		})
		is := org.Get("/events/" + event).Want(200)
		if is.Text("event.starts_at") != start[is.Text("event.selected_date_option_id")] {
			t.Errorf("the event: %s", is.Body)
		}
		if list := a.Anonymous().Get("/events"); list.Len("items") != 1 || list.Text("items.0.event.starts_at") != is.Text("event.starts_at") {
			t.Errorf("the list: %s", list.Body)
		}
	}, apptest.StartAt(apptest.Today))
}
