package notify

import (
	"context"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Signals tell listeners in all processes whose list may have changed.

const (
	userTopic     = "notify:"
	audienceTopic = "notify."
)

// Topic is the signal that the list of one user may have changed.
func Topic(user domain.UserID) string { return userTopic + user.String() }

// topic is the signal that the lists of the members of an audience may have changed.
func (a Audience) topic() string { return audienceTopic + a.kind + ":" + a.of.String() }

// Signaled is what a signal of this package is about: one user, or an audience.
type Signaled struct {
	User     domain.UserID // zero: an audience
	Audience string
	Of       domain.ID[any]
}

// ReadSignal returns what a signal is about; ok is false if it is not of this package.
func ReadSignal(topic string) (s Signaled, ok bool) {
	if text, isUser := strings.CutPrefix(topic, userTopic); isUser {
		id, err := domain.ParseID[domain.UserKind](text)
		return Signaled{User: id}, err == nil
	}
	text, isAudience := strings.CutPrefix(topic, audienceTopic)
	kind, of, _ := strings.Cut(text, ":")
	id, err := domain.ParseID[any](of)
	return Signaled{Audience: kind, Of: id}, isAudience && err == nil && membersSQL[kind] != ""
}

var membersStmts = func() map[string]*db.Stmt {
	all := map[string]*db.Stmt{}
	for kind := range membersSQL {
		all[kind] = db.SQL("notify.members."+kind, `SELECT l.value FROM ids($2) AS l WHERE l.value IN (`+MembersSQL(kind, "$1")+`)`)
	}
	return all
}()

// Members returns those of some users who are members of a signaled audience.
func (s Signaled) Members(ctx context.Context, q db.Querier, of []domain.UserID) ([]domain.UserID, error) {
	scan := func(row db.Row, id *domain.UserID) error { return row.Scan(id) }
	return db.All(ctx, q, scan, membersStmts[s.Audience], s.Of, of)
}
