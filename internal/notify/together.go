package notify

import (
	"fmt"
	"strconv"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
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

// Announcer is Announce as a step of db.Together, under a condition.
type Announcer struct{ putter job.Putter }

// NewAnnouncer makes an Announcer with a name of its own for audiences like
// one, which must have a greatest size. The parameters of its condition are
// from $7 on.
func NewAnnouncer(name string, like Audience, condition string) Announcer {
	most := strconv.Itoa(like.limit)
	return Announcer{job.NewPutter("announce."+name, `
		(SELECT COUNT(*) FROM (SELECT 1 AS one FROM (`+fmt.Sprintf(membersSQL[like.kind], "$6")+`) AS m LIMIT `+most+` + 1) AS counted) BETWEEN 1 AND `+most+`
		AND (`+condition+`)`)}
}

// Step announces to an audience; args are the parameters of the condition.
func (a Announcer) Step(now time.Time, n Notification, to Audience, args ...any) (db.Step, error) {
	return a.putter.Step(now, n.withSubject().job(now, to), append([]any{to.of}, args...)...)
}
