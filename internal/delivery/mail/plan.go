package mail

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// The planner turns rows of the outboxes into deliveries, in the order of their ids and in
// short transactions, so that other writers are not blocked. It leaves out recipients whom
// the channel cannot reach or who have switched the kind off. Everything else is decided
// when a delivery is due (scheduler.go).

// lifetime is the age at which a delivery that could not be sent fails permanently.
const lifetime = 48 * time.Hour

// plannedTopic is published by transactions that have planned deliveries.
var plannedTopic = db.Topic{Name: "mail.planned"}

const (
	// planAudiences is how many audiences of at most notify.MaxRows one transaction plans.
	planAudiences = 4
	// planChunk is how many recipients of a broadcast one transaction plans.
	planChunk = 2000
)

// planStmts are the statements of one channel.
type planStmts struct {
	personal  *db.Stmt            // notifications to one recipient
	audience  map[string]*db.Stmt // an announcement that has a row for each recipient
	broadcast map[string]*db.Stmt // a chunk of the recipients of a broadcast
}

// plans has the plans of each channel.
var plans = map[Channel][]planStmts{
	Email: {
		newPlan("", func(rows string) string { return planSQL(Email, withoutOutreach(rows)) }, notify.Audiences()),
		newPlan("_appointments", func(rows string) string { return planSQL(Email, appointmentRows(withoutOutreach(rows))) }, attending),
	},
	Push: {newPlan("_push", func(rows string) string { return planSQL(Push, withoutOutreach(rows)) }, notify.Audiences())},
}

// joinPlans plan a join for the followers of the user, who may not have received it.
var joinPlans = map[Channel]*db.Stmt{
	Email: db.SQL("mail.plan_join", planSQL(Email, joinRows)),
	Push:  db.SQL("mail.plan_join_push", planSQL(Push, joinRows)),
}

// joinRows selects the join of the row $2 of the outbox, unless it has ended, like a SELECT of notifications.
const joinRows = `
	SELECT f.follower_id AS user_id, p.announcement AS id, p.joined_at AS created_at, o.kind AS kind, p.event_id AS event_id,
		p.user_id AS actor_id, o.trace AS trace, p.joined_at AS since
	FROM notification_outbox o
	JOIN participants p ON p.user_id = o.audience_id AND p.status = 'going' AND p.visibility = 'public' AND p.joined_at = o.about_at
		AND p.announcement = o.notification_id
	JOIN follows f ON f.followed_id = p.user_id AND f.created_at <= p.joined_at
	WHERE o.id = $2`

// attending are the audiences of announcements that may change an appointment.
var attending = slices.DeleteFunc(notify.Audiences(), func(name string) bool { return name == notify.Followers })

// newPlan returns the statements for some audiences. of returns the statement that plans a SELECT of
// notifications, whose parameters begin with $2.
func newPlan(suffix string, of func(rows string) string, audiences []string) planStmts {
	p := planStmts{audience: map[string]*db.Stmt{}, broadcast: map[string]*db.Stmt{}}
	p.personal = db.SQL("mail.plan"+suffix, of(`
		SELECT n.user_id AS user_id, `+plannedColumns("n")+`
		FROM notification_outbox o
		JOIN notifications n ON n.user_id = o.user_id AND n.id = o.notification_id AND n.created_at = o.about_at
		WHERE o.id IN (SELECT l.value FROM ids($2) AS l)`))
	for _, name := range audiences {
		members := notify.MembersSQL(name, "o.audience_id")
		p.audience[name] = db.SQL("mail.plan"+suffix+"."+name, of(`
			SELECT n.user_id AS user_id, `+plannedColumns("n")+`
			FROM notification_outbox o
			JOIN notifications n ON n.id = o.notification_id AND n.created_at = o.about_at AND n.user_id IN (`+members+`)
			WHERE o.id = $2`))
		p.broadcast[name] = db.SQL("mail.plan_broadcast"+suffix+"."+name, of(`
			SELECT m.user_id AS user_id, `+plannedColumns("b")+`
			FROM notification_outbox o JOIN broadcasts b ON b.id = o.notification_id AND b.created_at = o.about_at,
				(`+notify.MembersSQL(name, "$3")+`) AS m
			WHERE o.id = $2 AND m.user_id IS DISTINCT FROM b.actor_id AND m.user_id > $4 AND m.user_id <= $5`))
	}
	return p
}

// plannedColumns are the columns of a SELECT of notifications, besides user_id. since is when its lifetime begins.
func plannedColumns(n string) string {
	return strings.ReplaceAll(`n.id AS id, n.created_at AS created_at, n.kind AS kind, n.event_id AS event_id, n.actor_id AS actor_id,
		o.trace AS trace, n.created_at AS since`, "n.", n+".")
}

