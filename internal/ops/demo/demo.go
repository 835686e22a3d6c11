package demo

import (
	"cmp"
	"encoding/binary"
	"image"
	"iter"
	"slices"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/chat"
	"moothall/internal/meetup/datevote"
	"moothall/internal/meetup/post"
	"moothall/internal/meetup/review"
	"moothall/internal/platform/picture"
)

// DemoData is the fixed data of the demo: Anna and others who organize events, their guests,
// and sixty events in one city and around it. Three are over; the others start within a
// month, from tomorrow on.
type DemoData struct {
	users      []User
	follows    []Follow
	events     []Event
	attendance map[domain.EventID]Attendance
	posts      map[domain.EventID][]post.Imported
	reviews    map[domain.EventID][]review.Imported
	votes      []datevote.ImportedVote
	messages   []chat.Imported

	optionCount int // dates to vote on
}

// demoCity is the city of all demo events.
const demoCity = "Berlin"

// The demo users, by index in DemoData.users.
const (
	anna = iota
	ben
	chloe
	dmitri
	emi
	farid
)

type demoPerson struct{ username, displayName, interest string }

var demoPeople = []demoPerson{
	anna:   {"anna", "Anna", "games"},
	ben:    {"ben", "Ben Walker", "running"},
	chloe:  {"chloe", "Chloé Dubois", "art"},
	dmitri: {"dmitri", "Дмитрий Соколов", "languages"},
	emi:    {"emi", "佐藤 恵美", "photography"},
	farid:  {"farid", "فريد حدّاد", "music"},
}

// demoEvent is one demo event, some days ahead at a local time.
type demoEvent struct {
	by                    int
	days, hour, minute    int
	title, about          string
	category, place       string
	north, east           float64 // km from the centre
	capacity              int     // 0 is unlimited
	draft, private        bool
	options               int   // dates to vote on, one day apart
	price                 int64 // in cents; 0 is free
	going, hidden, invite []int
	guests                int    // number of further participants
	city                  string // demoCity if empty
	posts                 []demoPost
	reviews               []demoReview
}

// demoPost is a post of the organizer with its comments and likes.
type demoPost struct {
	body         string
	announcement bool
	comments     []demoComment
	likes        []int
	reposts      []int
}

type demoComment struct {
	by    int
	body  string
	reply bool // to the previous comment
}

// demoReview is a review of a guest. Its body may be empty.
type demoReview struct {
	rating int
	body   string
}

type demoMessage struct {
	by   int
	body string
}

