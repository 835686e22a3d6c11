package httpapi

import (
	"context"
	"hash/maphash"
	"net/http"
	"sync/atomic"

	"moothall/internal/domain"
	"moothall/internal/platform/admission"
	"moothall/internal/platform/db"
	"moothall/internal/platform/ratelimit"
)

// laneKind says with which other operations an operation shares the permits for running
// requests. Overload in one lane leaves the others free. Responses from the response cache
// need no permit.
type laneKind int

const (
	mainLane laneKind = iota
	signInLane
	healthLane
	uploadLane
	imageLane
	laneCount
)

// Permits of the small lanes.
const (
	signInPermits = 64 // providers of identities and calls may take seconds
	healthPermits = 4
	uploadPermits = 16  // occupied while the body arrives
	imagePermits  = 128 // other hosts may take seconds; the image proxy limits its own work
)

// laneNames are the lanes that the contract names by x-lane.
var laneNames = map[string]laneKind{"": mainLane, "sign_in": signInLane, "health": healthLane, "images": imageLane}

type lanes [laneCount]*admission.Lane

func newLanes(o Options) lanes {
	all := lanes{
		mainLane:   admission.NewLane(admission.Options{Name: "main", Max: o.MaxInFlight, Probe: o.Probe, Log: o.Log}),
		signInLane: admission.NewLane(admission.Options{Name: "sign_in", Max: min(signInPermits, o.MaxInFlight), Log: o.Log}),
		uploadLane: admission.NewLane(admission.Options{Name: "upload", Max: min(uploadPermits, o.MaxInFlight), Log: o.Log}),
		imageLane:  admission.NewLane(admission.Options{Name: "images", Max: min(imagePermits, o.MaxInFlight), Log: o.Log}),
		healthLane: admission.NewLane(admission.Options{Name: "health", Max: healthPermits, Log: o.Log}),
	}
	for _, lane := range all {
		o.Metrics.MustRegister(lane.Metrics()...)
	}
	return all
}

// permitKey is the key of a context of a page that holds a permit.
type permitKey struct{}

// takePermit waits for a permit of the operation's lane. An operation that a page calls runs under the permit of the page:
// with one of its own, pages could wait for each other's operations. It returns admission.ErrRefused under overload, before
// the request has cost much.
func (s *Server) takePermit(x *exchange) error {
	ctx, lane := x.r.Context(), s.lanes[x.st.op.lane]
	if ctx.Value(permitKey{}) != nil {
		return nil
	}
	if !lane.TryEnter() {
		waited, err := lane.Enter(ctx, s.callers.of(x.r, x.st))
		if err != nil {
			x.st.shed = true
			return err
		}
		x.setContext(db.Waited(ctx, waited))
	}
	x.w.lane = lane
	if x.st.op.lane == signInLane {
		x.setContext(db.Urgent(x.r.Context()))
	}
	return nil
}

// sharePermit lets the operations that a page calls run under its permit.
func (s *Server) sharePermit(x *exchange) error {
	x.setContext(context.WithValue(x.r.Context(), permitKey{}, true))
	return nil
}

// releasePermit lets another operation run, if the request holds a permit.
func (r *recorder) releasePermit() {
	if r.lane != nil {
		r.lane.Leave()
		r.lane = nil
	}
}

// callers distinguishes callers without the database. It remembers the users of recent
// requests by their tokens: a token that was never valid must not make its sender another
// caller.
type callers struct {
	seed   maphash.Seed
	recent [1 << 14]atomic.Pointer[tokenOwner] // by the hash of the token
}

// tokenOwner is the user of a token, both hashed.
type tokenOwner struct{ token, user uint64 }

func newCallers() *callers { return &callers{seed: maphash.MakeSeed()} }

// remember notes the user of a valid credential.
func (c *callers) remember(credential credential, user domain.UserID) {
	token := maphash.String(c.seed, credential.token())
	place := &c.recent[token%uint64(len(c.recent))]
	if known := place.Load(); known == nil || known.token != token {
		place.Store(&tokenOwner{token: token, user: maphash.Comparable(c.seed, user)})
	}
}

// knows reports whether a credential was valid in a recent request.
func (c *callers) knows(credential credential) bool {
	return credential.present() && c.owner(credential) != nil
}

// owner returns the user of a known credential, or nil.
func (c *callers) owner(credential credential) *tokenOwner {
	token := maphash.String(c.seed, credential.token())
	if known := c.recent[token%uint64(len(c.recent))].Load(); known != nil && known.token == token {
		return known
	}
	return nil
}

// of returns the user of a known credential; for all other requests the connection, in the
// group of its network.
func (c *callers) of(r *http.Request, st *requestState) admission.Caller {
	if st.credential.present() {
		if known := c.owner(st.credential); known != nil {
			return admission.Caller{ID: known.user, Group: known.user}
		}
	}
	network := ratelimit.Network(st.client.Address)
	if st.credential.present() {
		network += " unknown" // anonymous callers do not pay for them
	}
	return admission.Caller{
		ID:    maphash.String(c.seed, r.RemoteAddr+" "+st.client.Address.String()), // RemoteAddr may be a proxy
		Group: maphash.String(c.seed, network),
	}
}
