package mail

import (
	"context"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/meetup/chat"
	"moothall/internal/platform/db"
)

// Unread chat messages create no notification in the app. Their deliveries use chatKey as the id of
// the notification, and the time up to which the user has read the chat as about_at. So a user gets
// one delivery until they read the chat.

// chatKey converts the id of an event to the id of its chat, and back. A UUIDv7 becomes a UUIDv8,
// so that deliveries about the event itself have another key.
func chatKey[kind any](id domain.ID[kind]) domain.ID[kind] {
	id[6] ^= 0xf0
	return id
}

// chatPlans insert the deliveries of a chat.Check. The arguments are event, since, until, due time,
// expiry and chatKey.
var chatPlans = map[Channel]*db.Stmt{Email: newChatPlan(Email), Push: newChatPlan(Push)}

func newChatPlan(c Channel) *db.Stmt {
	standard := string(policyOf[notify.ChatUnread].mode(c))
	return db.SQL("mail.plan_chat_"+string(c), `
		INSERT INTO deliveries (user_id, notification_id, about_at, channel, target, kind, state, due_at, expires_at, attempts)
		SELECT n.user_id, CAST($6 AS UUID), n.read_at, '`+string(c)+`', `+targets[c].target+`, 'chat_unread', 'waiting', CAST($4 AS BIGINT),
			CAST($5 AS BIGINT), 0
		FROM (`+chat.NonreadersSQL("$1", "$2", "$3")+`) AS n
		`+targets[c].join+`
		LEFT JOIN notification_rules rule ON rule.user_id = n.user_id AND rule.kind = 'chat_unread' AND rule.channel = '`+string(c)+`'
		WHERE COALESCE(rule.mode, '`+standard+`') <> 'off'
			AND NOT EXISTS (SELECT 1 FROM muted_events muted WHERE muted.user_id = n.user_id AND muted.event_id = $1)
		ON CONFLICT (user_id, notification_id, about_at, channel, target) DO NOTHING`)
}

// planChats plans the deliveries about chats whose messages have waited long enough.
func (w *Worker) planChats(ctx context.Context) (more bool, err error) {
	now := w.Clock.Now()
	due, err := chat.DueChecks(ctx, w.DB, now)
	for _, c := range due {
		err := w.DB.InTx(ctx, func(tx db.Tx) error {
			for _, s := range w.Senders {
				tx.Queue(ctx, chatPlans[s.Channel()], c.EventID, c.Since, c.Until, now, now.Add(lifetime), chatKey(c.EventID))
			}
			chat.Checked(ctx, tx, c)
			tx.Publish(plannedTopic)
			return nil
		})
		if err != nil {
			return false, err
		}
	}
	return len(due) > 0, err
}

// chatFactsStmt reads the facts of a delivery about a chat. The arguments are user, event, now, and
// the time up to which the user had read. There is no row unless the user is a member of the chat.
var chatFactsStmt = db.SQL("mail.chat_facts", `
	SELECT e.id, e.title, `+access.StatusSQL("e", "$3")+`, e.starts_at,
		EXISTS (SELECT 1 FROM muted_events m WHERE m.user_id = $1 AND m.event_id = e.id),
		(SELECT r.read_at FROM chat_reads r WHERE r.user_id = $1 AND r.event_id = e.id AND r.read_at > $4)
	FROM events e
	WHERE e.id = $2 AND `+access.SeesEvent("e", "$1")+` AND (`+access.HostsSQL("e", "$1")+` OR `+access.Going("e", "$1")+` OR EXISTS (
		SELECT 1 FROM invitations v WHERE v.event_id = e.id AND v.user_id = $1 AND v.status IN ('accepted', 'tentative')))`)

// readChat adds the facts and the text of a delivery about a chat. A delivery without a text is
// skipped.
func (w *Worker) readChat(ctx context.Context, one delivery, f *candidate, now time.Time) error {
	id := domain.EventID(chatKey(one.notification))
	var title string
	member, err := w.DB.One(ctx, chatFactsStmt, one.user, id, now, one.about).Find(&f.eventID, &title, &f.status, &f.startsAt, &f.muted,
		&f.readAt)
	if err != nil || !member {
		return err
	}
	f.createdAt, f.attends = &one.about, true
	c, err := chat.Preview(ctx, w.DB, one.user, id)
	if err != nil || c.Unread == 0 || c.Last == nil {
		return err
	}
	item := notify.NewChatItem(f.reader(), id, title, c.Unread, c.Last.Author, c.Last.Body, c.Last.CreatedAt)
	f.item = &item
	return nil
}