var demoEvents = []demoEvent{
	{by: anna, days: 1, hour: 19, category: "games", title: "Board games at the park café",
		about: "Bring your favourite, we have a few as well. Beginners are welcome.", place: "Café am Park, first floor",
		north: 0.8, east: 0.9, capacity: 12, going: []int{ben, dmitri}, hidden: []int{chloe},
		posts: []demoPost{
			{body: "We have Catan, Azul and a huge pile of card games. What else shall we bring?", likes: []int{ben, dmitri, emi}, comments: []demoComment{
				{by: ben, body: "I can bring Carcassonne with three expansions."},
				{by: anna, body: "Yes please!", reply: true},
				{by: dmitri, body: "Я принесу шахматы ♟"},
			}},
			{body: "The back room is ours from seven. Please order something, they let us in for free.", announcement: true, likes: []int{ben}},
		}},
	{by: ben, days: 2, hour: 7, minute: 30, category: "running", title: "Morning run along the canal",
		about: "Six kilometres, slowly enough to talk.", place: "Bridge by the boat house",
		north: -2.1, east: 0.6, going: []int{anna, emi},
		posts: []demoPost{{body: "We meet whatever the weather.", likes: []int{anna}, comments: []demoComment{
			{by: emi, body: "Is there somewhere to leave a bag?"},
			{by: ben, body: "Yes, in the boat house.", reply: true},
			{by: emi, body: "ありがとう!", reply: true},
		}}}},
	{by: chloe, days: 3, hour: 17, category: "art", title: "Sketching on the Museum Island",
		about: "Three folding chairs, three people. We draw what we see.", place: "Colonnade courtyard",
		north: 0.1, east: -0.4, capacity: 3, going: []int{anna, emi, farid}},
	{by: dmitri, days: 4, hour: 18, category: "languages", title: "Чай и разговоры по-русски",
		about: "Говорим медленно и пьём чай. Ёлка уже стоит!", place: "Чайная «Самовар»",
		north: 1.4, east: -1.2, capacity: 20, going: []int{anna}},
	{by: emi, days: 5, hour: 14, category: "photography", title: "写真さんぽ: Photo walk in Mitte",
		about: "カメラを持って街を歩きます。Any camera will do.", place: "Fountain on the square",
		north: 0.3, east: 0.5, going: []int{ben, chloe, farid}},
	{by: farid, days: 6, hour: 20, category: "music", title: "أمسية عود – An evening of oud",
		about: "أهلاً وسهلاً. Music, mint tea and stories.", place: "Back courtyard, second door",
		north: -0.9, east: 1.8, capacity: 40, going: []int{anna, chloe}, hidden: []int{ben},
		posts: []demoPost{{body: "سأعزف مقام الحجاز. I will play maqam Hijaz, and explain what that is.", likes: []int{anna, chloe}, comments: []demoComment{
			{by: chloe, body: "J'ai hâte !"},
		}}}},
	{by: anna, days: 6, hour: 19, category: "food", title: "Anna's birthday dinner", private: true,
		about: "Only for friends. Please say whether you eat cheese.", place: "At Anna's",
		north: 1.1, east: 2.2, invite: []int{ben, chloe, emi}},
	{by: anna, days: 13, hour: 10, category: "hiking", title: "A day at the lakes", draft: true, options: 2,
		about: "Still looking for a good route.", place: "Station forecourt", north: -8, east: -14},
	{by: ben, days: 7, hour: 18, category: "food", title: "Surprise party for Emi", private: true,
		about: "She knows nothing. Please keep it so.", place: "Ben's kitchen", north: -0.7, east: -1.6, invite: []int{anna, dmitri}},
	{by: chloe, days: -2, hour: 15, category: "art", title: "Street art walk",
		about: "Two hours through the courtyards of Kreuzberg.", place: "Kiosk at the bridge", north: -2.4, east: 1.1, going: []int{anna, ben, emi}},
}

// exampleID returns an id as the examples of the contract have them, so that the examples
// exist in the demo: 018f3b0a-5c1d-7000-8000-0000000000e1 is the first event.
func exampleID(start uint16, end int) (id [16]byte) {
	copy(id[:], []byte{0, 0, 0x3b, 0x0a, 0x5c, 0x1d, 0x70, 0, 0x80})
	binary.BigEndian.PutUint16(id[:], start)
	binary.BigEndian.PutUint32(id[12:], uint32(end))
	return id
}

// Demo returns the demo data for the day of now.
func Demo(now time.Time) *DemoData {
	home := cityNamed(demoCity)
	c := &DemoData{
		attendance: map[domain.EventID]Attendance{}, posts: map[domain.EventID][]post.Imported{}, reviews: map[domain.EventID][]review.Imported{},
	}
	today := now.In(home.zone)
	written := now.UTC().Truncate(time.Hour).AddDate(0, 0, -7)
	c.addUsers(written)
	for n, d := range slices.Concat(demoEvents, monthEvents) {
		e := d.event(n, c.users[d.by].ID, home, today, written)
		d.addOptions(&e, c.users, &c.optionCount, &c.votes)
		c.events = append(c.events, e)
		c.attendance[e.ID] = d.attendance(n, e, c.users)
		c.posts[e.ID] = d.importedPosts(n, e, c.users)
		c.reviews[e.ID] = d.importedReviews(n, e, c.attendance[e.ID])
		c.messages = append(c.messages, importedMessages(n, e, c.users, now)...)
	}
	return c
}