// chunkEndStmts find the last recipient of a chunk of a broadcast.
var chunkEndStmts = func() map[string]*db.Stmt {
	all := map[string]*db.Stmt{}
	for _, name := range notify.Audiences() {
		all[name] = db.SQL("mail.chunk_end."+name, `
			SELECT m.user_id FROM (`+notify.MembersSQL(name, "$1")+`) AS m WHERE m.user_id > $2 ORDER BY m.user_id LIMIT 1 OFFSET $3`)
	}
	return all
}()

// targets are the target of a notification n by a channel, and the rows to join.
var targets = map[Channel]struct{ target, join string }{
	Email: {"n.user_id", `JOIN users u ON u.id = n.user_id AND u.email_verified AND u.email IS NOT NULL AND u.suspended_at IS NULL`},
	Push: {"p.id", `JOIN users u ON u.id = n.user_id AND u.suspended_at IS NULL
		JOIN push_subscriptions p ON p.user_id = n.user_id
		JOIN sessions s ON s.id = p.session_id AND s.revoked_at IS NULL`},
}

// planSQL inserts a delivery for each row of a SELECT. $1 is the delay in microseconds.
func planSQL(c Channel, rows string) string {
	var off []notify.Kind
	for _, p := range policies {
		if p.mode(c) == Off {
			off = append(off, p.kind)
		}
	}
	return `
		INSERT INTO deliveries (user_id, notification_id, about_at, channel, target, kind, state, due_at, expires_at, attempts, trace)
		SELECT n.user_id, n.id, n.created_at,
			'` + string(c) + `', ` + targets[c].target + `, n.kind, 'waiting', n.created_at + CAST($1 AS BIGINT), n.since + ` +
		strconv.FormatInt(lifetime.Microseconds(), 10) + `, 0, n.trace
		FROM (` + rows + `) AS n
		` + targets[c].join + `
		LEFT JOIN notification_rules r ON r.user_id = n.user_id AND r.kind = n.kind AND r.channel = '` + string(c) + `'
		WHERE COALESCE(r.mode, CASE WHEN n.kind IN (` + quoted(off) + `) THEN 'off' ELSE 'on' END) <> 'off'
			AND NOT EXISTS (SELECT 1 FROM muted_events m WHERE m.user_id = n.user_id AND m.event_id = n.event_id)
			AND (n.kind <> 'event_reminder' OR EXISTS (
				SELECT 1 FROM reminder_settings s WHERE s.event_id = n.event_id AND s.channels LIKE '%"` + string(c) + `"%'))
		ON CONFLICT (user_id, notification_id, about_at, channel, target) DO NOTHING`
}

// quoted lists kinds in SQL.
func quoted(kinds []notify.Kind) string {
	var all []string
	for _, k := range kinds {
		all = append(all, "'"+string(k)+"'")
	}
	return strings.Join(all, ", ")
}

// gather is how long the planner waits for more notifications, so that notifications of many
// requests share a transaction.
const gather = 100 * time.Millisecond

// planStep plans until nothing is left, releases outreach, and then pauses.
func (w *Worker) planStep(ctx context.Context) (more bool, err error) {
	if more, err = w.plan(ctx); more {
		return more, err
	}
	if more, failed := w.releaseDue(ctx); more || failed != nil {
		return more, errors.Join(err, failed)
	}
	select {
	case <-time.After(gather):
	case <-w.loops.Stopping():
	}
	return false, err
}

// plan plans some rows of the outboxes. more reports whether there are others.
func (w *Worker) plan(ctx context.Context) (more bool, err error) {
	w.planning.Lock()
	defer w.planning.Unlock()
	if more, err = w.isPending(ctx); err != nil || !more {
		return false, err
	}
	err = w.DB.InTx(ctx, func(tx db.Tx) error {
		appointments, err := w.planAppointments(ctx, tx)
		if err != nil {
			return err
		}
		notifications, err := w.planNotifications(ctx, tx)
		more = appointments || notifications
		tx.Publish(plannedTopic)
		return err
	})
	return more, err
}

// isPending reports whether one of the outboxes has rows.
func (w *Worker) isPending(ctx context.Context) (pending bool, err error) {
	if pending, err = notify.IsPending(ctx, w.DB); pending || err != nil {
		return pending, err
	}
	err = w.DB.One(ctx, isAppointmentPendingStmt).Scan(&pending)
	return pending, err
}

