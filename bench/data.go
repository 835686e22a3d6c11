package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"moothall/bench/bulk"
	"moothall/bench/dataset"
	"moothall/bench/load"
	"moothall/internal/domain"
	"moothall/internal/meetup/post"
	"moothall/internal/platform/db"
)

// epoch is the current time of every dataset, so that its data is always the same.
var epoch = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)

// facts are the seeded data that requests need.
type facts struct {
	emails []string         // of the users who sign in
	open   []domain.EventID // free events without a capacity
	common []string         // the most common words of events
	rare   []string         // words of at most 20 events
	pages  []int64          // the key of every 20th event that is listed, in their order

	attendances int
}

// maxCallers is how many users sign in: one for each caller.
const maxCallers = 256

var (
	emailsStmt = db.SQL("bench.emails", `SELECT email FROM users WHERE email_key IS NOT NULL ORDER BY email_key LIMIT 256`)
	// In the order of the ids: events of all places and times.
	openStmt = db.SQL("bench.open", `
		SELECT e.id FROM events e WHERE e.listed AND e.over_at > $1 AND e.capacity IS NULL AND e.price = 'free' ORDER BY e.id LIMIT 20000`)
	commonStmt = db.SQL("bench.common_words", `SELECT term FROM terms WHERE term LIKE 'word %' ORDER BY df DESC LIMIT 8`)
	rareStmt   = db.SQL("bench.rare_words", `SELECT term FROM terms WHERE term LIKE 'word %' AND df BETWEEN 1 AND 20 ORDER BY df DESC,
		id LIMIT 64`)
	keysStmt        = db.SQL("bench.keys", `SELECT e.starts_key FROM events e WHERE e.listed AND e.over_at > $1 ORDER BY e.starts_key`)
	attendancesStmt = db.SQL("bench.attendances", `SELECT COUNT(*) FROM participants`)
	// In the order of the ids: the first organizers are the busiest.
	organizersStmt = db.SQL("bench.organizers", `
		SELECT u.id FROM users u
		WHERE EXISTS (SELECT 1 FROM events e WHERE e.organizer_id = u.id AND e.listed)
		AND u.id <> $1 AND NOT EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = $1 AND f.followed_id = u.id)
		ORDER BY u.id LIMIT $2`)
)

func readFacts(ctx context.Context, d *db.DB, users int) (f facts, err error) {
	text := func(row db.Row, s *string) error { return row.Scan(s) }
	word := func(row db.Row, s *string) error {
		err := row.Scan(s)
		*s = strings.TrimPrefix(*s, "word ")
		return err
	}
	id := func(row db.Row, id *domain.EventID) error { return row.Scan(id) }
	key := func(row db.Row, key *int64) error { return row.Scan(key) }
	var errs [6]error
	f.emails, errs[0] = db.All(ctx, d, text, emailsStmt)
	f.open, errs[1] = db.All(ctx, d, id, openStmt, epoch.AddDate(0, 0, 2))
	f.common, errs[2] = db.All(ctx, d, word, commonStmt)
	f.rare, errs[3] = db.All(ctx, d, word, rareStmt)
	keys, err := db.All(ctx, d, key, keysStmt, epoch)
	for ; len(keys) > 0; keys = keys[min(pageSize, len(keys)):] {
		f.pages = append(f.pages, keys[0])
	}
	errs[5] = err
	errs[4] = d.One(ctx, attendancesStmt).Scan(&f.attendances)
	if err := errors.Join(errs[:]...); err != nil {
		return f, err
	}
	if len(f.emails) < users || len(f.open) < 2 || len(f.pages) < 4 || len(f.common) == 0 || len(f.rare) == 0 {
		return f, errors.New("the seeded data is too small: measure with more --events")
	}
	f.emails = f.emails[:users]
	return f, nil
}

// login is the response to a sign-in: the tokens and the user.
type login struct {
	Access      string `json:"access_token"`
	Refresh     string `json:"refresh_token"`
	CurrentUser struct {
		User struct {
			ID domain.UserID `json:"id"`
		} `json:"user"`
	} `json:"current_user"`
}

func (l login) userID() domain.UserID { return l.CurrentUser.User.ID }