// addUsers adds the users. All follow Anna and one other.
func (c *DemoData) addUsers(written time.Time) {
	people := slices.Concat(demoPeople, monthPeople)
	for n, p := range people {
		c.users = append(c.users, User{
			ID: exampleID(0x018e, 0xa1+n), Username: p.username, Email: p.username + "@example.org",
			DisplayName: p.displayName, City: demoCity, Interests: []string{p.interest}, CreatedAt: written,
		})
	}
	for n := ben; n < len(people); n++ {
		c.follows = append(c.follows, Follow{Follower: c.users[n].ID, Followed: c.users[anna].ID, CreatedAt: written})
	}
	c.follows = append(c.follows, Follow{Follower: c.users[anna].ID, Followed: c.users[ben].ID, CreatedAt: written})
	for n := greta; n < len(people)-1; n++ {
		c.follows = append(c.follows, Follow{Follower: c.users[n].ID, Followed: c.users[n+1].ID, CreatedAt: written})
	}
}

func (d demoEvent) event(n int, organizer domain.UserID, home city, today, written time.Time) Event {
	start := time.Date(today.Year(), today.Month(), today.Day()+d.days, d.hour, d.minute, 0, 0, home.zone).UTC()
	end := start.Add(2 * time.Hour)
	lat, lng := home.offset(d.north, d.east)
	e := Event{
		ID: exampleID(0x018f, 0xe1+n), OrganizerID: organizer,
		Status: access.Published, Visibility: access.Public, PublishedAt: &written,
		Title: d.title, Description: &d.about, Category: d.category,
		StartsAt: start, EndsAt: &end, Tie: tie(0, n), Timezone: home.zone.String(),
		City: cmp.Or(d.city, demoCity), LocationText: d.place, Lat: &lat, Lng: &lng, CreatedAt: written,
	}
	if d.capacity > 0 {
		e.Capacity = &d.capacity
	}
	if d.price > 0 {
		e.PriceAmount, e.PriceCurrency = &d.price, new("EUR")
	}
	if d.private {
		e.Visibility = access.Private
	}
	if d.draft {
		e.Status, e.PublishedAt = access.Draft, nil
	}
	return e
}

// addOptions adds the dates to vote on, with votes for published events. count is the number of
// dates of all events.
func (d demoEvent) addOptions(e *Event, users []User, count *int, votes *[]datevote.ImportedVote) {
	for i := range d.options {
		o := datevote.Imported{
			ID: exampleID(0x018f, 0x101+*count), EventID: e.ID, StartsAt: e.StartsAt.AddDate(0, 0, i), EndsAt: new(e.EndsAt.AddDate(0, 0, i)), At: e.CreatedAt,
		}
		*count++
		e.DateOptions = append(e.DateOptions, o)
		for n := range users {
			if !d.draft && (n+i)%(3+i) == 0 {
				*votes = append(*votes, datevote.ImportedVote{EventID: e.ID, OptionID: o.ID, UserID: users[n].ID, At: e.CreatedAt})
			}
		}
	}
}

func (d demoEvent) attendance(n int, e Event, users []User) Attendance {
	a := Attendance{EventID: e.ID, OrganizerID: e.OrganizerID, Capacity: e.Capacity}
	for _, n := range d.going {
		a.Going = append(a.Going, Going{UserID: users[n].ID, JoinedAt: e.CreatedAt})
	}
	for _, n := range d.hidden {
		a.Going = append(a.Going, Going{UserID: users[n].ID, JoinedAt: e.CreatedAt, Incognito: true})
	}
	for i := range d.guests {
		at := greta + (n*7+i)%(len(users)-greta)
		if at != d.by {
			a.Going = append(a.Going, Going{UserID: users[at].ID, JoinedAt: e.CreatedAt.Add(time.Duration(i) * time.Hour), Incognito: i%7 == 5})
		}
	}
	for _, n := range d.invite {
		invited := Invited{UserID: users[n].ID, CreatedAt: e.CreatedAt}
		if n == anna { // the invitation in the examples
			invited.ID = exampleID(0x018f, 0x121)
		}
		a.Invited = append(a.Invited, invited)
	}
	return a
}

