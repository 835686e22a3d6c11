package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// facts are what requests are made of: taken from the seeded world before the
// service runs.
type facts struct {
	people   []string         // e-mail addresses
	open     []domain.EventID // events that anybody can join, any number of people
	common   []string         // words that very many events have
	rare     []string         // words that few have
	apart    []string         // two of the common ones each that few events have both of
	misspelt []string         // common ones

	attendances int
}

// MostPeople is how many can sign in.
const MostPeople = 256

var (
	// In the order of the names: people of all cities, active ones or not.
	peopleStmt = db.SQL("bench.people", `SELECT email FROM users WHERE email_key IS NOT NULL ORDER BY email_key LIMIT 256`)
	// In the order of the ids: events of all places and times.
	openStmt = db.SQL("bench.open", `
		SELECT e.id FROM events e WHERE e.listed AND e.over_at > $1 AND e.capacity IS NULL AND e.price = 'free' ORDER BY e.id LIMIT 20000`)
	commonStmt = db.SQL("bench.common_words", `SELECT term FROM terms WHERE term LIKE 'word %' ORDER BY df DESC LIMIT 64`)
	rareStmt   = db.SQL("bench.rare_words", `SELECT term FROM terms WHERE term LIKE 'word %' AND df BETWEEN 1 AND 20 ORDER BY df DESC, id LIMIT 64`)
	// How many events have both words, as far as that is few.
	togetherStmt = db.SQL("bench.together", `
		SELECT COUNT(*) FROM (
			SELECT 1 FROM event_terms a WHERE a.term_id = (SELECT id FROM terms WHERE term = $1)
			AND EXISTS (SELECT 1 FROM event_terms b WHERE b.term_id = (SELECT id FROM terms WHERE term = $2) AND b.starts_key = a.starts_key)
			LIMIT 1000) AS few`)
	attendancesStmt = db.SQL("bench.attendances", `SELECT COUNT(*) FROM participants`)
)

// Of the commonest words so many are asked for, and so many pairs of them.
const (
	commonest = 8
	pairs     = 4
)

func readFacts(ctx context.Context, url string, people int) (f facts, err error) {
	d, err := db.Open(ctx, url, db.Options{})
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	text := func(row db.Row, s *string) error { return row.Scan(s) }
	id := func(row db.Row, id *domain.EventID) error { return row.Scan(id) }
	if f.people, err = db.All(ctx, d, text, peopleStmt); err != nil {
		return f, err
	}
	if f.open, err = db.All(ctx, d, id, openStmt, epoch.AddDate(0, 0, 2)); err != nil {
		return f, err
	}
	if err := d.One(ctx, attendancesStmt).Scan(&f.attendances); err != nil {
		return f, err
	}
	if f.rare, err = words(ctx, d, rareStmt); err != nil {
		return f, err
	}
	if err := f.readCommon(ctx, d); err != nil {
		return f, err
	}
	if len(f.people) < people || len(f.open) < 2 || len(f.apart) == 0 || len(f.misspelt) == 0 || len(f.rare) == 0 {
		return f, fmt.Errorf("bench: the seeded world is too small")
	}
	f.people = f.people[:people]
	return f, nil
}

// words gives terms without what marks them as words.
func words(ctx context.Context, d *db.DB, s *db.Stmt) ([]string, error) {
	return db.All(ctx, d, func(row db.Row, word *string) error {
		err := row.Scan(word)
		*word = strings.TrimPrefix(*word, "word ")
		return err
	}, s)
}

// readCommon chooses among the commonest words.
func (f *facts) readCommon(ctx context.Context, d *db.DB) error {
	common, err := words(ctx, d, commonStmt)
	if err != nil {
		return err
	}
	f.common = common[:min(commonest, len(common))]
	for _, word := range common {
		if len([]rune(word)) > 5 && len(f.misspelt) < commonest {
			f.misspelt = append(f.misspelt, misspell(word))
		}
	}
	met := map[string]int{}
	for i, word := range f.common {
		for _, other := range f.common[:i] {
			var n int
			if err := d.One(ctx, togetherStmt, "word "+word, "word "+other).Scan(&n); err != nil {
				return err
			}
			f.apart, met[word+" "+other] = append(f.apart, word+" "+other), n
		}
	}
	slices.SortStableFunc(f.apart, func(a, b string) int { return met[a] - met[b] })
	f.apart = f.apart[:min(pairs, len(f.apart))]
	return nil
}

// misspell has two letters of a word the wrong way round, not the first.
func misspell(word string) string {
	letters := []rune(word)
	for i := 1; i+1 < len(letters); i++ {
		if letters[i] != letters[i+1] {
			letters[i], letters[i+1] = letters[i+1], letters[i]
			break
		}
	}
	return string(letters)
}

// login is the tokens of one session.
type login struct {
	Access      string `json:"access_token"`
	Refresh     string `json:"refresh_token"`
	CurrentUser struct {
		User struct {
			ID string `json:"id"`
		} `json:"user"`
	} `json:"current_user"`
}

// signIn signs everybody in through the API.
func signIn(ctx context.Context, address string, emails []string) ([]login, error) {
	c, err := dial(ctx, address, patience)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.net.Close() }()
	logins := make([]login, len(emails))
	for i, email := range emails {
		var started struct {
			Code string `json:"dev_code"`
		}
		if err := c.post("/auth/dev/start", map[string]string{"email": email}, &started); err != nil {
			return nil, err
		}
		if err := c.post("/auth/dev/verify", map[string]string{"email": email, "code": started.Code}, &logins[i]); err != nil {
			return nil, err
		}
	}
	return logins, nil
}

func (c *conn) post(target string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	reply, err := c.ask(request{method: "POST", target: target, body: string(text)})
	if err != nil {
		return err
	}
	return json.Unmarshal(reply, answer)
}