// signIn signs a user in and creates the account if there is none.
func signIn(c *load.Conn, email string) (l login, err error) {
	var started struct {
		Code string `json:"dev_code"`
	}
	if err := c.Post("/auth/dev/start", "", map[string]string{"email": email}, &started); err != nil {
		return l, err
	}
	return l, c.Post("/auth/dev/verify", "", map[string]string{"email": email, "code": started.Code}, &l)
}

const (
	hostEmail     = "host@bench.example"
	followedEmail = "popular@bench.example"

	mostFollowers  = 100_000 // of one organizer
	followedDrafts = 64      // more than are ever published
	heavyFollowers = 16      // signed-in users who follow very many organizers: their feeds are the most expensive
	manyFollows    = 500
)

// prepare signs the users in and adds the data that the operations need.
func (r *runner) prepare(ctx context.Context, c ServiceConfig) (w *workload, err error) {
	w = &workload{}
	fmt.Fprintln(r.Progress, "preparing users, followers and words")
	d, err := db.Open(ctx, c.Database, db.Options{})
	if err != nil {
		return nil, err
	}
	w.facts, err = readFacts(ctx, d, r.Users)
	if err := errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	server, err := r.start(ctx, "OpenService", c)
	if err != nil {
		return nil, err
	}
	users, followed, host, err := r.prepareThroughAPI(ctx, server, w)
	if err := errors.Join(err, server.stop()); err != nil {
		return nil, err
	}
	if d, err = db.Open(ctx, c.Database, db.Options{}); err != nil {
		return nil, err
	}
	followers, err := addFollowers(ctx, d, followed, r.Followers)
	if err == nil {
		err = w.crowd.addMembers(ctx, d, followers, epoch)
	}
	if err == nil {
		err = followMany(ctx, d, users[:min(heavyFollowers, len(users))])
	}
	if err == nil {
		err = w.group.addPosts(ctx, d, host, r.Posts)
	}
	return w, errors.Join(err, d.Close())
}

// prepareThroughAPI signs the users in, creates drafts and makes the group. Only the
// service can do this.
func (r *runner) prepareThroughAPI(ctx context.Context, server *remote, w *workload) (users []login, followed, host login, err error) {
	c, err := load.Dial(ctx, server.Service, 10*load.Grace)
	if err != nil {
		return nil, followed, host, err
	}
	defer c.Close()
	var logins []login
	for _, email := range slices.Concat(w.emails, w.emails, []string{followedEmail, hostEmail, followerEmail(0)}) {
		l, err := signIn(c, email)
		if err != nil {
			return nil, followed, host, err
		}
		logins = append(logins, l)
	}
	n := len(w.emails)
	users, followed, host = logins[:n], logins[2*n], logins[2*n+1]
	for i, l := range users {
		w.tokens, w.refreshTokens = append(w.tokens, l.Access), append(w.refreshTokens, logins[n+i].Refresh)
	}
	if w.followed, err = createDrafts(c, followed, "", followedDrafts, epoch.AddDate(0, 0, 1)); err != nil {
		return nil, followed, host, err
	}
	if w.group, err = makeGroup(c, host, users[n/2:]); err != nil {
		return nil, followed, host, err
	}
	if w.crowd, err = makeCrowd(c, logins[2*n+2], followed); err != nil {
		return nil, followed, host, err
	}
	return users, followed, host, r.awaitJobs(ctx, server)
}

// createDrafts creates n drafts of events that start one hour apart, in a group if it is not empty.
func createDrafts(c *load.Conn, organizer login, group string, n int, first time.Time) ([]draft, error) {
	in := ""
	if group != "" {
		in = fmt.Sprintf(`,"group_id":%q`, group)
	}
	drafts := make([]draft, n)
	for i := range drafts {
		at := first.Add(time.Duration(i) * time.Hour).Format(time.RFC3339)
		body := fmt.Sprintf(`{"title":"An evening with many","starts_at":%q%s}`, at, in)
		created, err := c.Ask(load.Request{Method: http.MethodPost, Target: "/events", Token: organizer.Access, Body: body})
		if err != nil {
			return nil, err
		}
		id, err := textField(created, "id")
		if err != nil {
			return nil, err
		}
		drafts[i] = draft{id, organizer.Access}
	}
	return drafts, nil
}