// importedPosts returns the posts about event n, one hour apart, with comments one
// minute apart.
func (d demoEvent) importedPosts(n int, e Event, users []User) []post.Imported {
	// Of the first event, the posts and comments have the ids f1, f2 and so on.
	id, at := 0xf1+n*0x100, e.CreatedAt
	nextID := func() [16]byte { id++; return exampleID(0x018f, id-1) }
	var posts []post.Imported
	for _, said := range d.posts {
		at = at.Add(time.Hour)
		p := post.Imported{ID: nextID(), EventID: e.ID, AuthorID: e.OrganizerID, Kind: post.Plain, Body: said.body, At: at}
		if said.announcement {
			p.Kind = post.Announcement
		}
		for i, c := range said.comments {
			comment := post.ImportedComment{ID: nextID(), AuthorID: users[c.by].ID, Body: c.body, At: at.Add(time.Duration(i+1) * time.Minute)}
			if c.reply {
				comment.Answers = i
			}
			p.Comments = append(p.Comments, comment)
		}
		for _, who := range said.likes {
			p.Likes = append(p.Likes, post.ImportedReaction{UserID: users[who].ID, At: at})
		}
		for _, who := range said.reposts {
			p.Reposts = append(p.Reposts, post.ImportedReaction{UserID: users[who].ID, At: at.Add(time.Minute)})
		}
		posts = append(posts, p)
	}
	return posts
}

// importedReviews returns reviews of event n by the first guests, written after the end.
func (d demoEvent) importedReviews(n int, e Event, a Attendance) (reviews []review.Imported) {
	for i, said := range d.reviews {
		r := review.Imported{
			ID: exampleID(0x0190, n*0x100+i), EventID: e.ID, AuthorID: a.Going[i].UserID, Rating: said.rating,
			At: e.EndsAt.Add(time.Duration(i+1) * time.Hour),
		}
		if said.body != "" {
			r.Body = &said.body
		}
		reviews = append(reviews, r)
	}
	return reviews
}

// importedMessages returns the chat of event n: a message every seven minutes, up to an hour ago.
func importedMessages(n int, e Event, users []User, now time.Time) (messages []chat.Imported) {
	said := demoChats[e.Title]
	for i, m := range said {
		messages = append(messages, chat.Imported{
			ID: exampleID(0x0191, n*0x100+i), EventID: e.ID, AuthorID: users[m.by].ID, Body: m.body,
			At: now.UTC().Truncate(time.Minute).Add(-time.Hour - time.Duration(len(said)-i)*7*time.Minute),
		})
	}
	return messages
}

// Picture is a cover of an event or a portrait of a user, still to be drawn.
type Picture struct {
	Owner domain.UserID
	Cover bool
	Draw  func() *image.RGBA
	Show  func(url string) // sets the address of the picture in the demo data
}

// Pictures returns a portrait of each user, and covers of two thirds of the events.
func (c *DemoData) Pictures() (pictures []Picture) {
	for n := range c.users {
		u := &c.users[n]
		pictures = append(pictures, Picture{
			Owner: u.ID, Draw: func() *image.RGBA { return picture.DrawPortrait(uint64(n), 320) }, Show: func(url string) { u.AvatarURL = &url },
		})
	}
	for n := range c.events {
		e := &c.events[n]
		if n%3 != 2 {
			pictures = append(pictures, Picture{
				Owner: e.OrganizerID, Cover: true, Draw: func() *image.RGBA { return picture.DrawCover(uint64(n), e.Category, 960, 412) },
				Show: func(url string) { e.ImageURL = &url },
			})
		}
	}
	return pictures
}

// Votes returns the votes on the dates of events.
func (c *DemoData) Votes() []datevote.ImportedVote { return c.votes }

// Messages returns the messages of all chats, the oldest of each first.
func (c *DemoData) Messages() []chat.Imported { return c.messages }

// Size returns the numbers of users and events.
func (c *DemoData) Size() (users, events int) { return len(c.users), len(c.events) }

// Users returns the users.
func (c *DemoData) Users() iter.Seq[User] { return slices.Values(c.users) }

// Follows returns the follows.
func (c *DemoData) Follows() iter.Seq[Follow] { return slices.Values(c.follows) }

// Events returns the events.
func (c *DemoData) Events() iter.Seq[Event] { return slices.Values(c.events) }

// Attendance returns the participants and invitations of an event.
func (c *DemoData) Attendance(e *Event) Attendance { return c.attendance[e.ID] }

// Posts returns the posts about an event.
func (c *DemoData) Posts(e *Event, _ Attendance) []post.Imported { return c.posts[e.ID] }

// Reviews returns the reviews of an event.
func (c *DemoData) Reviews(e *Event, _ Attendance) []review.Imported { return c.reviews[e.ID] }
