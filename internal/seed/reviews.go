package seed

import (
	"moothall/internal/access"
	"moothall/internal/review"
)

// How many of those who went say something afterwards, and how content they are.
const (
	shareReviewing = 0.3
	shareWording   = 0.6
)

// starsOf are the weights of one to five stars.
var starsOf = [...]float64{1, 1, 3, 8, 12}

// Reviews makes what people say of an event of this world that is over.
func (w *World) Reviews(e *Event, a Attendance) []review.Imported {
	over := e.asEvent().OverAt()
	if e.Status != access.Published || !over.Before(w.today) {
		return nil
	}
	d := roll(w.plan.Seed, ofReviews, e.number)
	talk := talk{dice: d, language: languageOf(d, allCities()[e.city].country), event: e, now: over, until: w.today}
	var reviews []review.Imported
	for _, g := range a.Going {
		if g.UserID == e.OrganizerID || !d.chance(shareReviewing) {
			continue
		}
		r := review.Imported{
			ID: newID(d, e.number), EventID: e.ID, AuthorID: g.UserID, At: talk.later(),
			Rating: 1 + d.weighted(len(starsOf), func(i int) float64 { return starsOf[i] }),
		}
		if d.chance(shareWording) {
			r.Body = new(talk.words())
		}
		reviews = append(reviews, r)
	}
	return reviews
}
