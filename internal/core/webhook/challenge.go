package webhook

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
	"moothall/internal/platform/seal"
)

// A webhook is pending until its server has answered a challenge: the first message. So no user
// can make the service send messages to another user's server. A new URL needs a new answer.

// kindChallenge is the kind of the message that contains the challenge. A webhook has at most one
// of them.
const kindChallenge Kind = "challenge"

// ChallengesPerUserDay limits the new challenges, because they reach servers that never asked for
// messages.
var ChallengesPerUserDay = ratelimit.Limit{
	Name: "webhook_challenges_per_user_day", What: "challenges to the servers of new or changed webhooks of one user",
	Default: ratelimit.Quota{N: 100, Window: 24 * time.Hour}, Open: true,
}

// challenge returns the text that the server must return. It depends on the URL and the time, so
// the owner of the webhook cannot know it before the server does.
func challenge(keys seal.Keys, id domain.WebhookID, address string, at time.Time) string {
	text := id.String() + "\x00" + at.UTC().Format(time.RFC3339Nano) + "\x00" + address
	return base64.RawURLEncoding.EncodeToString(keys.Derive("webhook challenge", []byte(text)))
}

// checkAnswer returns why a response is no answer: it must be a JSON object whose member challenge is that of the message.
func (m message) checkAnswer(response []byte) (failure string) {
	var answer struct {
		Challenge string `json:"challenge"`
	}
	if json.Unmarshal(response, &answer) != nil || !hmac.Equal([]byte(answer.Challenge), []byte(m.challenge)) {
		return "the response does not contain the challenge"
	}
	return ""
}

// queueChallenge queues a challenge of a webhook that has none.
func queueChallenge(ctx context.Context, tx db.Tx, id domain.WebhookID, now time.Time) {
	tx.Queue(ctx, challengeStmt, id, domain.NewID[domain.WebhookMessageKind](now), now)
	tx.Publish(topic)
}

// maySend is true for a message m that the webhook w may get: until it has answered, only the
// challenge.
const maySend = `(m.kind = 'challenge' OR NOT w.pending)`

var (
	dropChallengeStmt = db.SQL("webhook.drop_challenge", `DELETE FROM webhook_messages WHERE webhook_id = $1 AND kind = 'challenge'`)
	challengeStmt     = db.SQL("webhook.challenge", `
		INSERT INTO webhook_messages (webhook_id, id, kind, sequence, participant_count, data, attempts, due_at, created_at)
		VALUES ($1, $2, 'challenge', 0, 0, '{}', 0, $3, $3)`)

	// answeredStmt has no effect if the URL has changed since.
	answeredStmt = db.SQL("webhook.answered", `UPDATE webhooks SET pending = FALSE WHERE id = $1 AND url = $2`)
)
