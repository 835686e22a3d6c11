package web

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// feed recommends events to the viewer, who can say what they like.
func (s *Site) feed(ctx context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("feed.title")
	cursor := optional(v.page.URL.Query(), "cursor")
	list, err := s.api.GetFeed(ctx, gen.GetFeedParams{Limit: gen.NewOptInt(eventsPerPage), Cursor: cursor})
	if err != nil {
		return nil, err
	}
	preferences, err := s.api.GetFeedPreferences(ctx)
	if err != nil {
		return nil, err
	}
	events := view.EventList{Cards: list.Items.Values(), More: v.more("cursor", list.NextCursor)}
	return view.Feed(v.page, view.FeedData{Events: events, Preferences: *preferences, Continues: cursor.Set}), nil
}

const (
	maxRecommended  = 2  // events of the feed above the list of all events
	firstCandidates = 4  // events of the feed that recommend reads
	maxCandidates   = 10 // the same, if the first ones are not enough
)

// recommend returns the first events of the viewer's feed that have a reason and that the viewer has not joined.
func (s *Site) recommend(ctx context.Context) ([]gen.EventCard, error) {
	cards, more, err := s.recommendOf(ctx, firstCandidates)
	if err == nil && more && len(cards) < maxRecommended {
		cards, _, err = s.recommendOf(ctx, maxCandidates)
	}
	return cards, err
}

// recommendOf is recommend for the first events of the feed. more reports whether the feed has further events.
func (s *Site) recommendOf(ctx context.Context, first int) (cards []gen.EventCard, more bool, err error) {
	list, err := s.api.GetFeed(ctx, gen.GetFeedParams{Limit: gen.NewOptInt(first)})
	if err != nil {
		return nil, false, err
	}
	cards = slices.DeleteFunc(list.Items.Values(), func(c gen.EventCard) bool {
		return len(c.FeedContext.Reasons) == 0 || c.FeedContext.ViewerGoing
	})
	return cards[:min(len(cards), maxRecommended)], !list.NextCursor.Null, nil
}

// setFeedPreferences replaces all preferences with those of the form.
func (s *Site) setFeedPreferences(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	f := formReader{Values: form}
	request := &gen.SetFeedPreferencesRequest{
		City: f.text("city"), Lat: f.number("lat"), Lng: f.number("lng"), RadiusKm: f.number("radius_km"),
		Categories: commaSeparated(form.Get("categories")), MutedCategories: commaSeparated(form.Get("muted_categories")),
		Price: gen.NewOptPriceFilter(gen.PriceFilter(form.Get("price"))), IncludeFollowed: gen.NewOptBool(form.Has("include_followed")),
	}
	if err := f.err(); err != nil {
		return outcome{}, err
	}
	_, err := s.api.SetFeedPreferences(ctx, request)
	return outcome{to: "/feed"}, err
}

// commaSeparated returns the entries of a list in one line.
func commaSeparated(text string) []string {
	list := []string{}
	for entry := range strings.SplitSeq(text, ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			list = append(list, entry)
		}
	}
	return list
}
