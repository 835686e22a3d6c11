package coord_test

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// TestOneOrderForEveryReader has a crowd write in one chat while others page
// through it: every reader sees the same order, nothing twice, nothing left
// out, and nothing is added behind what somebody has read. The clock stands,
// so that all messages are of one moment; on three instances it also goes.
func TestOneOrderForEveryReader(t *testing.T) {
	everywhere(t, oneOrder, apptest.StartAt(today))
	t.Run("the clock goes", func(t *testing.T) {
		t.Parallel()
		oneOrder(t, apptest.New(t, db.PostgreSQL, apptest.Instances(3)), 3)
	})
}

func oneOrder(t *testing.T, a *apptest.App, instances int) {
	each, err := strconv.Atoi(cmp.Or(os.Getenv("CHAT_MESSAGES"), "2")) // of each writer
	if err != nil || each < 1 {
		t.Fatal("CHAT_MESSAGES must be a number from 1 on")
	}
	org, writers := a.As("org"), people(a, instances)
	event := published(org, fields{"starts_at": "2027-06-05T16:00:00Z"})
	together(crowd, func(i int) { join(writers[i], event) })

	var writing sync.WaitGroup
	var over atomic.Bool
	writing.Go(func() {
		defer over.Store(true)
		together(crowd, func(i int) {
			for n := range each {
				body := fields{"body": fmt.Sprintf("%d of %d", n, i), "client_message_id": fmt.Sprintf("00000000-0000-4000-8000-%012d", n)}
				for range 1 + i%2 { // every other one sends twice
					writers[i].Post("/events/"+event+"/messages", body).Want(201)
				}
			}
		})
	})
	histories := make([][]string, 3) // what each reader saw, newest first, at its latest look
	for i := range histories {
		writing.Go(func() {
			for last := false; !last; {
				last = over.Load()
				now := read(t, org.On(i%instances), event, 20+i, nil)
				if was := histories[i]; len(now) < len(was) || !slices.Equal(now[len(now)-len(was):], was) {
					t.Errorf("reader %d has seen\n%q\nand then\n%q", i, was, now)
					return
				}
				histories[i] = now
			}
		})
	}
	writing.Wait()

	want := read(t, org, event, 100, nil)
	if distinct := slices.Compact(slices.Sorted(slices.Values(want))); len(want) != crowd*each || len(distinct) != len(want) {
		t.Errorf("%d messages, %d of them different, want %d", len(want), len(distinct), crowd*each)
	}
	for i, got := range histories {
		if !slices.Equal(got, want) {
			t.Errorf("reader %d saw another order in the end", i)
		}
	}
	if got := read(t, writers[0], event, 7, nil); !slices.Equal(got, want) {
		t.Error("a writer sees another order, seven at a time")
	}
	for i := range writers {
		var own []int
		for _, body := range slices.Backward(want) {
			var n, by int
			if _, err := fmt.Sscanf(body, "%d of %d", &n, &by); err == nil && by == i {
				own = append(own, n)
			}
		}
		if len(own) != each || !slices.IsSorted(own) {
			t.Errorf("writer %d is read in the order %v", i, own)
		}
	}
}

