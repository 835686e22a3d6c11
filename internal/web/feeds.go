package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

const (
	maxFeedEvents = 200

	feedPage = 100 // events of one operation
)

// EventsFeed serves the next events of a filter, which is that of the list, as Atom or iCalendar.
func (s *Site) EventsFeed(w http.ResponseWriter, r *http.Request) error {
	ctx, v := s.anonymousVisit(w, r)
	query := r.URL.Query()
	params, err := s.listParams(ctx, v, cleaned(query))
	if err != nil {
		return refuse(w, err)
	}
	name := []string{"Moothall"}
	for _, field := range []string{"q", "category", "city"} {
		if query.Get(field) != "" {
			name = append(name, query.Get(field))
		}
	}
	return s.writeFeed(ctx, v, strings.Join(name, " · "), params)
}

// feedOf returns the address of the feeds of a list, without the format.
func feedOf(query url.Values) *url.URL {
	return &url.URL{Path: "/feeds/events", RawQuery: filterOf(query).Encode()}
}

// filterOf returns the filter in the query of a list, without the cursor.
func filterOf(query url.Values) url.Values {
	filter := url.Values{}
	for name, values := range query {
		if name != "cursor" && values[0] != "" {
			filter[name] = values
		}
	}
	return filter
}

// OrganizerFeed serves the next events of an organizer as Atom or iCalendar.
func (s *Site) OrganizerFeed(w http.ResponseWriter, r *http.Request) error {
	id, err := uuid.Parse(r.PathValue("user_id"))
	if err != nil {
		http.NotFound(w, r)
		return nil //nolint:nilerr // answered
	}
	ctx, v := s.anonymousVisit(w, r)
	profile, err := s.api.GetProfile(ctx, gen.GetProfileParams{UserID: id})
	if err != nil {
		return refuse(w, err)
	}
	return s.writeFeed(ctx, v, v.page.Name(*profile), gen.ListEventsParams{OrganizerID: gen.NewOptUUID(id)})
}

// GroupFeed serves the next public events of a public group as Atom or iCalendar.
func (s *Site) GroupFeed(w http.ResponseWriter, r *http.Request) error {
	id, err := uuid.Parse(r.PathValue("group_id"))
	if err != nil {
		http.NotFound(w, r)
		return nil //nolint:nilerr // answered
	}
	ctx, v := s.anonymousVisit(w, r)
	group, err := s.api.GetGroup(ctx, gen.GetGroupParams{GroupID: id})
	if err != nil {
		return refuse(w, err)
	}
	return s.writeFeed(ctx, v, group.Name, gen.ListEventsParams{GroupID: gen.NewOptUUID(id)})
}

// writeFeed writes the events of a list in the format that the address ends with.
func (s *Site) writeFeed(ctx context.Context, v *visit, name string, p gen.ListEventsParams) error {
	events, err := s.publicEvents(ctx, p, maxFeedEvents)
	switch {
	case err != nil:
		return refuse(v.w, err)
	case path.Ext(v.r.URL.Path) == ".ics":
		s.writeCalendar(v.w, name, events)
		return nil
	default:
		return s.writeAtom(v.w, v.r, name, events)
	}
}

// anonymousVisit returns the visit of a request as that of an anonymous visitor. It ignores the session.
func (s *Site) anonymousVisit(w http.ResponseWriter, r *http.Request) (context.Context, *visit) {
	ctx, v := newVisit(w, r)
	v.page, v.cookies, v.header = s.newPage(r), nil, nil
	return ctx, v
}

// publicEvents returns at most limit events, as anonymous visitors see them.
func (s *Site) publicEvents(ctx context.Context, p gen.ListEventsParams, limit int) (events []gen.EventCard, err error) {
	p.Limit = gen.NewOptInt(min(limit, feedPage))
	for {
		list, err := s.api.ListEvents(ctx, p)
		if err != nil {
			return nil, err
		}
		if events = append(events, list.Items.Values()...); list.NextCursor.Null || len(events) >= limit {
			return events[:min(len(events), limit)], nil
		}
		p.Cursor = gen.NewOptString(list.NextCursor.Value)
	}
}

// createdAt returns when an event was created, which its id says.
func createdAt(e gen.EventCard) time.Time {
	return time.Unix(e.Event.ID.Time().UnixTime()).UTC()
}

// refuse answers with the status of an operation that was refused. It returns any other error.
func refuse(w http.ResponseWriter, err error) error {
	problem, refused := errors.AsType[*view.Problem](err)
	if refused {
		http.Error(w, http.StatusText(problem.Status), problem.Status)
		return nil
	}
	return err
}
