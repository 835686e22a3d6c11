package user

import (
	"context"

	"moothall/internal/domain"
	"moothall/internal/platform/cache"
	"moothall/internal/platform/db"
)

// Profiles is the cache of public profiles. A deleted account has none.
type Profiles = cache.Entries[domain.UserID, *CachedProfile]

// CachedProfile is a public profile, also as responses contain it.
type CachedProfile struct {
	Public
	JSON []byte // a PublicProfile of the contract
}

// Entities implements cache.Value.
func (p *CachedProfile) Entities() []db.Entity { return []db.Entity{Profile.Of(p.UserID)} }

// Bytes implements cache.Value.
func (p *CachedProfile) Bytes() int { return 160 + 2*len(p.JSON) }

// profilesShare is the share of the memory of all caches.
const profilesShare = 0.15

var profilesStmt = db.SQL("user.profiles", `
	SELECT `+Columns("p")+` FROM unseen_ids($1) AS l CROSS JOIN profiles p WHERE p.user_id = l.value`)

// NewProfiles returns a cache of the profiles in a database. m may be nil.
func NewProfiles(m *cache.Memory, d *db.DB) *Profiles {
	return cache.NewEntries(m, "profiles", profilesShare, cache.IDKey[domain.UserID],
		func(ctx context.Context, ids []domain.UserID) (map[domain.UserID]*CachedProfile, error) {
			return readProfiles(ctx, d, ids)
		})
}

func readProfiles(ctx context.Context, q db.Querier, ids []domain.UserID) (map[domain.UserID]*CachedProfile, error) {
	found, err := db.All(ctx, q, Scan, profilesStmt, ids)
	profiles := make(map[domain.UserID]*CachedProfile, len(found))
	for _, p := range found {
		profiles[p.UserID] = &CachedProfile{p, encode(p)}
	}
	return profiles, err
}

// ReadProfiles reads profiles like Profiles.Get, but in a transaction and without the
// cache.
func ReadProfiles(ctx context.Context, tx db.Tx, ids []domain.UserID) ([]*CachedProfile, error) {
	found, err := readProfiles(ctx, tx, ids)
	profiles := make([]*CachedProfile, len(ids))
	for i, id := range ids {
		profiles[i] = found[id]
	}
	return profiles, err
}
