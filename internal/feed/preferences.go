package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/text"
)

// Preferences say what somebody would like to find in their feed (contract
// §8). RadiusKm is in kilometres around Lat and Lng.
type Preferences struct {
	City            *string // of the profile while none was chosen
	Lat, Lng        *float64
	RadiusKm        *float64
	Categories      []string
	MutedCategories []string
	Price           string
	IncludeFollowed bool
	UpdatedAt       *time.Time // nil while nothing was ever set

	cityChosen bool
}

// anyPrice is the price that does not restrict.
const anyPrice = "any"

// Change is what to change; nil and what was not sent leaves as it is.
type Change struct {
	City            domain.Opt[string]
	Lat, Lng        domain.Opt[float64]
	RadiusKm        domain.Opt[float64]
	Categories      *[]string
	MutedCategories *[]string
	Price           *string
	IncludeFollowed *bool
}

// applied lays the change over what stands and refuses with every wrong field.
// Without a place there is no radius either.
func (c Change) applied(p Preferences) (Preferences, error) {
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
		wrong.Add("/lat", "goes together with lng")
	case p.Lat != nil && p.Lng == nil:
		wrong.Add("/lng", "goes together with lat")
	case p.Lat == nil && c.RadiusKm.Value != nil:
		wrong.Add("/radius_km", "needs lat and lng")
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

const preferencesColumns = `p.city, p.city_chosen, p.lat, p.lng, p.radius_km, p.categories, p.muted_categories, p.price, p.include_followed, p.updated_at`

var readerStmt = db.SQL("feed.reader", `
	SELECT o.city, o.interests, (SELECT COUNT(*) FROM (SELECT 1 FROM follows WHERE follower_id = $1 LIMIT `+strconv.Itoa(mostFollows)+`) AS followed),
		`+preferencesColumns+` FROM users u
	LEFT JOIN profiles o ON o.user_id = u.id LEFT JOIN feed_preferences p ON p.user_id = u.id WHERE u.id = $1`)

// background is what a feed goes by beside preferences.
type background struct {
	interests []string // of the profile
	follows   int      // how many people are followed, at most mostFollows
}

// preferences reads what a user prefers, and their background.
func preferences(ctx context.Context, q db.Querier, user domain.UserID) (p Preferences, b background, err error) {
	var city, liked, categories, muted, price *string
	var chosen, followed *bool
	err = q.One(ctx, readerStmt, user).Scan(&city, &liked, &b.follows, &p.City, &chosen, &p.Lat, &p.Lng, &p.RadiusKm, &categories, &muted, &price, &followed, &p.UpdatedAt)
	if errors.Is(err, db.ErrNoRow) {
		return p, b, domain.NotFound
	}
	if err != nil {
		return p, b, fmt.Errorf("feed.reader %s: %w", user, err)
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

// decode reads a stored list; it is never nil.
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

// setPreferences stores what changed of a user's preferences; changes of one
// user happen one after the other.
func setPreferences(ctx context.Context, tx db.Tx, user domain.UserID, c Change, now time.Time) (Preferences, error) {
	if _, err := tx.Exec(ctx, beginPreferencesStmt, user); err != nil {
		return Preferences{}, fmt.Errorf("feed.begin_preferences %s: %w", user, err)
	}
	if err := tx.One(ctx, lockPreferencesStmt, user).Scan(new(domain.UserID)); err != nil {
		return Preferences{}, fmt.Errorf("feed.lock_preferences %s: %w", user, err)
	}
	p, _, err := preferences(ctx, tx, user)
	if err != nil {
		return p, err
	}
	if p, err = c.applied(p); err != nil {
		return p, err
	}
	p.UpdatedAt = &now
	var city *string // the profile's own is not stored here
	if p.cityChosen {
		city = p.City
	}
	_, err = tx.Exec(ctx, setPreferencesStmt, user, city, p.cityChosen, p.Lat, p.Lng, p.RadiusKm, encode(p.Categories), encode(p.MutedCategories),
		p.Price, p.IncludeFollowed, now)
	if err != nil {
		return p, fmt.Errorf("feed.set_preferences %s: %w", user, err)
	}
	return p, nil
}
