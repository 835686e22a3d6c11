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
	return fmt.Sprintf(`(%[1]s.organizer_id = %[2]s OR %[3]s AND (
		%[1]s.visibility = 'public' AND %[4]s
		OR %[1]s.visibility = 'private' AND (%[5]s OR %[4]s AND %[6]s)))`,
		e, viewer, NotBlocked(e+".organizer_id", viewer), shown(e), invited(e, viewer), Going(e, viewer))
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

func invited(e, user string) string {
	return fmt.Sprintf(`EXISTS (SELECT 1 FROM invitations i WHERE i.event_id = %s.id AND i.user_id = %s)`, e, user)
}
