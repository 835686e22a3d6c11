package access

import "fmt"

// Anonymous stands for the viewer's parameter if the viewer is anonymous. The SQL then
// has no conditions that depend on the viewer.
const Anonymous = ""

// StatusSQL is EffectiveStatus in SQL: the state of the events row e at the time of the
// parameter now.
func StatusSQL(e, now string) string {
	return fmt.Sprintf(`CASE WHEN %[1]s.status = 'published' AND %[1]s.over_at <= %[2]s THEN 'completed' ELSE %[1]s.status END`, e, now)
}

// SeesEvent is Sees in SQL: a condition on the events row e. viewer is the parameter of
// the viewer's id, or Anonymous.
func SeesEvent(e, viewer string) string {
	if viewer == Anonymous {
		return fmt.Sprintf(`(%s.visibility = 'public' AND %s)`, e, shown(e))
	}
	return fmt.Sprintf(`(%[1]s.organizer_id = %[2]s OR %[3]s AND (%[7]s OR
		%[1]s.visibility = 'public' AND %[4]s
		OR %[1]s.visibility = 'members' AND %[4]s AND (%[8]s OR %[5]s OR %[6]s)
		OR %[1]s.visibility = 'private' AND (%[5]s OR %[4]s AND %[6]s)))`,
		e, viewer, NotBlocked(e+".organizer_id", viewer), shown(e), invited(e, viewer), Going(e, viewer),
		inTeam(e, viewer, `IN ('active', 'pending')`)+` OR `+hostsGroup(e, viewer), InGroup(e+".group_id", viewer))
}

// UsedSeats is the number of seats of the events row e that are not free: taken, held for a user, or kept for the waiting list.
const UsedSeats = `(SELECT CAST(COALESCE(SUM(s.n + s.held + s.kept), 0) AS BIGINT) FROM event_slots s WHERE s.event_id = e.id)`

// shown is EventFacts.Shown.
func shown(e string) string { return e + `.published_at IS NOT NULL` }

// NotBlocked is the condition that neither of two users blocks the other.
func NotBlocked(a, b string) string {
	return fmt.Sprintf(`NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = %[1]s AND blocked_id = %[2]s)
		AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocker_id = %[2]s AND blocked_id = %[1]s)`, a, b)
}

// HasBlocks is the condition that the user has blocked somebody, or is blocked. Most users have no blocks: a statement with many NotBlocked
// evaluates HasBlocks once and skips them for these users.
func HasBlocks(user string) string {
	return fmt.Sprintf(`(EXISTS (SELECT 1 FROM blocks WHERE blocker_id = %[1]s)
		OR EXISTS (SELECT 1 FROM blocks WHERE blocked_id = %[1]s))`, user)
}

// Going is the condition that the user participates in the events row e.
func Going(e, user string) string {
	if user == Anonymous {
		return `FALSE`
	}
	return fmt.Sprintf(`EXISTS (SELECT 1 FROM participants g WHERE g.event_id = %s.id AND g.user_id = %s AND g.status = 'going')`, e, user)
}

// Removed is the condition that the organizer has removed the user from the events row e.
func Removed(e, user string) string {
	return fmt.Sprintf(`EXISTS (SELECT 1 FROM participants r WHERE r.event_id = %s.id AND r.user_id = %s AND r.status = 'removed')`, e, user)
}

// HostsSQL is EventFacts.Hosts in SQL: the condition that the user organizes or hosts the events row e.
func HostsSQL(e, user string) string {
	return fmt.Sprintf(`(%s.organizer_id = %s OR %s OR %s)`, e, user, inTeam(e, user, `= 'active'`), hostsGroup(e, user))
}

// inTeam is the condition that the user has a row in event_hosts for the events row e, with a status.
func inTeam(e, user, status string) string {
	return fmt.Sprintf(`%[1]s.has_team AND EXISTS (
		SELECT 1 FROM event_hosts h WHERE h.event_id = %[1]s.id AND h.user_id = %[2]s AND h.status %[3]s)`, e, user, status)
}

// hostsGroup is the condition that the user is the owner or a host of the group of the events row e.
func hostsGroup(e, user string) string {
	return e + `.group_id IS NOT NULL AND ` + HostsGroup(e+".group_id", user)
}

// memberSQL is EventFacts.Member.
func memberSQL(e, user string) string {
	return e + `.visibility = 'members' AND ` + InGroup(e+".group_id", user)
}

// roleSQL is EventFacts.Role.
func roleSQL(e, user string) string {
	return fmt.Sprintf(`CASE WHEN %[1]s.organizer_id = %[2]s THEN 'owner' WHEN %[3]s THEN 'host' WHEN %[1]s.has_team THEN COALESCE((
		SELECT CASE h.status WHEN 'active' THEN h.role WHEN 'pending' THEN 'pending_host' ELSE '' END FROM event_hosts h
		WHERE h.event_id = %[1]s.id AND h.user_id = %[2]s), '') ELSE '' END`, e, user, hostsGroup(e, user))
}

func invited(e, user string) string {
	return fmt.Sprintf(`EXISTS (SELECT 1 FROM invitations i WHERE i.event_id = %s.id AND i.user_id = %s)`, e, user)
}
