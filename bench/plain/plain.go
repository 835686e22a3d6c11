// Package plain is the peer of the service: the handlers that a Go programmer writes
// first, with net/http, database/sql, encoding/json, obvious statements and indexes. They
// cache nothing and check nothing but the session and whether an event is listed.
package plain

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	_ "embed" // schema.sql
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"moothall/bench/floor"
	"moothall/internal/domain"
)

//go:embed schema.sql
var schema string

// dialect is what differs between the engines: some indexes, and the condition of the
// text search. SQLite is faster without an index of places, and without ANALYZE: with its
// statistics it prepares some statements again for each value.
type dialect struct{ indexes, matches string }

const searched = `title || ' ' || COALESCE(description, '') || ' ' || COALESCE(city, '') || ' ' || COALESCE(location_text, '')`

var (
	sqlite = dialect{
		`CREATE VIRTUAL TABLE search USING fts5 (words, content = '');
		INSERT INTO search (rowid, words) SELECT rowid, ` + searched + ` FROM events WHERE listed`,
		`e.rowid IN (SELECT rowid FROM search WHERE search MATCH '"' || %s || '"')`,
	}
	postgres = dialect{
		`ALTER TABLE events ADD COLUMN search TSVECTOR GENERATED ALWAYS AS (to_tsvector('simple', ` + searched + `)) STORED;
		CREATE INDEX events_search ON events USING GIN (search) WHERE listed;
		CREATE INDEX events_place ON events (lat, lng) WHERE listed; ANALYZE users, events, participants, sessions`,
		`e.search @@ plainto_tsquery('simple', %s)`,
	}
)

func dialectOf(url string) dialect {
	if strings.HasPrefix(url, "sqlite:") {
		return sqlite
	}
	return postgres
}

// Fill creates the tables in a database and fills them from the tables of the service.
// attach is the statement that makes these visible as schema src.
func Fill(ctx context.Context, url, attach string) (err error) {
	d, err := floor.Open(url)
	if err != nil {
		return err
	}
	for _, script := range []string{attach, schema, dialectOf(url).indexes} {
		if err == nil {
			_, err = d.Writer.ExecContext(ctx, script)
		}
	}
	return errors.Join(err, d.Close())
}

// server is the handlers and their database.
type server struct {
	floor.Database
	dialect
	now      domain.Clock
	mu       sync.Mutex
	prepared map[string]*sql.Stmt // by text
}

// New returns the handlers of a filled database.
func New(d floor.Database, url string, now domain.Clock) http.Handler {
	s := &server{Database: d, dialect: dialectOf(url), now: now, prepared: map[string]*sql.Stmt{}}
	mux := http.NewServeMux()
	mux.Handle("GET /events", handler(s.list))
	mux.Handle("GET /events/{id}", handler(s.detail))
	mux.Handle("POST /events", handler(s.create))
	mux.Handle("POST /events/{id}/join", handler(s.join))
	mux.Handle("POST /auth/refresh", handler(s.refresh))
	return mux
}

// handler writes the response as JSON.
type handler func(*http.Request) (any, error)

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	response, err := h(r)
	status := http.StatusOK
	switch {
	case errors.Is(err, sql.ErrNoRows) && r.Method == http.MethodGet:
		status = http.StatusNotFound
	case errors.Is(err, sql.ErrNoRows):
		status = http.StatusForbidden
	case err != nil:
		status = http.StatusBadRequest
	}
	if err != nil {
		response = map[string]string{"error": err.Error()}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(response) // a client that has gone needs no response
}

// prepare returns a statement that is prepared once.
func (s *server) prepare(ctx context.Context, d *sql.DB, text string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.prepared[text]; known != nil {
		return known, nil
	}
	stmt, err := d.PrepareContext(ctx, text) //nolint:gosec // values are parameters
	if err == nil {
		s.prepared[text] = stmt
	}
	return stmt, err
}

// one reads one row.
func (s *server) one(ctx context.Context, dest []any, text string, args ...any) error {
	stmt, err := s.prepare(ctx, s.Reader, text)
	if err != nil {
		return err
	}
	return stmt.QueryRowContext(ctx, args...).Scan(dest...)
}

// change runs a statement that changes one row.
func (s *server) change(ctx context.Context, text string, args ...any) error {
	stmt, err := s.prepare(ctx, s.Writer, text)
	if err != nil {
		return err
	}
	return changed(stmt.ExecContext(ctx, args...))
}

func changed(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); n > 0 || err != nil {
		return err
	}
	return sql.ErrNoRows
}

func (s *server) signedIn(r *http.Request) (user profile, err error) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	err = s.one(r.Context(), user.dest(), `SELECT `+profileColumns+` FROM sessions s JOIN users o ON o.id = s.user_id
		WHERE s.access_hash = $1`, hash(token))
	return user, err
}

func hash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

func (s *server) detail(r *http.Request) (any, error) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	d := details{card: card{Context: feedContext{Reasons: []string{}}}}
	err = s.one(r.Context(), d.dest(), selectDetails+` AND e.id = $1`, id[:])
	d.CanJoin = d.Capacity == nil || d.Count < *d.Capacity
	return d, err
}

