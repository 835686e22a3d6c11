package delivery_test

import (
	"context"
	"sync/atomic"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestPingFrames opens a socket as a script of a web page does, and another one as a program does. Only the first gets frames with
// the pings, also while the database does not respond.
func TestPingFrames(t *testing.T) {
	t.Parallel()
	var stuck atomic.Bool
	pinged := make(chan struct{})
	a := apptest.New(t, db.SQLite, apptest.Setting("REALTIME_PING_INTERVAL", "1s"), apptest.OnStatement(func(_ context.Context, s *db.Stmt) {
		if s.Name() == "chat.busy" && stuck.Load() {
			<-pinged
		}
	}))
	ann := a.As("ann")
	program, page := ann.Socket("/realtime"),
		a.Anonymous().Socket("/realtime?ticket="+ann.Post("/realtime/tickets", nil).Want(200).Text("ticket"))
	if got := page.Want("welcome").Number("ping_seconds"); got != 1 {
		t.Errorf("ping_seconds is %v, want 1", got)
	}
	stuck.Store(true)
	for range 3 {
		page.Want("ping")
	}
	close(pinged)
	program.Send(apptest.Fields{"op": "subscribe", "topic": "me"})
	for f := program.Next(); f.Text("op") != "subscribed"; f = program.Next() {
		if f.Text("op") == "ping" {
			t.Error("a program gets a frame with a ping")
		}
	}
}
