package view

import (
	"math"
	"strings"

	"moothall/api/gen"
)

// ReviewsData is what the page of an event shows of its reviews.
type ReviewsData struct {
	Details *gen.EventDetails
	List    *gen.EventReviewsResponse // nil: the viewer must sign in to read them
	More    string                    // address of the older reviews; "" if there are none
}

// mayWrite reports whether the viewer was a guest.
func (d ReviewsData) mayWrite() bool {
	return EventData{Details: d.Details}.going() && !IsHost(d.Details)
}

// own returns the review of the viewer, or an empty one.
func (d ReviewsData) own() gen.EventReview { return d.List.ViewerReview.Value }

// stars shows a rating of 1 to 5.
func stars(rating int) string {
	return strings.Repeat("★", rating) + strings.Repeat("☆", 5-rating)
}

// nearest returns the whole rating that is nearest to an average.
func nearest(average float64) int { return int(math.Round(average)) }