// planNotifications plans the oldest rows of the outbox of notifications. more reports whether
// there may be others.
func (w *Worker) planNotifications(ctx context.Context, tx db.Tx) (more bool, err error) {
	pending, err := notify.ReadPending(ctx, tx)
	if err != nil || len(pending) == 0 {
		return false, err
	}
	unwanted, err := w.unwantedKinds(ctx, tx, pending)
	if err != nil {
		return false, err
	}
	var personal, done []domain.ID[any]
	var audiences int
	var outreach bool // some of personal may be
	for _, p := range pending {
		switch {
		case p.Audience == "":
			personal, outreach = append(personal, p.ID), outreach || mayBeOutreach(p.Kind)
		case unwanted[p.Kind]:
			done = append(done, p.ID)
		case audiences == planAudiences: // the next transaction
		case p.Broadcast:
			audiences = planAudiences
			ended, err := w.planChunk(ctx, tx, p)
			if err != nil {
				return false, err
			}
			if ended {
				done = append(done, p.ID)
			}
		default:
			audiences++
			w.queue(ctx, tx, mayBeOutreach(p.Kind), func(all planStmts) *db.Stmt { return all.audience[p.Audience] }, p.ID)
			if p.Kind == notify.FollowedUserGoing {
				w.queueJoin(ctx, tx, p.ID)
			}
			done = append(done, p.ID)
		}
	}
	if len(personal) > 0 {
		w.queue(ctx, tx, outreach, func(all planStmts) *db.Stmt { return all.personal }, personal)
	}
	done = append(done, personal...)
	notify.Planned(ctx, tx, done)
	return len(done) < len(pending) || len(pending) == notify.MaxPending, nil
}

// wantedStmt is true if at least one user has switched a kind on for a channel.
var wantedStmt = db.SQL("mail.wanted", `
	SELECT EXISTS (SELECT 1 FROM notification_rules r WHERE r.kind = $1 AND r.channel = $2 AND r.mode <> 'off')`)

// unwantedKinds returns the kinds of announcements that are off for all users: the planner does not
// read their audiences.
func (w *Worker) unwantedKinds(ctx context.Context, tx db.Tx, pending []notify.Pending) (map[notify.Kind]bool, error) {
	unwanted := map[notify.Kind]bool{}
	for _, p := range pending {
		if _, known := unwanted[p.Kind]; known || p.Audience == "" {
			continue
		}
		wanted, err := w.wanted(ctx, tx, p.Kind)
		if err != nil {
			return nil, err
		}
		unwanted[p.Kind] = !wanted
	}
	return unwanted, nil
}

// wanted reports whether a channel of the worker delivers a kind to at least one user. It is true
// for an unknown kind.
func (w *Worker) wanted(ctx context.Context, tx db.Tx, kind notify.Kind) (wanted bool, err error) {
	for _, c := range w.Channels() {
		if policyOf[kind].mode(c) != Off {
			return true, nil
		}
		if err := tx.One(ctx, wantedStmt, kind, c).Scan(&wanted); wanted || err != nil {
			return wanted, err
		}
	}
	return false, nil
}

// queue queues one of the statements of each plan, those of outreach first.
func (w *Worker) queue(ctx context.Context, tx db.Tx, outreach bool, of func(planStmts) *db.Stmt, args ...any) {
	if outreach {
		for _, p := range outreachPlans {
			tx.Queue(ctx, of(p), append([]any{w.Clock.Now()}, args...)...)
		}
	}
	for _, s := range w.Senders {
		for _, p := range plans[s.Channel()] {
			if stmt := of(p); stmt != nil { // nil: nothing to plan for this audience
				tx.Queue(ctx, stmt, append([]any{w.delay(s.Channel()).Microseconds()}, args...)...)
			}
		}
	}
}

// queueJoin queues the statements that plan a join.
func (w *Worker) queueJoin(ctx context.Context, tx db.Tx, id domain.ID[any]) {
	for _, s := range w.Senders {
		tx.Queue(ctx, joinPlans[s.Channel()], w.delay(s.Channel()).Microseconds(), id)
	}
}

// delay returns how long a message waits after its notification.
func (w *Worker) delay(c Channel) time.Duration {
	if c == Email {
		return w.Grace
	}
	return 0
}

// planChunk plans the next recipients of a broadcast and reports whether they were the last.
func (w *Worker) planChunk(ctx context.Context, tx db.Tx, p notify.Pending) (ended bool, err error) {
	end := domain.LastID[domain.UserKind]()
	found, err := tx.One(ctx, chunkEndStmts[p.Audience], p.Of, p.After, planChunk-1).Find(&end)
	if err != nil {
		return false, err
	}
	w.queue(ctx, tx, mayBeOutreach(p.Kind), func(all planStmts) *db.Stmt { return all.broadcast[p.Audience] }, p.ID, p.Of, p.After, end)
	if found {
		notify.PlannedUpTo(ctx, tx, p.ID, end)
	}
	return !found, nil
}
