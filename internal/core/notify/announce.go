package notify

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Audience is the recipients of an announcement.
type Audience struct {
	kind  string
	of    anyID // the user or the event
	limit int   // audiences above this size get nothing; 0 is no limit
	size  *int  // counted by the caller; nil if Announce has to count
}

// anyID is the id of a user, an event, a post, a comment or a calendar invite.
type anyID = domain.ID[any]

// Followers is the name of the audience of all followers of a user, in Audiences.
const Followers = "followers"

// FollowersOf are all followers of a user.
func FollowersOf(u domain.UserID) Audience { return Audience{kind: Followers, of: anyID(u)} }

// FollowersOfUpTo are all followers of a user, or none if there are more than limit.
func FollowersOfUpTo(u domain.UserID, limit int) Audience {
	return Audience{kind: Followers, of: anyID(u), limit: limit}
}

// FollowerCountSQL counts the followers of the user parameter, up to one more
// than limit: enough for Sized.
func FollowerCountSQL(user string, limit int) string {
	return countSQL("followers", user, limit)
}

// Sized returns the audience with its size, so that Announce need not count it.
func (a Audience) Sized(size int) Audience {
	a.size = &size
	return a
}

// Going are the participants of an event, incognito ones included.
func Going(e domain.EventID) Audience { return Audience{kind: "going", of: anyID(e)} }

// GoingAndInvited are the participants of an event and all invited users who
// have not declined.
func GoingAndInvited(e domain.EventID) Audience {
	return Audience{kind: "going_and_invited", of: anyID(e)}
}

// Attending are the participants of an event, incognito ones included, and the invited
// users who have accepted or may come.
func Attending(e domain.EventID) Audience { return Audience{kind: "attending", of: anyID(e)} }

// AsksParam is the parameter of a reminder that asks whether the recipient still comes.
const AsksParam = "asks"

// ReminderSubject returns the subject of a reminder of an event: it differs for each offset,
// in minutes, and each start. OfStart finds the start in it.
func ReminderSubject(e domain.EventID, offset int, start time.Time) string {
	return e.String() + ":" + strconv.Itoa(offset) + startSuffix(start)
}

// OfStart reports whether the subject of a reminder is about a start.
func OfStart(subject string, start time.Time) bool {
	return strings.HasSuffix(subject, startSuffix(start))
}

func startSuffix(start time.Time) string { return ":" + strconv.FormatInt(start.Unix(), 10) }

// membersSQL selects each audience's user_id, without duplicates; %s is the
// parameter of the user or the event.
var membersSQL = map[string]string{
	"followers": `SELECT f.follower_id AS user_id FROM follows AS f WHERE f.followed_id = %s`,

	"going": `SELECT p.user_id AS user_id FROM participants AS p WHERE p.event_id = %s AND p.status = 'going'`,

	"attending": `
		SELECT p.user_id AS user_id FROM participants AS p WHERE p.event_id = %[1]s AND p.status = 'going'
		UNION ALL
		SELECT i.user_id AS user_id FROM invitations AS i WHERE i.event_id = %[1]s AND i.status IN ('accepted', 'tentative')
			AND (SELECT COUNT(*) FROM participants AS p
				WHERE p.event_id = i.event_id AND p.user_id = i.user_id AND p.status = 'going') = 0`,

	"going_and_invited": `
		SELECT p.user_id AS user_id FROM participants AS p WHERE p.event_id = %[1]s AND p.status = 'going'
		UNION ALL
		SELECT i.user_id AS user_id FROM invitations AS i WHERE i.event_id = %[1]s AND i.status <> 'declined'
			AND (SELECT COUNT(*) FROM participants AS p
				WHERE p.event_id = i.event_id AND p.user_id = i.user_id AND p.status = 'going') = 0`,
}

// MaxRows is the size up to which an audience gets its rows in the announcing
// transaction. A larger audience gets one broadcast. A row costs a thirtieth of what
// receiving a broadcast costs a recipient, but other writes on SQLite wait for the rows
// (docs/adr/0013).
const MaxRows = 500

// audienceStmts are the statements of one kind of audience.
type audienceStmts struct {
	size   *db.Stmt // counts the members, up to one more than MaxRows
	insert *db.Stmt // notifies the members
}

var audiences = func() map[string]audienceStmts {
	all := map[string]audienceStmts{}
	for kind, members := range membersSQL {
		all[kind] = audienceStmts{
			size:   db.SQL("notify.size."+kind, `SELECT `+countSQL(kind, "$1", MaxRows)),
			insert: db.SQL("notify.announce."+kind, insertSQL(fmt.Sprintf(members, "$9"))),
		}
	}
	return all
}()

// countSQL counts the members of an audience up to one more than a limit.
func countSQL(kind, of string, limit int) string {
	return `(SELECT COUNT(*) FROM (SELECT 1 AS one FROM (` + fmt.Sprintf(membersSQL[kind], of) + `) AS m LIMIT ` + strconv.Itoa(limit+1) +
		`) AS counted)`
}

// Announce notifies an audience. It queues rows for up to MaxRows members, and a
// broadcast for more. Without members, or above the audience's limit, it does nothing.
// The limit is at most MaxRows.
func Announce(ctx context.Context, tx db.Tx, now time.Time, n Notification, to Audience) error {
	n = n.withSubject()
	args, err := n.args(now)
	if err != nil {
		return err
	}
	if to.size == nil {
		to.size = new(int)
		if err := tx.One(ctx, audiences[to.kind].size, to.of).Scan(to.size); err != nil {
			return err
		}
	}
	switch size := *to.size; {
	case size == 0 || to.limit > 0 && size > to.limit:
		return nil
	case size <= MaxRows:
		tx.Queue(ctx, audiences[to.kind].insert, append(args, to.of)...)
		addToOutbox(ctx, tx, now, n, &to, false)
	default:
		tx.Queue(ctx, countStmt)
		tx.Queue(ctx, broadcastStmt, n.id(), to.kind, to.of, n.Kind, n.Subject, orNull(n.Actor), orNull(n.Event), args[5], now)
		addToOutbox(ctx, tx, now, n, &to, true)
	}
	tx.Publish(to.topic())
	return nil
}
