package feed

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// Preferences are the feed preferences of a user (contract §8).
// RadiusKm is in kilometres around Lat and Lng.
type Preferences struct {
	City            *string // the profile's, until one is chosen
	Lat, Lng        *float64
	RadiusKm        *float64
	Categories      []string
	MutedCategories []string
	Price           string
	IncludeFollowed bool
	UpdatedAt       *time.Time // nil until preferences are set

	cityChosen bool
}

// anyPrice is the price preference that does not restrict.
const anyPrice = "any"

// Change contains the preferences to change. A nil field, or one that was not
// sent, keeps its value.
type Change struct {
	City            domain.Opt[string]
	Lat, Lng        domain.Opt[float64]
	RadiusKm        domain.Opt[float64]
	Categories      *[]string
	MutedCategories *[]string
	Price           *string
	IncludeFollowed *bool
}

// apply returns the changed preferences, or all invalid fields in one error.
// Without coordinates there is no radius either.
func (c Change) apply(p Preferences) (Preferences, error) {
	var wrong domain.Problems
	text.Clean(&wrong, "/city", &c.City.Value, text.Line(1, 120))
	if c.City.SetOrClear(&p.City) {
		p.cityChosen = true
	}
	c.Lat.SetOrClear(&p.Lat)
	c.Lng.SetOrClear(&p.Lng)
	c.RadiusKm.SetOrClear(&p.RadiusKm)
	switch {
	case p.Lat == nil && p.Lng != nil:
		wrong.Add("/lat", "must be set together with lng", "/lng")
	case p.Lat != nil && p.Lng == nil:
		wrong.Add("/lng", "must be set together with lat", "/lat")
	case p.Lat == nil && c.RadiusKm.Value != nil:
		wrong.Add("/radius_km", "must be set together with lat and lng", "/lat", "/lng")
	case p.Lat == nil:
		p.RadiusKm = nil
	}
	text.CleanList(&wrong, "/categories", &c.Categories, maxCategories, text.Line(1, 80))
	text.CleanList(&wrong, "/muted_categories", &c.MutedCategories, maxCategories, text.Line(1, 80))
	if c.Categories != nil {
		p.Categories = *c.Categories
	}
	if c.MutedCategories != nil {
		p.MutedCategories = *c.MutedCategories
	}
	if c.Price != nil {
		p.Price = *c.Price
	}
	if c.IncludeFollowed != nil {
		p.IncludeFollowed = *c.IncludeFollowed
	}
	return p, wrong.Err()
}

const maxCategories = 20

func (c Change) isEmpty() bool { return c == Change{} }

var readerStmt = db.SQL("feed.reader", `
	SELECT o.city, o.interests, (SELECT COUNT(*) FROM (SELECT 1 FROM follows WHERE follower_id = $1 LIMIT `+strconv.Itoa(maxFollows)+
	`) AS followed),
		p.city, p.city_chosen, p.lat, p.lng, p.radius_km, p.categories, p.muted_categories, p.price, p.include_followed, p.updated_at
	 FROM users u
	LEFT JOIN profiles o ON o.user_id = u.id LEFT JOIN feed_preferences p ON p.user_id = u.id WHERE u.id = $1`)

// background is the data besides preferences that determines a feed.
type background struct {
	interests []string // of the profile
	follows   int      // number of followed people, at most maxFollows
}

// readPreferences returns the preferences and background of a user, or
// domain.NotFound.
func readPreferences(ctx context.Context, q db.Querier, user domain.UserID) (p Preferences, b background, err error) {
	var city, liked, categories, muted, price *string
	var chosen, followed *bool
	err = q.One(ctx, readerStmt, user).ScanOr(domain.NotFound, &city, &liked, &b.follows, &p.City, &chosen, &p.Lat, &p.Lng, &p.RadiusKm,
		&categories, &muted, &price, &followed, &p.UpdatedAt)
	if err != nil {
		return p, b, err
	}
	p.Categories, p.MutedCategories, p.Price, p.IncludeFollowed = decode(categories), decode(muted), anyPrice, true
	if chosen != nil {
		p.cityChosen, p.Price, p.IncludeFollowed = *chosen, *price, *followed
	}
	if !p.cityChosen {
		p.City = city
	}
	b.interests = decode(liked)
	return p, b, nil
}

