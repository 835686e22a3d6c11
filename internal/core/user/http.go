package user

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler implements the operations of accounts and profiles.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// GetMe serves GET /me.
func (h *Handler) GetMe(ctx context.Context) (*gen.CurrentUser, error) {
	a, err := h.service.Me(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	return AccountAPI(a), nil
}

// UpdateMyProfile serves PATCH /me/profile.
func (h *Handler) UpdateMyProfile(ctx context.Context, req *gen.UpdateProfileRequest) (*gen.CurrentUser, error) {
	a, err := h.service.Update(ctx, httpapi.Viewer(ctx), changeOf(req))
	if err != nil {
		return nil, err
	}
	return AccountAPI(a), nil
}

func changeOf(req *gen.UpdateProfileRequest) Change {
	c := Change{AvatarURL: httpapi.Opt[string](req.AvatarURL), City: httpapi.Opt[string](req.City)}
	if req.DisplayName.Set {
		c.DisplayName = &req.DisplayName.Value
	}
	if req.Username.Set {
		c.Username = &req.Username.Value
	}
	if req.Interests != nil {
		c.Interests = &req.Interests
	}
	return c
}

// GetProfile serves GET /users/{user_id}/profile.
func (h *Handler) GetProfile(ctx context.Context, params gen.GetProfileParams) (*gen.PublicProfile, error) {
	p, err := h.service.Public(ctx, httpapi.Viewer(ctx), domain.UserID(params.UserID))
	if err != nil {
		return nil, err
	}
	profile := API(p)
	return &profile, nil
}

// GetProfileByUsername serves GET /users/by-username/{username}.
func (h *Handler) GetProfileByUsername(ctx context.Context, params gen.GetProfileByUsernameParams) (*gen.PublicProfile, error) {
	p, err := h.service.ByUsername(ctx, httpapi.Viewer(ctx), params.Username)
	if err != nil {
		return nil, err
	}
	profile := API(p)
	return &profile, nil
}

// ListProfiles serves GET /users/profiles.
func (h *Handler) ListProfiles(ctx context.Context, params gen.ListProfilesParams) (*gen.PublicProfilesResponse, error) {
	page, err := h.service.Search(ctx, httpapi.Viewer(ctx), Search{
		Query: params.Q.Or(""), City: params.City.Or(""), Limit: params.Limit.Or(domain.DefaultLimit), Cursor: params.Cursor.Or(""),
	})
	if err != nil {
		return nil, err
	}
	return &gen.PublicProfilesResponse{Items: ListAPI(page.Items), NextCursor: gen.NullCursor(page.Next)}, nil
}

// AccountAPI converts an account to its API type.
func AccountAPI(a Account) *gen.CurrentUser {
	p := a.Profile
	return &gen.CurrentUser{
		User: gen.CurrentUserAccount{
			ID: uuid.UUID(p.UserID), Email: gen.NullString(a.Email), Phone: gen.NullString(a.Phone),
			IsModerator: a.Moderator, CreatedAt: a.CreatedAt,
		},
		Profile: gen.CurrentUserProfile{
			UserID: uuid.UUID(p.UserID), DisplayName: p.DisplayName, Username: p.Username,
			AvatarURL: gen.NullString(p.AvatarURL), City: gen.NullString(p.City), Interests: p.Interests,
			NameChosen: p.NameChosen, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
		},
	}
}

// API converts a profile to its API type.
func API(p Public) gen.PublicProfile {
	return gen.PublicProfile{
		UserID: uuid.UUID(p.UserID), DisplayName: p.DisplayName, Username: p.Username,
		AvatarURL: gen.NullString(p.AvatarURL), City: gen.NullString(p.City), Interests: p.Interests, NameChosen: p.NameChosen,
	}
}

// encode returns a profile as JSON.
func encode(p Public) []byte {
	profile := API(p)
	return gen.Marshal(&profile)
}

// API returns the profile's API type.
func (p *CachedProfile) API() gen.PublicProfile {
	profile := API(p.Public)
	profile.Encoded = p.JSON
	return profile
}

// NullAPI is API; nil becomes null.
func (p *CachedProfile) NullAPI() gen.NilPublicProfile {
	if p == nil {
		return gen.NilPublicProfile{Null: true}
	}
	return gen.NewNilPublicProfile(p.API())
}

// CachedAPI converts profiles to their API type.
func CachedAPI(list []*CachedProfile) []gen.PublicProfile {
	profiles := make([]gen.PublicProfile, len(list))
	for i, p := range list {
		profiles[i] = p.API()
	}
	return profiles
}

// ListAPI converts profiles to their API type.
func ListAPI(list []Public) []gen.PublicProfile {
	profiles := make([]gen.PublicProfile, len(list))
	for i, p := range list {
		profiles[i] = API(p)
	}
	return profiles
}

// NullAPI converts a profile to its API type; nil becomes null.
func NullAPI(p *Public) gen.NilPublicProfile {
	if p == nil {
		return gen.NilPublicProfile{Null: true}
	}
	return gen.NewNilPublicProfile(API(*p))
}
