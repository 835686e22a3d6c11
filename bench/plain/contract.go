package plain

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// The JSON of the contract.
type (
	page struct {
		Items []*card    `json:"items"`
		Next  *time.Time `json:"next_cursor"`
	}
	card struct {
		Event     core        `json:"event"`
		Location  location    `json:"location"`
		Organizer profile     `json:"organizer"`
		Count     int64       `json:"participant_count"`
		Context   feedContext `json:"feed_context"`
		key       int64       // starts_key
	}
	core struct {
		ID            uuid.UUID `json:"id"`
		Title         string    `json:"title"`
		Description   *string   `json:"description,omitempty"`
		StartsAt      micros    `json:"starts_at"`
		EndsAt        micros    `json:"ends_at"`
		Timezone      string    `json:"timezone"`
		ImageURL      *string   `json:"image_url"`
		Status        string    `json:"status"`
		Category      *string   `json:"category"`
		Price         string    `json:"price"`
		PriceAmount   *int64    `json:"price_amount"`
		PriceCurrency *string   `json:"price_currency"`
		Visibility    string    `json:"visibility"`
		DateMode      string    `json:"date_mode"`
		OrganizerID   uuid.UUID `json:"organizer_id"`
		CreatedAt     micros    `json:"created_at,omitzero"`
	}
	location struct {
		City *string  `json:"city"`
		Text *string  `json:"location_text,omitempty"`
		Lat  *float64 `json:"lat"`
		Lng  *float64 `json:"lng"`
	}
	profile struct {
		ID          uuid.UUID `json:"user_id"`
		DisplayName string    `json:"display_name"`
		Username    string    `json:"username"`
		AvatarURL   *string   `json:"avatar_url"`
		City        *string   `json:"city"`
		Interests   rawJSON   `json:"interests"`
	}
	feedContext struct {
		Going    bool     `json:"viewer_going"`
		Reasons  []string `json:"reasons"`
		Distance *float64 `json:"distance_km,omitempty"`
	}
	details struct {
		card

		Capacity    *int64 `json:"capacity"`
		IsOrganizer bool   `json:"viewer_is_organizer"`
		CanJoin     bool   `json:"viewer_can_join"`
	}
	participation struct {
		EventID    uuid.UUID `json:"event_id"`
		UserID     uuid.UUID `json:"user_id"`
		Status     string    `json:"status"`
		Visibility string    `json:"participation_visibility"`
		JoinedAt   time.Time `json:"joined_at"`
	}
	tokens struct {
		Access         string    `json:"access_token"`
		Expires        time.Time `json:"access_expires_at"`
		Refresh        string    `json:"refresh_token"`
		RefreshExpires time.Time `json:"refresh_expires_at"`
	}
)

// micros is a time in microseconds, 0 for NULL.
type micros int64

// Scan implements sql.Scanner.
func (m *micros) Scan(value any) error {
	us, _ := value.(int64) // nil: NULL
	*m = micros(us)
	return nil
}

func (m micros) MarshalJSON() ([]byte, error) {
	if m == 0 {
		return []byte("null"), nil
	}
	return time.UnixMicro(int64(m)).UTC().MarshalJSON()
}

// rawJSON is a text that is JSON.
type rawJSON string

func (r rawJSON) MarshalJSON() ([]byte, error) { return []byte(r), nil }

const (
	profileColumns = `o.id, o.display_name, o.username, o.avatar_url, o.city, o.interests`
	columns        = profileColumns + `, e.starts_key, e.id, e.title, e.starts_at, e.ends_at, e.timezone, e.image_url, e.status, e.category,
		e.price, e.price_amount, e.price_currency, e.visibility, e.date_mode, e.organizer_id, e.city, e.lat, e.lng, e.going`
	from          = ` FROM events e JOIN users o ON o.id = e.organizer_id WHERE e.listed`
	selectCards   = `SELECT ` + columns + from
	selectDetails = `SELECT ` + columns + `, e.location_text, e.description, e.capacity, e.created_at` + from
)

// dest returns the destinations of profileColumns.
func (p *profile) dest() []any {
	return []any{&p.ID, &p.DisplayName, &p.Username, &p.AvatarURL, &p.City, &p.Interests}
}

// dest returns the destinations of selectCards.
func (c *card) dest() []any {
	e, l := &c.Event, &c.Location
	return append(c.Organizer.dest(), &c.key, &e.ID, &e.Title, &e.StartsAt, &e.EndsAt, &e.Timezone, &e.ImageURL, &e.Status, &e.Category,
		&e.Price, &e.PriceAmount, &e.PriceCurrency, &e.Visibility, &e.DateMode, &e.OrganizerID, &l.City, &l.Lat, &l.Lng, &c.Count)
}

// dest returns the destinations of selectDetails.
func (d *details) dest() []any {
	return append(d.card.dest(), &d.Location.Text, &d.Event.Description, &d.Capacity, &d.Event.CreatedAt)
}

// query is the parameters of a list.
type query struct {
	after        int64 // starts_key
	city, words  string
	lat, lng, km float64
}

func parse(v url.Values) (q query, err error) {
	q.city, q.words = v.Get("city"), v.Get("q")
	number := func(name string) (x float64) {
		if text := v.Get(name); text != "" && err == nil {
			x, err = strconv.ParseFloat(text, 64)
		}
		return x
	}
	q.lat, q.lng, q.km = number("lat"), number("lng"), number("radius_km")
	if cursor := v.Get("cursor"); cursor != "" && err == nil {
		var after time.Time
		after, err = time.Parse(time.RFC3339Nano, cursor)
		q.after = after.UnixNano()
	}
	return q, err
}

const (
	earthRadius = 6371.0 // km
	radian      = math.Pi / 180
)

// near returns the condition of a circle: a box, for the index, and the distance
// (haversine).
func (q query) near(arg func(any) string) string {
	high := q.km / earthRadius / radian
	wide := high / math.Cos(q.lat*radian)
	return fmt.Sprintf(` AND e.lat BETWEEN %s AND %s AND e.lng BETWEEN %s AND %s
		AND %f * asin(sqrt(pow(sin(radians(e.lat - %[6]s) / 2), 2) + cos(radians(e.lat)) * cos(radians(%[6]s)) * pow(sin(radians(e.lng - %[7]s) / 2), 2))) <= %[8]s`,
		arg(q.lat-high), arg(q.lat+high), arg(q.lng-wide), arg(q.lng+wide), 2*earthRadius, arg(q.lat), arg(q.lng), arg(q.km))
}

// distance returns the distance to a place in km.
func (q query) distance(lat, lng float64) float64 {
	half := func(degrees float64) float64 { return math.Pow(math.Sin(degrees*radian/2), 2) }
	return 2 * earthRadius * math.Asin(math.Sqrt(half(lat-q.lat)+math.Cos(lat*radian)*math.Cos(q.lat*radian)*half(lng-q.lng)))
}
