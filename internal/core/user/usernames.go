package user

import (
	"context"
	"slices"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// formerFor is how long an earlier username leads to its user. Nobody else can take it during this time.
const formerFor = 90 * 24 * time.Hour

// maxFormer is how many earlier usernames one user keeps. The next change waits until one of them is free, so that nobody
// reserves names by changing theirs again and again.
const maxFormer = 10

var (
	byUsernameStmt = db.SQL("user.by_username", `
		SELECT n.until, `+Columns("p")+`
		FROM (SELECT user_id, CAST(NULL AS BIGINT) AS until FROM profiles WHERE username = $1
			UNION ALL SELECT user_id, until FROM former_usernames WHERE username = $1 AND until > $3) AS n
		JOIN profiles p ON p.user_id = n.user_id JOIN users u ON u.id = p.user_id
		WHERE u.suspended_at IS NULL AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.blocker_id = p.user_id AND b.blocked_id = $2)
		ORDER BY n.until IS NOT NULL LIMIT 1`)

	isFormerStmt = db.SQL("user.is_former_username", `
		SELECT EXISTS (SELECT 1 FROM former_usernames WHERE username = $1 AND user_id <> $2 AND until > $3)`)

	reserveStmt = db.SQL("user.reserve_username", `
		INSERT INTO former_usernames (username, user_id, until) VALUES ($1, $2, $3)
		ON CONFLICT (username) DO UPDATE SET user_id = $2, until = $3`)

	formerStmt = db.SQL("user.former_usernames", `
		SELECT username, until FROM former_usernames WHERE user_id = $1 AND until > $2 ORDER BY until, username`)

	purgeFormerStmt = db.SQL("user.purge_former_usernames", `DELETE FROM former_usernames WHERE until <= $1`)

	eraseFormerStmt = db.SQL("user.erase_former_usernames", `DELETE FROM former_usernames WHERE user_id = $1`)
)

// ByUsername is Public for the user who has a username, or had it in the last 90 days. Its case does not count.
func (s *Service) ByUsername(ctx context.Context, v domain.Viewer, name string) (Public, error) {
	if name = strings.Map(lowerASCII, name); !usernameForm.MatchString(name) {
		return Public{}, domain.NotFound
	}
	var until *time.Time
	var c ProfileColumns
	row := s.DB.One(ctx, byUsernameStmt, name, v.UserID, s.Clock.Now())
	if err := row.ScanOr(domain.NotFound, append([]any{&until}, c.Dest()...)...); err != nil {
		return Public{}, err
	}
	if until == nil {
		until = new(time.Time{})
	}
	cache.Until(ctx, *until)
	return *c.Public(), nil
}

// rename reserves the earlier username of a stored profile. It returns domain.UsernameTaken if the new one is reserved for
// somebody else, and domain.RateLimited if the user keeps maxFormer names. It checks after the profile is stored: a concurrent
// rename that frees the name has then committed its reservation.
func (s *Service) rename(ctx context.Context, tx db.Tx, earlier string, p Own) error {
	now := p.UpdatedAt
	var reserved bool
	if err := tx.One(ctx, isFormerStmt, p.Username, p.UserID, now).Scan(&reserved); err != nil {
		return err
	}
	if reserved {
		return domain.UsernameTaken
	}
	former, err := readFormer(ctx, tx, p.UserID, now)
	if err != nil {
		return err
	}
	isEarlier := func(f FormerUsername) bool { return f.Username == earlier }
	if len(former) >= maxFormer && !slices.ContainsFunc(former, isEarlier) {
		return ratelimit.RetryIn(former[0].Until.Sub(now))
	}
	tx.Queue(ctx, reserveStmt, earlier, p.UserID, now.Add(formerFor))
	if s.TestProfiles.match(p.Username) {
		tx.Queue(ctx, markTestStmt, p.UserID)
	}
	return nil
}

// FormerUsername is an earlier username of a user.
type FormerUsername struct {
	Username string    `json:"username"`
	Until    time.Time `json:"until"` // leads to the user
}

func readFormer(ctx context.Context, q db.Querier, user domain.UserID, now time.Time) ([]FormerUsername, error) {
	scan := func(row db.Row, f *FormerUsername) error { return row.Scan(&f.Username, &f.Until) }
	former, err := db.All(ctx, q, scan, formerStmt, user, now)
	return append([]FormerUsername{}, former...), err
}

// Purge deletes the earlier usernames whose time is over.
func (s *Service) Purge(ctx context.Context) error {
	_, err := s.DB.Exec(ctx, purgeFormerStmt, s.Clock.Now())
	return err
}