func (s *server) join(r *http.Request) (any, error) {
	ctx := r.Context()
	user, err := s.signedIn(r)
	if err != nil {
		return nil, err
	}
	p := participation{UserID: user.ID, Status: "going", JoinedAt: s.now()}
	event, err := uuid.Parse(r.PathValue("id"))
	if err := errors.Join(err, json.NewDecoder(r.Body).Decode(&p)); err != nil {
		return nil, err
	}
	p.EventID = event
	// Before the transaction, which takes a connection.
	insert, err := s.prepare(ctx, s.Writer,
		`INSERT INTO participants (event_id, user_id, visibility, joined_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`)
	if err != nil {
		return nil, err
	}
	count, err := s.prepare(ctx, s.Writer,
		`UPDATE events SET going = going + 1 WHERE id = $1 AND listed AND (capacity IS NULL OR going < capacity)`)
	if err != nil {
		return nil, err
	}
	tx, err := s.Writer.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after the commit
	err = changed(tx.StmtContext(ctx, insert).ExecContext(ctx, event[:], user.ID[:], p.Visibility, p.JoinedAt.UnixMicro()))
	if errors.Is(err, sql.ErrNoRows) {
		return p, nil // joined before
	}
	if err == nil {
		err = changed(tx.StmtContext(ctx, count).ExecContext(ctx, event[:]))
	}
	if err != nil {
		return nil, err
	}
	return p, tx.Commit()
}

func (s *server) create(r *http.Request) (any, error) {
	user, err := s.signedIn(r)
	if err != nil {
		return nil, err
	}
	var in struct {
		Title       string
		Description *string
		Category    *string
		StartsAt    time.Time `json:"starts_at"`
		location
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	now, key := s.now().UnixMicro(), in.StartsAt.UnixMicro()
	d := details{card: card{Organizer: user, Location: in.location, Context: feedContext{Reasons: []string{}}}, IsOrganizer: true}
	d.Event = core{
		ID: uuid.Must(uuid.NewV7()), Title: in.Title, Description: in.Description, Category: in.Category, StartsAt: micros(key), Timezone: "UTC",
		Status: "draft", Price: "free", Visibility: "public", DateMode: "fixed", OrganizerID: user.ID, CreatedAt: micros(now),
	}
	return d, s.change(r.Context(), `INSERT INTO events (id, organizer_id, status, visibility, listed, title, description,
		category, starts_at, over_at, starts_key, timezone, date_mode, price, city, location_text, lat, lng, created_at, going)
		VALUES ($1, $2, 'draft', 'public', FALSE, $3, $4, $5, $6, $7, $8, 'UTC', 'fixed', 'free', $9, $10, $11, $12, $13, 0)`,
		d.Event.ID[:], user.ID[:], in.Title, in.Description, in.Category, key, in.StartsAt.Add(3*time.Hour).UnixMicro(), in.StartsAt.UnixNano(),
		in.City, in.Text, in.Lat, in.Lng, now)
}

func (s *server) refresh(r *http.Request) (any, error) {
	var in, pair tokens
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	now := s.now()
	pair = tokens{Access: rand.Text(), Refresh: rand.Text(), Expires: now.Add(time.Hour), RefreshExpires: now.AddDate(0, 1, 0)}
	return pair, s.change(r.Context(), `UPDATE sessions SET access_hash = $1, refresh_hash = $2, used_at = $3 WHERE refresh_hash = $4`,
		hash(pair.Access), hash(pair.Refresh), now.UnixMicro(), hash(in.Refresh))
}

// list finds events in the order of their start, 20 a page.
func (s *server) list(r *http.Request) (any, error) {
	const pageSize = 20
	ctx := r.Context()
	q, err := parse(r.URL.Query())
	if err != nil {
		return nil, err
	}
	var args []any
	arg := func(v any) string {
		args = append(args, v)
		return fmt.Sprint("$", len(args))
	}
	text := selectCards + ` AND e.over_at > ` + arg(s.now().UnixMicro()) + ` AND e.starts_key > ` + arg(q.after)
	if q.city != "" {
		text += ` AND e.city = ` + arg(q.city)
	}
	if q.words != "" {
		text += ` AND ` + fmt.Sprintf(s.matches, arg(q.words))
	}
	if q.km > 0 {
		text += q.near(arg)
	}
	stmt, err := s.prepare(ctx, s.Reader, text+fmt.Sprint(` ORDER BY e.starts_key LIMIT `, pageSize+1))
	if err != nil {
		return nil, err
	}
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // repeats Err
	p := page{Items: make([]*card, 0, pageSize+1)}
	for rows.Next() {
		c := &card{Context: feedContext{Reasons: []string{}}}
		if err := rows.Scan(c.dest()...); err != nil {
			return nil, err
		}
		if q.km > 0 {
			c.Context.Distance = new(q.distance(*c.Location.Lat, *c.Location.Lng))
		}
		p.Items = append(p.Items, c)
	}
	if len(p.Items) > pageSize {
		p.Items = p.Items[:pageSize]
		p.Next = new(time.Unix(0, p.Items[pageSize-1].key).UTC())
	}
	return p, rows.Err()
}
