package notify

import (
	"time"

	"moothall/internal/platform/db"
)

// Teller is Put as a step of db.Together, for whom a SELECT gives.
type Teller struct{ stmt *db.Stmt }

// NewTeller makes a Teller with a name of its own. Its recipients are a SELECT
// of user_id, each once, with parameters from $9 on.
func NewTeller(name, recipients string) Teller {
	return Teller{db.SQL("notify.put."+name, insertSQL(blockedSQL, recipients))}
}

// Step tells the recipients; args are the parameters of their SELECT.
func (t Teller) Step(now time.Time, n Notification, args ...any) (db.Step, error) {
	row, err := n.withSubject().args(now)
	return db.Do(t.stmt, append(row, args...)...), err
}
