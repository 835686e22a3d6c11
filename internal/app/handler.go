package app

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/access"
	"moothall/internal/meet"
	"moothall/internal/web"
)

// handler answers every operation of the contract: those of the rooms, and
// 501 for the ones that no room offers yet.
type handler struct {
	health
	unbuilt
}

// unbuilt stands one level deeper than the rooms, so that theirs win.
type unbuilt struct{ gen.UnimplementedHandler }

// operations is what the rooms offer, put together.
type operations struct {
	handler       gen.Handler
	authenticator web.Authenticator
	precheck      func(ctx context.Context, operation string, event meet.EventID) error
}

// operations builds the rooms. Needs that point upwards are filled in here.
func (a *App) operations() (operations, error) {
	return operations{
		handler: handler{health: health{db: a.db, clock: a.clock}},
		precheck: func(ctx context.Context, operation string, event meet.EventID) error {
			return access.Precheck(ctx, a.db, web.Viewer(ctx), operation, event, a.clock.Now())
		},
	}, nil
}
