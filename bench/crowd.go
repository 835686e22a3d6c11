package main

import (
	"context"
	"net/http"
	"time"

	"moothall/bench/bulk"
	"moothall/bench/load"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// crowd is a group whose members are the users who follow the most followed organizer. Its owner is the first of them.
type crowd struct {
	id     string
	drafts []draft // of events of the group
}

// crowdEvents is how many coming events the group has.
const crowdEvents = 10

func (w *workload) crowds() []*operation {
	target := "/groups/" + w.crowd.id
	return []*operation{
		page("group", "GET /groups/{group_id} of 100,000 members", some, same(target)),
		page("group members", "GET /groups/{group_id}/members of that group, the first page of 20", some, same(target+"/members")),
		page("group events", "GET /groups/{group_id}/events of that group, 10 events", some, same(target+"/events")),
	}
}

// makeCrowd lets the owner follow the most followed organizer, and found a group with events. It leaves drafts for publish.
func makeCrowd(c *load.Conn, owner, followed login) (g crowd, err error) {
	follow := load.Request{Method: http.MethodPost, Target: "/users/" + followed.userID().String() + "/follow", Token: owner.Access}
	if _, err := c.Ask(follow); err != nil {
		return g, err
	}
	founded, err := c.Ask(load.Request{Method: http.MethodPost, Target: "/groups", Token: owner.Access, Body: `{"name":"Everybody","city":"Berlin","member_list":"public"}`})
	if err != nil {
		return g, err
	}
	if g.id, err = textField(founded, "id"); err != nil {
		return g, err
	}
	drafts, err := createDrafts(c, owner, g.id, crowdEvents+followedDrafts, epoch.AddDate(1, 1, 0)) // on no first page
	if err != nil {
		return g, err
	}
	for _, d := range drafts[:crowdEvents] {
		if _, err := c.Ask(d.publish()); err != nil {
			return g, err
		}
	}
	g.drafts = drafts[crowdEvents:]
	return g, nil
}

// addMembers inserts the members of the group beside its owner.
func (g *crowd) addMembers(ctx context.Context, d *db.DB, users []domain.UserID, since time.Time) error {
	id, err := domain.ParseID[domain.GroupKind](g.id)
	if err != nil {
		return err
	}
	return bulk.Members(ctx, d, id, users, since)
}
