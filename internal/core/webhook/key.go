package webhook

import (
	"context"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// readScopes are the scopes with which an API key reads what the messages of a kind show.
var readScopes = map[Kind]string{
	EventCreated: "events:read", EventPublished: "events:read", EventUpdated: "events:read", EventCanceled: "events:read",
	EventCompleted: "events:read", DateSelected: "events:read",
	HostInvited: "events:read", HostJoined: "events:read", HostLeft: "events:read",
	AttendanceJoined: "attendance:read", AttendanceLeft: "attendance:read", InvitationAnswered: "attendance:read",
	WaitlistEntered: "attendance:read", WaitlistOffered: "attendance:read", WaitlistEnded: "attendance:read",
	AttendanceRequested: "attendance:read",
	PostCreated:         "posts:read", PostDeleted: "posts:read", CommentCreated: "posts:read", ReviewCreated: "reviews:read",
}

// mayReceive returns a domain.Forbidden if the viewer uses an API key that cannot read what the
// webhook shows. No key may have incognito participants named.
func mayReceive(v domain.Viewer, w Webhook) error {
	if v.Key == nil {
		return nil
	}
	for _, kind := range w.Kinds {
		if !v.Key.Allows(readScopes[kind]) {
			return domain.Forbid(domain.InsufficientScope)
		}
	}
	if w.IncludeIncognito {
		return domain.Forbid(domain.InsufficientScope)
	}
	return nil
}

// keyID returns the id of the viewer's API key, or nil.
func keyID(v domain.Viewer) *domain.APIKeyID {
	if v.Key == nil {
		return nil
	}
	return &v.Key.ID
}

// OfKey is a webhook that an API key has created.
type OfKey struct {
	ID  domain.WebhookID
	URL string
}

// OfKeys returns the webhooks of a user that API keys have created, the oldest first.
func OfKeys(ctx context.Context, q db.Querier, user domain.UserID) (map[domain.APIKeyID][]OfKey, error) {
	all, err := list(ctx, q, user)
	byKey := map[domain.APIKeyID][]OfKey{}
	for _, w := range all {
		if w.APIKeyID != nil {
			byKey[*w.APIKeyID] = append(byKey[*w.APIKeyID], OfKey{w.ID, w.URL})
		}
	}
	return byKey, err
}

var deleteOfKeyStmts = []*db.Stmt{
	db.SQL("webhook.delete_messages_of_key", `
		DELETE FROM webhook_messages WHERE webhook_id IN (SELECT w.id FROM webhooks w WHERE w.user_id = $1 AND w.api_key_id = $2)`),
	db.SQL("webhook.delete_attempts_of_key", `
		DELETE FROM webhook_attempts WHERE webhook_id IN (SELECT w.id FROM webhooks w WHERE w.user_id = $1 AND w.api_key_id = $2)`),
	db.SQL("webhook.delete_of_key", `DELETE FROM webhooks WHERE user_id = $1 AND api_key_id = $2`),
}

// DeleteOfKey deletes the webhooks of a user that an API key has created.
func DeleteOfKey(ctx context.Context, tx db.Tx, user domain.UserID, key domain.APIKeyID) {
	for _, stmt := range deleteOfKeyStmts {
		tx.Queue(ctx, stmt, user, key)
	}
}
