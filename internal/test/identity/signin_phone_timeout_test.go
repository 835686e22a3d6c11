package identity_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/platform/httpapi"
	"moothall/internal/test/apptest"
)

// TestStartOutOfTimeIsUnavailable ends the time of starts after their reservation, each before
// another statement. The caller knows of no challenge, so nothing of the caller's is in doubt.
func TestStartOutOfTimeIsUnavailable(t *testing.T) {
	t.Parallel()
	var reserved sync.Map // user agents of starts that have reserved the phone
	statements := []string{"signin.taken_numbers", "ratelimit.take", "signin.assign_number"}
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		replies := apptest.Replies(len(statements), func(i int) *apptest.Reply {
			return startCall(a.Anonymous().Allow5xx().With("User-Agent", t.Name()+" "+statements[i]), nthPhone(i))
		})
		for i, r := range replies {
			if a.Engine() == db.SQLite && statements[i] == "ratelimit.take" {
				r.Want(http.StatusOK) // it counts in memory
				continue
			}
			r.WantError(http.StatusServiceUnavailable, "service_unavailable")
		}
	}, apptest.Setting("RATE_LIMITS", "on"), apptest.OnStatement(func(ctx context.Context, s *db.Stmt) {
		agent := httpapi.Client(ctx).UserAgent
		if s.Name() == "signin.reserve" {
			reserved.Store(agent, true)
		}
		if _, ok := reserved.Load(agent); ok && strings.HasSuffix(agent, " "+s.Name()) {
			<-ctx.Done()
		}
	}))
}
