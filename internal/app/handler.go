package app

import (
	"context"
	"strings"

	"moothall/api/gen"
	"moothall/internal/access"
	"moothall/internal/meet"
	"moothall/internal/profile"
	"moothall/internal/session"
	"moothall/internal/web"
)

// handler answers every operation of the contract: those of the rooms, and
// 501 for the ones that no room offers yet.
type handler struct {
	health
	*profiles
	*sessions
	unbuilt
}

// The rooms' handlers, under names that differ.
type (
	profiles = profile.Handler
	sessions = session.Handler
)

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
	people := profile.NewService(a.db, a.clock, profile.NewModerators(a.settings.AdminUserIDs, a.settings.AdminEmails))
	signedIn := session.NewHandler(a.sessions(people), a.settings.isSecure())
	return operations{
		handler: handler{
			health:   health{db: a.db, clock: a.clock},
			profiles: profile.NewHandler(people),
			sessions: signedIn,
		},
		authenticator: signedIn,
		precheck: func(ctx context.Context, operation string, event meet.EventID) error {
			return access.Precheck(ctx, a.db, web.Viewer(ctx), operation, event, a.clock.Now())
		},
	}, nil
}

func (a *App) sessions(people *profile.Service) *session.Service {
	s := a.settings
	return session.NewService(a.db, a.clock, people, session.Options{
		AccessTTL: s.AccessTokenTTL, RefreshTTL: s.RefreshTokenTTL, MaxAge: s.SessionMaxAge, RaceWindow: s.RefreshRaceWindow,
		DevEnabled: s.DevSignIn, ExposeCode: s.DevExposeCode, Key: s.SecretKey,
	})
}

// isSecure reports whether browsers reach the service over HTTPS.
func (s Settings) isSecure() bool {
	return strings.HasPrefix(s.PublicBaseURL, "https://") || strings.HasPrefix(s.WebOrigin, "https://")
}
