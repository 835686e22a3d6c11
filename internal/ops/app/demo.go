package app

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"moothall/internal/meetup/chat"
	"moothall/internal/meetup/datevote"
	"moothall/internal/meetup/media"
	"moothall/internal/ops/demo"
)

// FillDemo inserts the demo users and events into an empty database. It does not change a
// database that has data.
func (a *App) FillDemo(ctx context.Context) error {
	now := a.clock.Now()
	data := demo.Demo(now)
	sink := demo.Into(a.db, now)
	empty, err := sink.Empty(ctx)
	if err == nil && empty {
		err = a.fill(ctx, sink, data)
	}
	if err != nil {
		return fmt.Errorf("app: demo: %w", err)
	}
	return nil
}

// fill draws the pictures and inserts all data.
func (a *App) fill(ctx context.Context, sink demo.Sink, data *demo.DemoData) error {
	pictures, err := a.draw(data.Pictures())
	if err != nil {
		return err
	}
	if err := demo.Fill(ctx, sink, data, demo.Options{}); err != nil {
		return err
	}
	if err := datevote.ImportVotes(ctx, a.db, data.Votes()); err != nil {
		return err
	}
	if err := chat.Import(ctx, a.db, data.Messages()); err != nil {
		return err
	}
	return a.services.media.Import(ctx, pictures)
}

// draw draws and encodes pictures on all processors, and shows them in the demo data.
func (a *App) draw(all []demo.Picture) ([]media.Imported, error) {
	drawn := make([]media.Imported, len(all))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range all {
		work.Go(func() error {
			encoded, err := a.services.media.Encode(p.Draw(), p.Cover)
			p.Show(encoded.URL)
			drawn[i] = media.Imported{Owner: p.Owner, Picture: encoded}
			return err
		})
	}
	return drawn, work.Wait()
}
