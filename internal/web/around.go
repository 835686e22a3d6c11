package web

import (
	"context"
	"slices"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

const (
	maxAround = 4  // events of each list around an event
	similarKm = 50 // distance from an event to similar ones
)

// around shows the organizer of an event, their other events and similar ones. The page of the event loads it when the visitor
// scrolls there.
func (s *Site) around(ctx context.Context, v *visit) (templ.Component, error) {
	details, err := s.api.GetEvent(ctx, gen.GetEventParams{EventID: v.id("event_id")})
	if err != nil {
		return nil, err
	}
	of := details.Response
	d := view.AroundData{Event: of.Event}
	err = s.together(func() (err error) {
		if !of.Organizer.Null {
			d.Host, err = s.host(ctx, v, of.Organizer.Value)
		}
		return err
	}, func() (err error) {
		d.Similar, err = s.similar(ctx, of)
		return err
	})
	if err != nil {
		return nil, err
	}
	shown := []gen.EventCard{view.CardOf(&of)}
	if d.Host != nil {
		d.Host.Organizes.Cards = others(d.Host.Organizes.Cards, shown)
		shown = append(shown, d.Host.Organizes.Cards...)
	}
	d.Similar = others(d.Similar, shown)
	v.page.Title, v.page.NoIndex = v.page.EventTitle(of.Event.Title), true
	return view.Around(v.page, d), nil
}

// host returns the organizer of an event with their first events.
func (s *Site) host(ctx context.Context, v *visit, profile gen.PublicProfile) (*view.UserData, error) {
	d := &view.UserData{Profile: profile, IsPart: true}
	var list *gen.EventListResponse
	err := s.together(func() (err error) {
		if v.page.SignedIn() && !v.page.Is(profile.UserID) {
			d.Blocked, d.Follow, err = s.relation(ctx, profile.UserID)
		}
		return err
	}, func() (err error) {
		list, err = s.api.ListEvents(ctx, gen.ListEventsParams{OrganizerID: gen.NewOptUUID(profile.UserID), Limit: gen.NewOptInt(maxAround + 1)})
		return err
	})
	if err != nil {
		return nil, err
	}
	d.Organizes.Cards = list.Items.Values()
	return d, nil
}

// similar returns events of the same category near an event. It returns none if the event has no category or no place.
func (s *Site) similar(ctx context.Context, of gen.EventDetails) ([]gen.EventCard, error) {
	at := of.Location
	p := gen.ListEventsParams{Category: gen.NewOptString(of.Event.Category.Value), Limit: gen.NewOptInt(2*maxAround + 1)}
	switch {
	case of.Event.Category.Null || at.Lat.Null && at.City.Null:
		return nil, nil
	case at.Lat.Null:
		p.City = gen.NewOptString(at.City.Value)
	default:
		p.Lat, p.Lng, p.RadiusKm = gen.NewOptFloat64(at.Lat.Value), gen.NewOptFloat64(at.Lng.Value), gen.NewOptFloat64(similarKm)
	}
	list, err := s.api.ListEvents(ctx, p)
	if err != nil {
		return nil, err
	}
	return list.Items.Values(), nil
}

// others returns the first events that are not shown yet.
func others(cards, shown []gen.EventCard) []gen.EventCard {
	cards = slices.DeleteFunc(cards, func(c gen.EventCard) bool {
		return slices.ContainsFunc(shown, func(s gen.EventCard) bool { return s.Event.ID == c.Event.ID })
	})
	return cards[:min(maxAround, len(cards))]
}
