package notify

import (
	"context"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// Published topics say whose list of notifications may have changed.

const (
	userTopic     = "notify:"
	audienceTopic = "notify."
)

// Topic says that the list of one user may have changed.
func Topic(user domain.UserID) db.Topic {
	return db.Topic{Name: userTopic + user.String(), Shared: true}
}

// topic says that the lists of the members of an audience may have changed.
func (a Audience) topic() db.Topic {
	return db.Topic{Name: audienceTopic + a.kind + ":" + a.of.String(), Shared: true}
}

// Recipients are those whose lists may have changed: one user, or an audience.
type Recipients struct {
	User     domain.UserID // zero: an audience
	Audience string
	Of       domain.ID[any]
}

// ParseTopic returns the recipients of a topic; ok is false if the topic is not of this package.
func ParseTopic(name string) (r Recipients, ok bool) {
	if text, isUser := strings.CutPrefix(name, userTopic); isUser {
		id, err := domain.ParseID[domain.UserKind](text)
		return Recipients{User: id}, err == nil
	}
	text, isAudience := strings.CutPrefix(name, audienceTopic)
	kind, of, _ := strings.Cut(text, ":")
	id, err := domain.ParseID[any](of)
	return Recipients{Audience: kind, Of: id}, isAudience && err == nil && membersSQL[kind] != ""
}

var membersStmts = perAudience(func(kind string) *db.Stmt {
	return db.SQL("notify.members."+kind, `SELECT l.value FROM ids($2) AS l WHERE l.value IN (`+MembersSQL(kind, "$1")+`)`)
})

// Members returns those of some users who are members of the audience.
func (r Recipients) Members(ctx context.Context, q db.Querier, of []domain.UserID) ([]domain.UserID, error) {
	return db.Values[domain.UserID](ctx, q, membersStmts[r.Audience], r.Of, of)
}