// TestVotesAreExact has a crowd vote for two options, some twice, some with
// second thoughts, while the organizer closes and opens the voting.
func TestVotesAreExact(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org, guests := a.As("org"), people(a, instances)
		event := published(org, fields{"date_mode": "vote"})
		votes := func(option string) string { return "/events/" + event + "/date-options/" + option + "/votes" }
		first, second := votes(option(org, event, "2026-06-06T16:00:00Z")), votes(option(org, event, "2026-06-07T16:00:00Z"))
		together(crowd, func(i int) {
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
		for instance := range instances {
			wantListed(t, org.On(instance), event, fmt.Sprint("06-06 ", crowd-crowd/10), fmt.Sprint("06-07 ", crowd-crowd/5-crowd/10))
		}

		// What is answered with success counts, and nothing counts that came
		// when the voting was closed.
		third := option(org, event, "2026-06-08T16:00:00Z")
		var counted atomic.Int64
		together(crowd+1, func(i int) {
			if i == crowd {
				org.Post("/events/"+event+"/date-options/"+third+"/select", nil).Want(200)
				return
			}
			if reply := guests[i].Post(votes(third), nil); reply.Status == 200 && i%10 != 1 {
				counted.Add(1)
			} else if reply.Status != 200 {
				reply.WantError(403, "forbidden")
			}
		})
		if got := listed(org, event)[2]; got != fmt.Sprintf("06-08 %d!", counted.Load()) {
			t.Errorf("%d votes were taken, the option is %s", counted.Load(), got)
		}
	}, apptest.StartAt(today))
}

// TestOptionsAreLimitedInParallel adds fifty at once: twenty are taken, and of
// fifty that are the same, one.
func TestOptionsAreLimitedInParallel(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org := a.As("org")
		for name, row := range map[string]struct {
			end  any
			days int
			want int64
		}{
			"different":        {nil, crowd, 20},
			"the same":         {"2026-06-02T18:00:00Z", 1, 1},
			"the same, no end": {nil, 1, 1},
		} {
			event := published(org, nil)
			var taken atomic.Int64
			together(crowd, func(i int) {
				start := today.AddDate(0, 0, 1+i%row.days)
				reply := org.On(i%instances).Post("/events/"+event+"/date-options", fields{"starts_at": start, "ends_at": row.end})
				if reply.Status == 201 {
					taken.Add(1)
				} else {
					reply.WantError(400, "invalid_request")
				}
			})
			if n := org.Get("/events/" + event + "/date-options").Len("items"); taken.Load() != row.want || n != int(row.want) {
				t.Errorf("%s: %d were taken, %d are listed, want %d", name, taken.Load(), n, row.want)
			}
		}
	}, apptest.StartAt(today))
}

// TestOneSelectionStands selects different options at once: the event has the
// date of the one that is selected.
func TestOneSelectionStands(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org := a.As("org")
		event := published(org, fields{"date_mode": "vote"})
		start := map[string]string{}
		var options []string
		for day := 1; day <= 10; day++ {
			at := fmt.Sprintf("2026-07-%02dT10:00:00Z", day)
			id := option(org, event, at)
			options, start[id] = append(options, id), at
		}
		together(crowd, func(i int) {
			org.On(i%instances).Post("/events/"+event+"/date-options/"+options[i%len(options)]+"/select", nil).Want(200)
		})
		is := org.Get("/events/" + event).Want(200)
		if is.Text("event.starts_at") != start[is.Text("event.selected_date_option_id")] {
			t.Errorf("the event: %s", is.Body)
		}
		if list := a.Anonymous().Get("/events"); list.Len("items") != 1 || list.Text("items.0.event.starts_at") != is.Text("event.starts_at") {
			t.Errorf("the list: %s", list.Body)
		}
	}, apptest.StartAt(today))
}

// TestRemindersKeepEveryChange changes different fields at once.
func TestRemindersKeepEveryChange(t *testing.T) {
	everywhere(t, func(t *testing.T, a *apptest.App, instances int) {
		org := a.As("org")
		event := published(org, nil)
		changes := []fields{{"enabled": true}, {"offsets_minutes": []int{30}}, {"channels": []string{"push"}}}
		together(12, func(i int) { org.On(i%instances).Patch("/events/"+event+"/reminders", changes[i%3]).Want(200) })
		is := org.Get("/events/" + event + "/reminders").Want(200)
		if is.Get("enabled") != true || is.Number("offsets_minutes.0") != 30 || is.Text("channels.0") != "push" {
			t.Errorf("reminders: %s", is.Body)
		}
	}, apptest.StartAt(today))
}