// decode parses a stored list; the result is never nil.
func decode(stored *string) []string {
	list := []string{}
	if stored != nil {
		_ = json.Unmarshal([]byte(*stored), &list) // written by encode
	}
	return list
}

func encode(list []string) string {
	encoded, _ := json.Marshal(list) // strings always encode
	return string(encoded)
}

var beginPreferencesStmt = db.SQL("feed.begin_preferences", `
	INSERT INTO feed_preferences (user_id, city_chosen, categories, muted_categories, price, include_followed)
	VALUES ($1, FALSE, '[]', '[]', 'any', TRUE) ON CONFLICT (user_id) DO NOTHING`)

var lockPreferencesStmt = db.SQL("feed.lock_preferences", `SELECT user_id FROM feed_preferences WHERE user_id = $1 FOR UPDATE`)

var setPreferencesStmt = db.SQL("feed.set_preferences", `
	UPDATE feed_preferences SET city = $2, city_chosen = $3, lat = $4, lng = $5, radius_km = $6, categories = $7, muted_categories = $8,
		price = $9, include_followed = $10, updated_at = $11 WHERE user_id = $1`)

// setPreferences stores a change of a user's preferences. It locks the row, which
// serializes the changes of one user.
func setPreferences(ctx context.Context, tx db.Tx, user domain.UserID, c Change, now time.Time) (Preferences, error) {
	if _, err := tx.Exec(ctx, beginPreferencesStmt, user); err != nil {
		return Preferences{}, err
	}
	if err := tx.One(ctx, lockPreferencesStmt, user).Scan(new(domain.UserID)); err != nil {
		return Preferences{}, err
	}
	p, _, err := readPreferences(ctx, tx, user)
	if err != nil {
		return p, err
	}
	if p, err = c.apply(p); err != nil {
		return p, err
	}
	p.UpdatedAt = &now
	var city *string // the profile's city is not stored
	if p.cityChosen {
		city = p.City
	}
	_, err = tx.Exec(ctx, setPreferencesStmt, user, city, p.cityChosen, p.Lat, p.Lng, p.RadiusKm, encode(p.Categories),
		encode(p.MutedCategories),
		p.Price, p.IncludeFollowed, now)
	return p, err
}

// exported is the feed preferences in an account export.
type exported struct {
	City            *string    `json:"city"`
	Lat             *float64   `json:"lat"`
	Lng             *float64   `json:"lng"`
	RadiusKm        *float64   `json:"radius_km"`
	Categories      []string   `json:"categories"`
	MutedCategories []string   `json:"muted_categories"`
	Price           string     `json:"price"`
	IncludeFollowed bool       `json:"include_followed"`
	UpdatedAt       *time.Time `json:"updated_at"`
}

// Export returns a user's feed preferences, nil if there is no such user.
func Export(ctx context.Context, q db.Querier, user domain.UserID) (any, error) {
	p, _, err := readPreferences(ctx, q, user)
	if errors.Is(err, domain.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return exported{p.City, p.Lat, p.Lng, p.RadiusKm, p.Categories, p.MutedCategories, p.Price, p.IncludeFollowed, p.UpdatedAt}, nil
}

var eraseStmt = db.SQL("feed.erase", `DELETE FROM feed_preferences WHERE user_id = $1`)

// Erase deletes a user's feed preferences.
func Erase(ctx context.Context, tx db.Tx, user domain.UserID, _ time.Time) error {
	_, err := tx.Exec(ctx, eraseStmt, user)
	return err
}
