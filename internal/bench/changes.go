package bench

import (
	"bytes"
	"fmt"
	"time"

	"moothall/internal/domain"
)

func (q *requests) changes() []*operation {
	return []*operation{
		{name: "create", does: "POST /events: a draft", callers: someAndMany, make: q.create, answer: q.created},
		{name: "publish", does: "POST /events/{event_id}/publish of such a draft", callers: []int{1, 64}, needs: "create", make: q.publish},
		{
			name: "publish followed", does: "the same by an organizer with 100,000 followers, all of whom are told",
			callers: one, most: 4, alone: true, make: q.publishFollowed,
		},
		{name: "join", does: "POST /events/{event_id}/join, each request another event", callers: all, make: q.join},
		{name: "join hot", does: "the same, 256 people join one event, then the next", callers: fewAndMany, counter: true, make: q.joinHot},
		{name: "refresh", does: "POST /auth/refresh, each caller its own session", callers: manyAndMost, make: q.refresh, answer: q.refreshed},
	}
}

// draft is an event that waits to be published by the person of a token.
type draft struct{ id, token string }

func (d draft) publish() request {
	return request{method: "POST", target: "/events/" + d.id + "/publish", token: d.token}
}

// create makes drafts all over Europe and the year.
func (q *requests) create(caller, n int) (request, bool) {
	p := placeOf(n)
	body := fmt.Sprintf(`{"title":"Board games at number %d","description":"Come as you are, newcomers are welcome. We meet upstairs.",`+
		`"category":"games","starts_at":%q,"city":"Berlin","location_text":"Bench street %d","lat":%s,"lng":%s}`,
		n, epoch.Add(time.Duration(24+n%8000)*time.Hour).Format(time.RFC3339), n%300+1, degrees(p.lat), degrees(p.lng))
	return request{method: "POST", target: "/events", token: q.tokens[caller], body: body}, true
}

// created keeps the draft for publish.
func (q *requests) created(caller int, body []byte) error {
	id, err := textIn(body, "id")
	q.mu.Lock()
	defer q.mu.Unlock()
	q.drafts = append(q.drafts, draft{id, q.tokens[caller]})
	return err
}

// publish ends with the drafts.
func (q *requests) publish(_, _ int) (r request, more bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.drafts) == 0 {
		return r, false
	}
	d := q.drafts[0]
	q.drafts = q.drafts[1:]
	return d.publish(), true
}

// crowds are the events of which each is joined by everybody at once; the
// others are joined by one after the other.
func (q *requests) crowds() (others, crowds []domain.EventID) {
	at := len(q.open) * 9 / 10
	return q.open[:at], q.open[at:]
}

// join brings nobody to an event twice: everybody walks through the events,
// each from another one on.
func (q *requests) join(_, n int) (r request, more bool) {
	events, _ := q.crowds()
	person, round := n%len(q.tokens), n/len(q.tokens)
	event := events[(person*len(events)/len(q.tokens)+round)%len(events)]
	return joining(event, q.tokens[person]), round < len(events)
}

// joinHot brings everybody to one event, then to the next.
func (q *requests) joinHot(_, n int) (r request, more bool) {
	_, events := q.crowds()
	person, round := n%len(q.tokens), n/len(q.tokens)
	if round >= len(events) {
		return r, false
	}
	return joining(events[round], q.tokens[person]), true
}

func joining(event domain.EventID, token string) request {
	return request{method: "POST", target: "/events/" + event.String() + "/join", token: token, body: `{"participation_visibility":"public"}`}
}

func (q *requests) refresh(caller, _ int) (request, bool) {
	return request{method: "POST", target: "/auth/refresh", body: `{"refresh_token":"` + q.refreshes[caller] + `"}`}, true
}

func (q *requests) refreshed(caller int, body []byte) (err error) {
	q.refreshes[caller], err = textIn(body, "refresh_token")
	return err
}

// textIn gives the first text of that name in a JSON answer that holds no
// escapes in it.
func textIn(body []byte, name string) (string, error) {
	_, rest, found := bytes.Cut(body, []byte(`"`+name+`":"`))
	text, _, closed := bytes.Cut(rest, []byte(`"`))
	if !found || !closed {
		return "", fmt.Errorf("no %s in %s", name, body)
	}
	return string(text), nil
}
