package feed

import (
	"context"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of the contract on feeds.
type Handler struct{ service *Service }

// NewHandler returns a Handler of the service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// GetFeed implements GET /feed.
func (h *Handler) GetFeed(ctx context.Context, params gen.GetFeedParams) (*gen.FeedResponse, error) {
	v := httpapi.Viewer(ctx)
	page, err := h.service.Feed(ctx, v, params.Limit.Or(domain.DefaultLimit), params.Cursor.Or(""))
	if err != nil {
		return nil, err
	}
	items, err := event.CardList(ctx, h.service.Profiles, page.Cards, func(i int) gen.FeedContext { return contextOf(page, i) })
	if err != nil {
		return nil, err
	}
	scope := gen.FeedResponseScopePublic
	if v.SignedIn() {
		scope = gen.FeedResponseScopePersonal
	}
	return &gen.FeedResponse{Items: items, NextCursor: gen.NullString(page.Next), Scope: scope}, nil
}

// contextOf returns the context of a card of the page.
func contextOf(p Page, i int) gen.FeedContext {
	context := gen.FeedContext{ViewerGoing: p.Cards[i].ViewerGoing, Reasons: []gen.FeedReason{}}
	for _, reason := range p.Reasons[i].Names() {
		context.Reasons = append(context.Reasons, gen.FeedReason(reason))
	}
	return context
}

// GetFeedPreferences implements GET /feed/preferences.
func (h *Handler) GetFeedPreferences(ctx context.Context) (*gen.FeedPreferences, error) {
	p, err := h.service.Preferences(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	return p.toAPI(), nil
}

// SetFeedPreferences implements POST /feed/preferences.
func (h *Handler) SetFeedPreferences(ctx context.Context, req *gen.SetFeedPreferencesRequest) (*gen.FeedPreferences, error) {
	p, err := h.service.SetPreferences(ctx, httpapi.Viewer(ctx), changeOf(req))
	if err != nil {
		return nil, err
	}
	return p.toAPI(), nil
}

func changeOf(req *gen.SetFeedPreferencesRequest) Change {
	c := Change{
		City: httpapi.Opt[string](req.City), Lat: httpapi.Opt[float64](req.Lat), Lng: httpapi.Opt[float64](req.Lng),
		RadiusKm: httpapi.Opt[float64](req.RadiusKm),
	}
	if req.Categories != nil {
		c.Categories = &req.Categories
	}
	if req.MutedCategories != nil {
		c.MutedCategories = &req.MutedCategories
	}
	if price, sent := req.Price.Get(); sent {
		c.Price = new(string(price))
	}
	if followed, sent := req.IncludeFollowed.Get(); sent {
		c.IncludeFollowed = &followed
	}
	return c
}

func (p Preferences) toAPI() *gen.FeedPreferences {
	return &gen.FeedPreferences{
		City: gen.NullString(p.City), Lat: gen.NullFloat64(p.Lat), Lng: gen.NullFloat64(p.Lng), RadiusKm: gen.NullFloat64(p.RadiusKm),
		Categories: p.Categories, MutedCategories: p.MutedCategories, Price: gen.PriceFilter(p.Price),
		IncludeFollowed: p.IncludeFollowed, UpdatedAt: gen.NullDateTime(p.UpdatedAt),
	}
}
