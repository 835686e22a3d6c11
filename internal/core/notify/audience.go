package notify

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Audience is the recipients of an announcement.
type Audience struct {
	kind  string
	of    anyID // the user, the event or the group
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
func Going(e domain.EventID) Audience { return Guests(e, access.AudienceGoing) }

// GoingAndInvited are the participants of an event and all invited users who
// have not declined.
func GoingAndInvited(e domain.EventID) Audience {
	return Audience{kind: "going_and_invited", of: anyID(e)}
}

// GoingInvitedAndWaiting are GoingAndInvited, and the users in the waiting list or with a request to join.
func GoingInvitedAndWaiting(e domain.EventID) Audience {
	return Audience{kind: "going_invited_and_waiting", of: anyID(e)}
}

// Attending are the participants of an event, incognito ones included, and the invited
// users who have accepted or may come.
func Attending(e domain.EventID) Audience { return Audience{kind: "attending", of: anyID(e)} }

// Guests are the members of an audience of an event, incognito ones included.
func Guests(e domain.EventID, a access.Audience) Audience {
	return Audience{kind: string(a), of: anyID(e)}
}

// HostsOf are the hosts of an event, without its organizer.
func HostsOf(e domain.EventID) Audience { return Audience{kind: "hosts", of: anyID(e)} }

// GroupMembers are the members of a group, incognito ones included. size is their number, or any number greater than MaxRows.
func GroupMembers(g domain.GroupID, size int) Audience {
	return Audience{kind: "group_members", of: anyID(g)}.Sized(size)
}

// GroupOf are the members of the group of an event, incognito ones included, without those whom FollowersOf its organizer reaches if it is
// public. size is as in GroupMembers.
func GroupOf(e domain.EventID, size int) Audience {
	return Audience{kind: "group_of_event", of: anyID(e)}.Sized(size)
}

// GroupHosts are the owner and the hosts of a group.
func GroupHosts(g domain.GroupID) Audience { return Audience{kind: "group_hosts", of: anyID(g)} }

// Audiences are the names of the audiences, as in Pending.Audience.
func Audiences() []string { return slices.Collect(maps.Keys(membersSQL)) }

// MembersSQL selects the user_id of the members of an audience. of is the parameter of
// Pending.Of.
func MembersSQL(audience, of string) string { return fmt.Sprintf(membersSQL[audience], of) }

// membersSQL selects each audience's user_id, without duplicates; %s is the
// parameter of the user, the event or the group.
var membersSQL = map[string]string{
	"followers": `SELECT f.follower_id AS user_id FROM follows AS f WHERE f.followed_id = %s`,

	string(access.AudienceGoing):      access.MembersSQL(access.AudienceGoing, "%[1]s"),
	string(access.AudienceWaiting):    access.MembersSQL(access.AudienceWaiting, "%[1]s"),
	string(access.AudienceUnanswered): access.MembersSQL(access.AudienceUnanswered, "%[1]s"),
	string(access.AudienceRequested):  access.MembersSQL(access.AudienceRequested, "%[1]s"),

	"attending": `
		SELECT p.user_id AS user_id FROM participants AS p WHERE p.event_id = %[1]s AND p.status = 'going'
		UNION ALL
		SELECT i.user_id AS user_id FROM invitations AS i WHERE i.event_id = %[1]s AND i.status IN ('accepted', 'tentative')
			AND (SELECT COUNT(*) FROM participants AS p
				WHERE p.event_id = i.event_id AND p.user_id = i.user_id AND p.status = 'going') = 0`,

	"going_and_invited": goingAndInvitedSQL,

	"hosts": `SELECT h.user_id AS user_id FROM event_hosts AS h WHERE h.event_id = %s AND h.status = 'active'`,

	"group_members": `SELECT m.user_id AS user_id FROM group_members AS m WHERE m.group_id = %s AND m.status = 'active'`,

	"group_of_event": `
		SELECT m.user_id AS user_id FROM events AS e CROSS JOIN group_members AS m
		WHERE e.id = %s AND m.group_id = e.group_id AND m.status = 'active' AND (e.visibility <> 'public' OR NOT EXISTS (
			SELECT 1 FROM follows AS f WHERE f.follower_id = m.user_id AND f.followed_id = e.organizer_id))`,

	"group_hosts": `
		SELECT m.user_id AS user_id FROM group_members AS m
		WHERE m.group_id = %s AND m.status = 'active' AND m.visibility = 'public' AND m.role <> 'member'`,

	"going_invited_and_waiting": goingAndInvitedSQL + `
		UNION ALL
		SELECT w.user_id AS user_id FROM waitlist_entries AS w WHERE w.event_id = %[1]s AND w.status IN ('waiting', 'offered')
			AND (SELECT COUNT(*) FROM invitations AS i
				WHERE i.event_id = w.event_id AND i.user_id = w.user_id AND i.status <> 'declined') = 0
		UNION ALL
		SELECT j.user_id AS user_id FROM join_requests AS j WHERE j.event_id = %[1]s AND j.status = 'pending'
			AND (SELECT COUNT(*) FROM invitations AS i
				WHERE i.event_id = j.event_id AND i.user_id = j.user_id AND i.status <> 'declined') = 0`,
}

const goingAndInvitedSQL = `
	SELECT p.user_id AS user_id FROM participants AS p WHERE p.event_id = %[1]s AND p.status = 'going'
	UNION ALL
	SELECT i.user_id AS user_id FROM invitations AS i WHERE i.event_id = %[1]s AND i.status <> 'declined'
		AND (SELECT COUNT(*) FROM participants AS p
			WHERE p.event_id = i.event_id AND p.user_id = i.user_id AND p.status = 'going') = 0`

// countSQL counts the members of an audience up to one more than a limit.
func countSQL(kind, of string, limit int) string {
	return `(SELECT COUNT(*) FROM (SELECT 1 AS one FROM (` + MembersSQL(kind, of) + `) AS m LIMIT ` + strconv.Itoa(limit+1) +
		`) AS counted)`
}

var sizeStmts = perAudience(func(kind string) *db.Stmt {
	return db.SQL("notify.size."+kind, `SELECT `+countSQL(kind, "$1", MaxRows))
})

// perAudience returns a statement for each audience.
func perAudience(of func(kind string) *db.Stmt) map[string]*db.Stmt {
	all := map[string]*db.Stmt{}
	for kind := range membersSQL {
		all[kind] = of(kind)
	}
	return all
}

// count returns the number of members, up to one more than MaxRows.
func (a Audience) count(ctx context.Context, tx db.Tx) (size int, err error) {
	if a.size != nil {
		return *a.size, nil
	}
	err = tx.One(ctx, sizeStmts[a.kind], a.of).Scan(&size)
	return size, err
}
