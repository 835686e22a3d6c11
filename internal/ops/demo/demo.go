// Package demo fills an empty database with demo users and a month of events. The users call the services of the
// features, with a clock that is set back: they sign up, follow each other, organize events, join them and write.
//
// demo.go and demo_month.go say who does what, story.go says when, services.go calls the services.
package demo

// demoCity is the city of all demo events.
const demoCity = "Berlin"

// The demo users, by number.
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
	link                  int64    // number of people for an invitation link; 0: no link
	linked                []int    // who come by it
	guests                int      // number of further participants
	maxParty              int      // how many people may come with one participation; 0 is 1
	waiting               []int    // who waits for a seat of the full event, in pairs if it allows companions
	asking                []int    // who asks to join; the organizer has approved those who go
	hosts                 []int    // who host it with the organizer
	meals                 []string // the options of a question to guests: what they eat
	city                  string   // demoCity if empty
	posts                 []demoPost
	message               string // of the organizer to those who go
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

// readingCircle is a weekly series. Its first date is some days ahead.
var readingCircle = demoEvent{by: anna, days: 5, hour: 19, category: "books", title: "Reading circle",
	about: "We read a chapter a week and talk about it over tea. Join one evening, or all of them.",
	place: "Café Morgenrot, Kastanienallee 85", north: 2.3, east: 0.4, capacity: 12, going: []int{emi, dmitri}}

var demoEvents = []demoEvent{
	{by: anna, days: 1, hour: 19, category: "games", title: "Board games at the park café",
		about: "Bring your favourite, we have a few as well. Beginners are welcome.", place: "Café am Park, first floor",
		north: 0.8, east: 0.9, capacity: 12, going: []int{ben, dmitri}, hidden: []int{chloe},
		posts: []demoPost{
			{body: "We have Catan, Azul and a huge pile of card games. What else shall we bring?", likes: []int{ben, dmitri, emi},
				comments: []demoComment{
					{by: ben, body: "I can bring Carcassonne with three expansions."},
					{by: anna, body: "Yes please!", reply: true},
					{by: dmitri, body: "Я принесу шахматы ♟"},
				}},
			{body: "The back room is ours from seven. Please order something, they let us in for free.", announcement: true, likes: []int{ben}},
		},
		message: "The door code is on the bell. Ring at “Back room”, and come up to the first floor."},
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
		north: 0.1, east: -0.4, capacity: 3, going: []int{anna, emi, farid},
		maxParty: 2, waiting: []int{ben, dmitri}},
	{by: dmitri, days: 4, hour: 18, category: "languages", title: "Чай и разговоры по-русски",
		about: "Говорим медленно и пьём чай. Ёлка уже стоит!", place: "Чайная «Самовар»",
		north: 1.4, east: -1.2, capacity: 20, going: []int{anna}, hosts: []int{anna, emi}, meals: []string{"everything", "vegetarian", "vegan"}},
	{by: emi, days: 5, hour: 14, category: "photography", title: "写真さんぽ: Photo walk in Mitte",
		about: "カメラを持って街を歩きます。Any camera will do.", place: "Fountain on the square",
		north: 0.3, east: 0.5, going: []int{ben, chloe, farid}, asking: []int{anna, dmitri}},
	{by: farid, days: 6, hour: 20, category: "music", title: "أمسية عود – An evening of oud",
		about: "أهلاً وسهلاً. Music, mint tea and stories.", place: "Back courtyard, second door",
		north: -0.9, east: 1.8, capacity: 40, going: []int{anna, chloe}, hidden: []int{ben},
		posts: []demoPost{{body: "سأعزف مقام الحجاز. I will play maqam Hijaz, and explain what that is.", likes: []int{anna, chloe},
			comments: []demoComment{
				{by: chloe, body: "J'ai hâte !"},
			}}}},
	{by: anna, days: 6, hour: 19, category: "food", title: "Anna's birthday dinner", private: true,
		about: "Only for friends. Please say whether you eat cheese.", place: "At Anna's",
		north: 1.1, east: 2.2, invite: []int{ben, chloe, emi}, link: 10, linked: []int{farid}},
	{by: anna, days: 13, hour: 10, category: "hiking", title: "A day at the lakes", draft: true, options: 2,
		about: "Still looking for a good route.", place: "Station forecourt", north: -8, east: -14},
	{by: ben, days: 7, hour: 18, category: "food", title: "Surprise party for Emi", private: true,
		about: "She knows nothing. Please keep it so.", place: "Ben's kitchen", north: -0.7, east: -1.6, invite: []int{anna, dmitri}},
	{by: chloe, days: -2, hour: 15, category: "art", title: "Street art walk",
		about: "Two hours through the courtyards of Kreuzberg.", place: "Kiosk at the bridge", north: -2.4, east: 1.1,
		going: []int{anna, ben, emi}},
}