// makeGroup lets the guests follow the host, publishes the host's events and
// lets each guest join one.
func makeGroup(c *load.Conn, host login, guests []login) (g group, err error) {
	g.guests = guests
	for _, guest := range guests {
		target := "/users/" + host.userID().String() + "/follow"
		if _, err := c.Ask(load.Request{Method: http.MethodPost, Target: target, Token: guest.Access}); err != nil {
			return g, err
		}
	}
	drafts, err := createDrafts(c, host, "", hostedEvents, epoch.AddDate(1, 0, 0)) // on no first page
	if err != nil {
		return g, err
	}
	for _, d := range drafts {
		id, err := domain.ParseID[domain.EventKind](d.id)
		if err != nil {
			return g, err
		}
		g.events = append(g.events, id)
		if _, err := c.Ask(d.publish()); err != nil {
			return g, err
		}
	}
	for i, guest := range guests {
		if _, err := c.Ask(joinRequest(g.chat(i), guest.Access)); err != nil {
			return g, err
		}
	}
	return g, nil
}

// addPosts inserts posts of the host about each event and the guests' comments.
func (g *group) addPosts(ctx context.Context, d *db.DB, host login, postsPerEvent int) error {
	var posts []dataset.Post
	for _, event := range g.events {
		for n := range postsPerEvent {
			at := epoch.Add(time.Duration(n) * time.Hour)
			p := dataset.Post{
				ID: domain.NewID[domain.PostKind](at), EventID: event, AuthorID: host.userID(), Kind: post.Plain, CreatedAt: at,
				Body: "We meet at the main entrance ten minutes before. Bring something to sit on and tell me what you do not eat.",
			}
			for i := range commentsPerPost {
				now := at.Add(time.Duration(i+1) * time.Minute)
				p.Comments = append(p.Comments, dataset.Comment{
					ID: domain.NewID[domain.CommentKind](now), AuthorID: g.guests[i%len(g.guests)].userID(), Answers: i / 2, CreatedAt: now,
					Body: fmt.Sprintf("Good to know. I bring chairs for %d, who else has some?", i),
				})
			}
			g.posts, posts = append(g.posts, p.ID), append(posts, p)
		}
	}
	return bulk.Posts(ctx, d, posts)
}

func followerEmail(n int) string { return fmt.Sprintf("follower%d@bench.example", n) }

// signInFollowers signs in the first follower who is not the owner of the crowd, a middle one and the last one.
func (w *workload) signInFollowers(ctx context.Context, address string, followers int) error {
	c, err := load.Dial(ctx, address, load.Grace)
	if err != nil {
		return err
	}
	defer c.Close()
	for _, n := range []int{1, followers / 2, followers - 1} {
		l, err := signIn(c, followerEmail(n))
		if err != nil {
			return err
		}
		w.followers = append(w.followers, l.Access)
	}
	return nil
}

// addFollowers inserts users who follow one organizer. With the owner of the crowd, who does already, they are n.
func addFollowers(ctx context.Context, d *db.DB, followed login, n int) (ids []domain.UserID, err error) {
	var users []dataset.User
	var follows []dataset.Follow
	for i := 1; i < n; i++ {
		name := fmt.Sprintf("follower%d", i)
		u := dataset.User{ID: domain.NewID[domain.UserKind](epoch), Email: followerEmail(i), DisplayName: name, Username: name, CreatedAt: epoch}
		ids, users = append(ids, u.ID), append(users, u)
		follows = append(follows, dataset.Follow{Follower: u.ID, Followed: followed.userID(), CreatedAt: epoch})
	}
	if err := bulk.Users(ctx, d, users); err != nil {
		return nil, err
	}
	return ids, bulk.Follows(ctx, d, follows)
}

// followMany lets each of the users follow many organizers.
func followMany(ctx context.Context, d *db.DB, users []login) error {
	id := func(row db.Row, id *domain.UserID) error { return row.Scan(id) }
	for _, l := range users {
		organizers, err := db.All(ctx, d, id, organizersStmt, l.userID(), manyFollows)
		if err != nil {
			return err
		}
		var follows []dataset.Follow
		for _, followed := range organizers {
			follows = append(follows, dataset.Follow{Follower: l.userID(), Followed: followed, CreatedAt: epoch.AddDate(0, 0, -1)})
		}
		if err := bulk.Follows(ctx, d, follows); err != nil {
			return err
		}
	}
	return nil
}
