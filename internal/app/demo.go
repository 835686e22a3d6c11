package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moothall/internal/discovery"
	"moothall/internal/domain"
	"moothall/internal/seed"
)

// FillDemo puts the demonstration's people and events into an empty database
// and shows them on the start page. What a database holds already stays as it is.
func (a *App) FillDemo(ctx context.Context) error {
	now := a.clock.Now()
	cast := seed.Demo(now)
	err := seed.Fill(ctx, seed.Into(a.db, now), cast, seed.Options{})
	if err != nil && !errors.Is(err, seed.ErrNotEmpty) {
		return fmt.Errorf("app: demo: %w", err)
	}
	for person := range cast.Users() {
		a.demo = append(a.demo, person)
	}
	return nil
}

// comingEvents is how many events the start page shows.
const comingEvents = 8

// coming is an event on the start page.
type coming struct{ Title, When, City string }

// comingUp lists the next events for the start page of a demo.
func (a *App) comingUp(ctx context.Context) ([]coming, error) {
	if len(a.demo) == 0 {
		return nil, nil
	}
	page, err := a.rooms.discovery.List(ctx, domain.Viewer{}, discovery.Filter{Limit: comingEvents})
	if err != nil {
		return nil, err
	}
	list := make([]coming, len(page.Cards))
	for i, card := range page.Cards {
		list[i] = coming{Title: card.Title, When: localTime(card.StartsAt, card.Timezone)}
		if card.City != nil {
			list[i].City = *card.City
		}
	}
	return list, nil
}

func localTime(t time.Time, zone string) string {
	if location, err := time.LoadLocation(zone); err == nil {
		t = t.In(location)
	}
	return t.Format("Mon 2 Jan, 15:04")
}
