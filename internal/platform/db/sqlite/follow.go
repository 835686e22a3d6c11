package sqlite

import (
	"context"
	"time"

	"moothall/internal/platform/db/change"
	"moothall/internal/platform/db/driver"
	"moothall/internal/platform/observe"
)

const fileChecks = 200 * time.Millisecond // between two checks of the file

// follow checks the file until the writer stops.
func (w *writer) follow(v *change.Versions) {
	w.following.Do(func() {
		go func() {
			ticker := time.NewTicker(fileChecks)
			defer ticker.Stop()
			for {
				began := observe.Uptime()
				select {
				case w.checks <- func() { w.check(v, began) }:
				case <-w.stopped:
					return
				}
				select {
				case <-ticker.C:
				case <-w.stopped:
					return
				}
			}
		}()
	})
}

var dataVersion = driver.NewStmt("db.data_version", "PRAGMA data_version")

// check advances every version if another connection has changed the file. The write
// connection does not see its own commits that way.
func (w *writer) check(v *change.Versions, began time.Duration) {
	var seen int64
	err := w.conn.Query(context.Background(), dataVersion, nil, func(r driver.Row) bool { return r.Scan(&seen) == nil })
	if err != nil || seen == 0 {
		return
	}
	if seen != w.dataVersion {
		w.dataVersion = seen
		v.Advance(change.AllCells)
	}
	v.Trust(began + change.TrustTime)
}
