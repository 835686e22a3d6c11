// Code generated from api/openapi.yaml by sdk/generate. DO NOT EDIT.

package moothall

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"
	"time"
)

// GetHealth reports health: GET /healthz.
//
// Reports whether the API, its data store and its cache are available, checked at most once a second. Never cached
// (`Cache-Control: no-store`). An unknown query parameter is 400.
//
// The status of an Error is 400, 500 or 503.
func (c *Client) GetHealth(ctx context.Context) (*HealthResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/healthz", public: true})
	return decode[HealthResponse](ctx, c, request)
}

// StartDevSignIn sends a sign-in code to an e-mail address: POST /auth/dev/start.
//
// Starts a development sign-in. The response is the same whether or not an account exists. The account is created when the
// code is verified. The code is valid for 10 minutes. Limits: 5 per e-mail address in 10 minutes, 20 per client address in
// an hour. Returns 404 if development sign-in is disabled, as it always is in production.
//
// The status of an Error is 400, 404, 413, 415, 429, 500 or 503.
func (c *Client) StartDevSignIn(ctx context.Context, body StartDevSignInRequest) (*DevSignInChallenge, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/dev/start", public: true, body: body})
	return decode[DevSignInChallenge](ctx, c, request)
}

// VerifyDevSignIn exchanges a sign-in code for a session: POST /auth/dev/verify.
//
// A wrong, expired or used code and an address without a challenge all return 401. Five wrong attempts end the challenge.
// Limit: 30 per client address in 10 minutes. Returns 404 if development sign-in is disabled.
//
// The status of an Error is 400, 401, 404, 413, 415, 429, 500 or 503.
func (c *Client) VerifyDevSignIn(ctx context.Context, body VerifyDevSignInRequest) (*AuthSession, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/dev/verify", public: true, body: body})
	return decode[AuthSession](ctx, c, request)
}

// StartEmailSignIn sends a sign-in code and a link to an e-mail address: POST /auth/email/start.
//
// Sends a mail with a six-digit code and a link. The response is the same, and takes the same time, whether or not an account
// exists: the mail is sent after it. The account is created when the user signs in.
//
// The sign-in belongs to the client that starts it, which proves itself by `challenge`. Browsers have it as an HttpOnly cookie,
// too, and need not store it. There are three ways to finish within 10 minutes:
//
//   - the user types the code: `POST /auth/email/verify`;
//   - the user opens the link in the browser that started and presses the button: the page signs in and opens `return_to`;
//   - the user opens the link elsewhere, for example on a phone, and types `number` there. So show `number` to the user, and
//     poll `POST /auth/email/status`. The client that started gets the session, never the one that opened the link. A wrong
//     number ends the sign-in.
//
// To send the mail again, start again with the same `challenge`: within 5 minutes the code, the link and the number stay the
// same. Otherwise the old ones stop working.
//
// Limits: 5 per e-mail address in 10 minutes and 20 in a day; 20 per client address, 100 per network (IPv4 /24, IPv6 /48) and
// 400 per IPv6 /32 in an hour. All clients share a daily budget, of which one network gets at most a twentieth. Others can use
// up the limits of an address. A client that has signed in with the address before has its own: it sends its last access token,
// even an expired one, or the refresh cookie.
//
// Returns 404 if the deployment sends no mail.
//
// The status of an Error is 400, 403, 404, 413, 415, 429, 500 or 503.
func (c *Client) StartEmailSignIn(ctx context.Context, body StartEmailSignInRequest) (*EmailSignInChallenge, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/email/start", public: true, body: body})
	return decode[EmailSignInChallenge](ctx, c, request)
}

// VerifyEmailSignIn exchanges an e-mail code for a session: POST /auth/email/verify.
//
// Only the client that started can exchange the code: it sends `challenge` or the cookie. A wrong, expired or used code, another
// address and another client all return 401. Five wrong attempts end the sign-in. Limit: 30 per client address in 10 minutes.
// A request by cookie from a foreign web origin is 403. Returns 404 if the deployment sends no mail.
//
// The status of an Error is 400, 401, 403, 404, 413, 415, 429, 500 or 503.
func (c *Client) VerifyEmailSignIn(ctx context.Context, body VerifyEmailSignInRequest) (*AuthSession, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/email/verify", public: true, body: body})
	return decode[AuthSession](ctx, c, request)
}

// GetEmailSignInStatus polls a sign-in by e-mail: POST /auth/email/status.
//
// A `verified` response has the fields of an AuthSession at the top level and sets the refresh cookie: the user has opened the
// link elsewhere and typed the number. The session is issued once. A sign-in that has ended returns `expired` or 401; start
// again then. Limit: 60 per sign-in in a minute. Returns 404 if the deployment sends no mail.
//
// The status of an Error is 400, 401, 403, 404, 413, 415, 429, 500 or 503.
func (c *Client) GetEmailSignInStatus(ctx context.Context, body EmailSignInStatusRequest) (*EmailSignInStatus, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/email/status", public: true, body: body})
	return decode[EmailSignInStatus](ctx, c, request)
}

// StartPhoneCall starts a phone-call challenge: POST /auth/phone/call/start.
//
// Returns a number to call from the submitted phone within five minutes. Then poll `POST /auth/phone/call/status`.
//
// Each start gets a challenge of its own with its own number. A call to a number verifies only the challenge that returned
// it. If the provider has no other number for the phone, the response is 429 until the open challenge ends. To get an open
// challenge again, for example after a restart of the app, send its `challenge_id`.
//
// Limits: 3 per phone in 10 minutes and 10 in a day; 20 per client address, 100 per network (IPv4 /24, IPv6 /48) and 400
// per IPv6 /32 in an hour. All clients share a daily budget, of which one network gets at most a twentieth. Others can use
// up the limits of a phone. A client that has signed in with the phone before has its own: it sends its last access token,
// even an expired one, or the refresh cookie.
//
// Returns 503 if the telephony provider is unavailable or not configured.
//
// The status of an Error is 400, 413, 415, 429, 500 or 503.
func (c *Client) StartPhoneCall(ctx context.Context, body StartPhoneCallRequest) (*PhoneCallChallenge, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/phone/call/start", public: true, body: body})
	return decode[PhoneCallChallenge](ctx, c, request)
}

// GetPhoneCallStatus polls a phone-call challenge: POST /auth/phone/call/status.
//
// A `verified` response has the fields of an AuthSession at the top level and sets the refresh cookie. The session is issued
// once. Its holder can fetch it again with the same id for 30 seconds, in case the response was lost. An expired challenge
// returns `expired` for an hour. Any other id without a live challenge is 401. Limit: 60 per challenge in a minute.
//
// The status of an Error is 400, 401, 413, 415, 429, 500 or 503.
func (c *Client) GetPhoneCallStatus(ctx context.Context, body PhoneCallStatusRequest) (*PhoneCallStatus, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/phone/call/status", public: true, body: body})
	return decode[PhoneCallStatus](ctx, c, request)
}

// StartPasskeySignIn gets the options for signing in with a passkey: POST /auth/passkey/options.
//
// Pass `public_key` to the browser: `navigator.credentials.get({publicKey:
// PublicKeyCredential.parseRequestOptionsFromJSON(public_key)})`. The challenge expires after 5 minutes and works once. With an
// `email`, only a passkey of the account with this address is accepted. The response is the same for every address: the browser
// finds the passkey by itself.
//
// Limit: 60 per client address in 10 minutes, together with `POST /auth/passkey/verify`. Returns 404 if passkeys are not
// available, because the web client's address is an IP address.
//
// The status of an Error is 400, 404, 413, 415, 429, 500 or 503.
func (c *Client) StartPasskeySignIn(ctx context.Context, body PasskeySignInOptionsRequest) (*PasskeySignInOptions, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/passkey/options", public: true, body: body})
	return decode[PasskeySignInOptions](ctx, c, request)
}

// VerifyPasskeySignIn signs in with a passkey: POST /auth/passkey/verify.
//
// Send what the browser returned: `credential.toJSON()`. The user must be verified (by fingerprint, face or PIN). Everything that
// is wrong returns 401, also a signature counter that has not increased: the passkey may have been copied. Returns 404 if
// passkeys are not available.
//
// The status of an Error is 400, 401, 404, 413, 415, 429, 500 or 503.
func (c *Client) VerifyPasskeySignIn(ctx context.Context, body PasskeyAssertion) (*AuthSession, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/passkey/verify", public: true, body: body})
	return decode[AuthSession](ctx, c, request)
}

// SignInWithIDPToken exchanges an identity provider's token for a session: POST /auth/idp/mobile.
//
// For native clients with a token from the provider's SDK. Returns 401 if the provider rejects the token or issued it to another
// application. Limit: 30 per client address in a minute. Returns 503 if the provider is unavailable or not configured.
//
// The status of an Error is 400, 401, 413, 415, 429, 500 or 503.
func (c *Client) SignInWithIDPToken(ctx context.Context, body IDPTokenRequest) (*AuthSession, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/idp/mobile", public: true, body: body})
	return decode[AuthSession](ctx, c, request)
}

// RefreshSession rotates the tokens of a session: POST /auth/refresh.
//
// Takes the refresh token from the body, else from the cookie `service_refresh_token`. Ignores the Authorization header.
// Replaces both tokens at once; the previous pair stops working immediately. Sending a token that was already rotated
// returns 401 and ends the whole session. Within 3 seconds after the rotation (by default), it only returns 401.
//
// A client that may lose the response should send an `Idempotency-Key`. Limit: 60 per session in a minute. A cookie request
// from a foreign web origin is 403.
//
// The status of an Error is 400, 401, 403, 413, 415, 429, 500 or 503.
func (c *Client) RefreshSession(ctx context.Context, body RefreshTokenRequest) (*RefreshSession, error) {
	request := newCall(call{method: http.MethodPost, path: "/auth/refresh", public: true, keyed: true, body: body})
	return decode[RefreshSession](ctx, c, request)
}

// ListSessions lists the active sessions of the current user: GET /auth/sessions.
//
// The current session comes first, then the others by last use. Always one page.
//
// The status of an Error is 401, 403, 500 or 503.
func (c *Client) ListSessions(ctx context.Context) (*AuthSessionsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/auth/sessions"})
	return decode[AuthSessionsResponse](ctx, c, request)
}

// RevokeSession revokes one session: DELETE /auth/sessions/{session_id}.
//
// Ends a session of the current user. Its tokens stop working at once. An unknown id, or a session of another user, also returns
// 204 and changes nothing. Only a malformed id is 404.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) RevokeSession(ctx context.Context, sessionID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/auth/sessions/" + url.PathEscape(sessionID)})
	return c.do(ctx, request, nil)
}

// RevokeOtherSessions revokes every session except the current one: POST /auth/sessions/revoke-others.
//
// Ends every other active session of the current user at once.
//
// The status of an Error is 401, 403, 409, 429, 500 or 503.
func (c *Client) RevokeOtherSessions(ctx context.Context) error {
	request := newCall(call{method: http.MethodPost, path: "/auth/sessions/revoke-others"})
	return c.do(ctx, request, nil)
}

// Logout ends the current session: POST /auth/logout.
//
// Takes the refresh token from the body, else from the cookie `service_refresh_token`. Ignores the Authorization header.
// Any refresh token, known or unknown, returns 204 and clears the cookie. Returns 401 without a refresh token. A cookie
// request from a foreign web origin is 403.
//
// The status of an Error is 400, 401, 403, 413, 415, 500 or 503.
func (c *Client) Logout(ctx context.Context, body RefreshTokenRequest) error {
	request := newCall(call{method: http.MethodPost, path: "/auth/logout", public: true, body: body})
	return c.do(ctx, request, nil)
}

// GetMe gets the current user: GET /me.
//
// Returns the account and the full profile.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetMe(ctx context.Context) (*CurrentUser, error) {
	request := newCall(call{method: http.MethodGet, path: "/me"})
	return decode[CurrentUser](ctx, c, request)
}

// DeleteMe deletes the account of the current user: DELETE /me.
//
// Deletes the account at once and permanently. Clients should ask the user to confirm first.
//
//   - Profile, sessions, follows, blocks, likes, reposts, reviews, notifications, attendance and calendar entries are removed,
//     and counts are updated.
//   - Comments and chat messages become empty tombstones.
//   - Drafts and upcoming events are canceled. Events that nobody else attended lose their content and return 404. The others stay
//     without an organizer.
//   - Every token of the account becomes invalid (401). References to the account become `null`.
//   - The e-mail address and the phone can be used for a new account.
//
// The status of an Error is 401, 403, 409, 429, 500 or 503.
func (c *Client) DeleteMe(ctx context.Context) error {
	request := newCall(call{method: http.MethodDelete, path: "/me"})
	return c.do(ctx, request, nil)
}

// ExportMe exports all data of the current user: GET /me/export.
//
// Returns one JSON object with a member for each part of the service. It contains what the user wrote and did, incognito
// attendance included. Other users appear only as ids. Members and fields may be added at any time: the export is a record for
// the user, not an interface for clients.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) ExportMe(ctx context.Context) (*AccountExport, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/export"})
	return decode[AccountExport](ctx, c, request)
}

// UpdateMyProfile changes the profile of the current user: PATCH /me/profile.
//
// Changes the fields sent and returns the complete current user. A taken username is 409 `username_taken`.
//
// The earlier username leads to the user for 90 days, during which nobody else can take it. A user keeps at most 10 earlier
// usernames: one more change is 429, and `Retry-After` says when one of them is free.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdateMyProfile(ctx context.Context, body UpdateProfileRequest) (*CurrentUser, error) {
	request := newCall(call{method: http.MethodPatch, path: "/me/profile", body: body})
	return decode[CurrentUser](ctx, c, request)
}

// ListProfilesParams are the parameters of ListProfiles. Fields that are zero or nil are not sent.
type ListProfilesParams struct {
	// Search words. Each must begin a word of the display name or username, ignoring case and accents.
	Q string
	// City, ignoring case and accents.
	City string
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
	// The `ETag` of the client's copy. If the response would be identical, it is 304. Ignored for signed-in users.
	IfNoneMatch string
}

func (p ListProfilesParams) apply(c *call) {
	set(c.query, "q", p.Q)
	set(c.query, "city", p.City)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// ListProfiles searches public profiles: GET /users/profiles.
//
// Ordered by display name. With `q`, ordered first by the matching word: whole words come before longer ones. If `q` has
// several words, the rarest one determines the order. The list omits test accounts, suspended users, users who have not
// chosen a name (`name_chosen`) and, for a signed-in viewer, users in a block with the viewer. So a lookup by id may return
// a user whom the list omits.
//
// A search for several common words may return a short or empty page although more profiles match. Only a page with
// `next_cursor: null` is the last.
//
// The status of an Error is 304, 400, 401, 403, 500 or 503.
func (c *Client) ListProfiles(ctx context.Context, params ListProfilesParams) (*PublicProfilesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/users/profiles"})
	params.apply(request)
	return decode[PublicProfilesResponse](ctx, c, request)
}

// ListProfilesAll returns the items of all pages of ListProfiles, from params.Cursor on. It ends after an error.
func (c *Client) ListProfilesAll(ctx context.Context, params ListProfilesParams) iter.Seq2[PublicProfile, error] {
	return all(params.Cursor, func(cursor string) ([]PublicProfile, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListProfiles(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// GetProfileByUsernameParams are the parameters of GetProfileByUsername. Fields that are zero or nil are not sent.
type GetProfileByUsernameParams struct {
	// The `ETag` of the client's copy. If the response would be identical, it is 304. Ignored for signed-in users.
	IfNoneMatch string
}

func (p GetProfileByUsernameParams) apply(c *call) {
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// GetProfileByUsername gets the public profile of a username: GET /users/by-username/{username}.
//
// Returns what `GET /users/{user_id}/profile` returns. For 90 days after a user has changed the username, the earlier one leads to
// the user, too: compare it with that of the response. Nobody else can take it during this time.
//
// The status of an Error is 304, 401, 403, 404, 500 or 503.
func (c *Client) GetProfileByUsername(ctx context.Context, username string, params GetProfileByUsernameParams) (*PublicProfile, error) {
	request := newCall(call{method: http.MethodGet, path: "/users/by-username/" + url.PathEscape(username)})
	params.apply(request)
	return decode[PublicProfile](ctx, c, request)
}

// GetProfileParams are the parameters of GetProfile. Fields that are zero or nil are not sent.
type GetProfileParams struct {
	// The `ETag` of the client's copy. If the response would be identical, it is 304. Ignored for signed-in users.
	IfNoneMatch string
}

func (p GetProfileParams) apply(c *call) {
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// GetProfile gets the public profile of a user: GET /users/{user_id}/profile.
//
// Needs no sign-in. Returns 404 to a signed-in viewer whom the user has blocked.
//
// The status of an Error is 304, 400, 401, 403, 404, 500 or 503.
func (c *Client) GetProfile(ctx context.Context, userID string, params GetProfileParams) (*PublicProfile, error) {
	request := newCall(call{method: http.MethodGet, path: "/users/" + url.PathEscape(userID) + "/profile"})
	params.apply(request)
	return decode[PublicProfile](ctx, c, request)
}

// GetFollow gets the follow state between the current user and another user: GET /users/{user_id}/follow.
//
// Returns 404 for an unknown user and if a block exists in either direction.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) GetFollow(ctx context.Context, userID string) (*FollowStatus, error) {
	request := newCall(call{method: http.MethodGet, path: "/users/" + url.PathEscape(userID) + "/follow"})
	return decode[FollowStatus](ctx, c, request)
}

// FollowUser follows a user: POST /users/{user_id}/follow.
//
// Following again changes nothing. The id of the current user is 400. An unknown user, or a block in either direction, is
// 404. Limit: 200 a day.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) FollowUser(ctx context.Context, userID string) (*FollowStatus, error) {
	request := newCall(call{method: http.MethodPost, path: "/users/" + url.PathEscape(userID) + "/follow"})
	return decode[FollowStatus](ctx, c, request)
}

// UnfollowUser unfollows a user: DELETE /users/{user_id}/follow.
//
// Has no effect if the user was not followed.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) UnfollowUser(ctx context.Context, userID string) (*FollowStatus, error) {
	request := newCall(call{method: http.MethodDelete, path: "/users/" + url.PathEscape(userID) + "/follow"})
	return decode[FollowStatus](ctx, c, request)
}

// GetBlock gets whether the current user blocks another user: GET /users/{user_id}/block.
//
// An unknown user counts as not blocked.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) GetBlock(ctx context.Context, userID string) (*UserBlockStatus, error) {
	request := newCall(call{method: http.MethodGet, path: "/users/" + url.PathEscape(userID) + "/block"})
	return decode[UserBlockStatus](ctx, c, request)
}

// BlockUser blocks a user: POST /users/{user_id}/block.
//
// Blocking again returns the same block. The id of the current user is 400. A block also ends follows in both directions and
// declines pending invitations between the two users. It ends the attendance of each at upcoming events of the other. From
// then on, neither user sees the other's events, comments, messages and reviews, or the other's profile in lists.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) BlockUser(ctx context.Context, userID string) (*UserBlock, error) {
	request := newCall(call{method: http.MethodPost, path: "/users/" + url.PathEscape(userID) + "/block"})
	return decode[UserBlock](ctx, c, request)
}

// UnblockUser unblocks a user: DELETE /users/{user_id}/block.
//
// Has no effect if the user was not blocked. Does not restore the follows, invitations and attendance that the block ended.
//
// The status of an Error is 400, 401, 403, 409, 429, 500 or 503.
func (c *Client) UnblockUser(ctx context.Context, userID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/users/" + url.PathEscape(userID) + "/block"})
	return c.do(ctx, request, nil)
}

// ListEventsParams are the parameters of ListEvents. Fields that are zero or nil are not sent.
type ListEventsParams struct {
	// Search text. Every word must begin a word of the title, description, category, city or place, ignoring case and accents.
	// A word of at least 5 letters that matches nothing finds words with one typing error instead.
	Q string
	// Category, ignoring case and accents.
	Category string
	// City, ignoring case and accents.
	City string
	// Only free or only paid events.
	Price PriceFilter
	// Latitude of the centre. Send with `lng` and `radius_km`.
	Lat *float64
	// Longitude of the centre. Send with `lat` and `radius_km`.
	Lng *float64
	// Radius in kilometres. Send with `lat` and `lng`.
	RadiusKm *float64
	// Only events of this organizer.
	OrganizerID string
	// Only events of this group, if it is public.
	GroupID string
	// Only events that this user attends.
	ParticipantUserID string
	// Only events that start at or after this time.
	StartsFrom time.Time
	// Only events that start at or before this time.
	StartsTo time.Time
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page: a date-time with nanoseconds that is unique for each event. So no event is lost or
	// repeated if many start together. A date-time that the client chooses means "from that second on".
	//
	// A page may be shorter than `limit`, or even empty, and still have a `next_cursor`: one request scans a limited number of
	// events. Only a page with `next_cursor: null` is the last.
	//
	// Do not parse it: most date types drop the nanoseconds.
	Cursor string
	// The `ETag` of the client's copy. If the response would be identical, it is 304. Ignored for signed-in users.
	IfNoneMatch string
}

func (p ListEventsParams) apply(c *call) {
	set(c.query, "q", p.Q)
	set(c.query, "category", p.Category)
	set(c.query, "city", p.City)
	set(c.query, "price", p.Price)
	set(c.query, "lat", p.Lat)
	set(c.query, "lng", p.Lng)
	set(c.query, "radius_km", p.RadiusKm)
	set(c.query, "organizer_id", p.OrganizerID)
	set(c.query, "group_id", p.GroupID)
	set(c.query, "participant_user_id", p.ParticipantUserID)
	set(c.query, "starts_from", p.StartsFrom)
	set(c.query, "starts_to", p.StartsTo)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// ListEvents finds published public events: GET /events.
//
// Lists published public events that have not ended, ordered by start. All filters combine. Send `lat`, `lng` and
// `radius_km` together, or the request is 400. Events of organizers in a block with the viewer are omitted. With
// `participant_user_id`, incognito attendance counts only if that user is the viewer.
//
// The status of an Error is 304, 400, 401, 403, 500 or 503.
func (c *Client) ListEvents(ctx context.Context, params ListEventsParams) (*EventListResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events"})
	params.apply(request)
	return decode[EventListResponse](ctx, c, request)
}

// ListEventsAll returns the items of all pages of ListEvents, from params.Cursor on. It ends after an error.
func (c *Client) ListEventsAll(ctx context.Context, params ListEventsParams) iter.Seq2[EventCard, error] {
	return all(params.Cursor, func(cursor string) ([]EventCard, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListEvents(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// CreateEvent creates a draft event: POST /events.
//
// The current user becomes the organizer. A past `starts_at` is accepted, to record a past meeting. Limit: 30 events a day.
//
// The status of an Error is 400, 401, 403, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreateEvent(ctx context.Context, body CreateEventRequest) (*EventDetails, error) {
	request := newCall(call{method: http.MethodPost, path: "/events", keyed: true, body: body})
	return decode[EventDetails](ctx, c, request)
}

// MapEventsParams are the parameters of MapEvents. Fields that are zero or nil are not sent.
type MapEventsParams struct {
	// `min_lng,min_lat,max_lng,max_lat` in degrees. If `min_lng` is greater than `max_lng`, the box crosses the 180th meridian.
	Bbox string
	// Category, ignoring case and accents.
	Category string
	// Only free or only paid events.
	Price PriceFilter
	// Latitude of the centre. Send with `lng` and `radius_km`.
	Lat *float64
	// Longitude of the centre. Send with `lat` and `radius_km`.
	Lng *float64
	// Radius in kilometres. Send with `lat` and `lng`.
	RadiusKm *float64
	// Only events that start at or after this time.
	StartsFrom time.Time
	// Only events that start at or before this time.
	StartsTo time.Time
	// Maximum number of items.
	Limit int
	// Zoom level of a web map. Adds `clusters` to the response: at most 32 areas, each about two 256-pixel tiles wide, or
	// larger if the box is too wide for its zoom.
	Zoom int
	// The `ETag` of the client's copy. If the response would be identical, it is 304. Ignored for signed-in users.
	IfNoneMatch string
}

func (p MapEventsParams) apply(c *call) {
	set(c.query, "bbox", p.Bbox)
	set(c.query, "category", p.Category)
	set(c.query, "price", p.Price)
	set(c.query, "lat", p.Lat)
	set(c.query, "lng", p.Lng)
	set(c.query, "radius_km", p.RadiusKm)
	set(c.query, "starts_from", p.StartsFrom)
	set(c.query, "starts_to", p.StartsTo)
	set(c.query, "limit", p.Limit)
	set(c.query, "zoom", p.Zoom)
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// MapEvents finds published public events on a map: GET /events/map.
//
// Returns one page of published public events that have not ended and lie inside `bbox`, ordered by start. `bbox` can be
// combined with `lat`, `lng` and `radius_km`: an event must then lie in both. `truncated` is true if the box has more than
// `limit` events, or if the request could not scan all of them. With `zoom`, the response also has `clusters`: the number of
// events in each part of the box, or of the circle if there is no box. `items` are the same with and without `zoom`.
//
// The status of an Error is 304, 400, 401, 403, 500 or 503.
func (c *Client) MapEvents(ctx context.Context, params MapEventsParams) (*EventMapResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/map"})
	params.apply(request)
	return decode[EventMapResponse](ctx, c, request)
}

// ListPlacesParams are the parameters of ListPlaces. Fields that are zero or nil are not sent.
type ListPlacesParams struct {
	// The beginning of a name. Required without `lat` and `lng`.
	Q string
	// Latitude of a point. Send with `lng`.
	Lat *float64
	// Longitude of a point. Send with `lat`.
	Lng *float64
	// Maximum number of places.
	Limit int
}

func (p ListPlacesParams) apply(c *call) {
	set(c.query, "q", p.Q)
	set(c.query, "lat", p.Lat)
	set(c.query, "lng", p.Lng)
	set(c.query, "limit", p.Limit)
}

// ListPlaces finds places by name or position: GET /places.
//
// With `q`, returns the places one of whose names begins with it, or has a later word that does. Case and accents do not matter:
// `munch` finds Munich (München). `Berlin, US` finds only places in that country. Larger places come first, and with `lat` and
// `lng` also those near that point. Without `q`, returns the place at `lat` and `lng`, if there is one within 30 km.
//
// The places are the cities, towns and villages of the world with at least 5,000 inhabitants, from GeoNames (CC BY 4.0). The
// service asks no other server. Limit: 240 per client address in a minute.
//
// The status of an Error is 400, 401, 403, 429, 500 or 503.
func (c *Client) ListPlaces(ctx context.Context, params ListPlacesParams) (*PlaceListResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/places"})
	params.apply(request)
	return decode[PlaceListResponse](ctx, c, request)
}

// ListAddressesParams are the parameters of ListAddresses. Fields that are zero or nil are not sent.
type ListAddressesParams struct {
	// An address, or the beginning of one.
	Q string
	// Latitude of a point near which addresses are preferred. Counts only with `lng`.
	Lat *float64
	// Longitude of a point near which addresses are preferred. Counts only with `lat`.
	Lng *float64
	// Whether the user has asked for the search, as by the Enter key. Otherwise it is a suggestion while they type.
	Entered bool
}

func (p ListAddressesParams) apply(c *call) {
	set(c.query, "q", p.Q)
	set(c.query, "lat", p.Lat)
	set(c.query, "lng", p.Lng)
	set(c.query, "entered", p.Entered)
}

// ListAddresses finds streets and houses: GET /places/addresses.
//
// Finds addresses for the place of an event, by the geocoder of the operator (`GEOCODER_URL`). While the geocoder finds nothing, does
// not answer, or is not configured, returns cities as `GET /places` does. Show `attribution` beside the addresses.
//
// The geocoder gets the words, and the point rounded to 0.1 degrees; it gets nothing about the user. The words are neither logged nor
// stored. A geocoder of the kind Nominatim is asked only with `entered=true`. Limit: 60 per user in a minute; Nominatim also one search
// per second of all users.
//
// The status of an Error is 400, 401, 403, 429, 500 or 503.
func (c *Client) ListAddresses(ctx context.Context, params ListAddressesParams) (*AddressListResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/places/addresses"})
	params.apply(request)
	return decode[AddressListResponse](ctx, c, request)
}

// GetEventByCode gets the event of an address: GET /events/by-code/{code}.
//
// Returns what `GET /events/{event_id}` returns, for the last 8 characters of a `share_url`. The rest of its path does not count.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetEventByCode(ctx context.Context, code string) (*EventDetails, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/by-code/" + url.PathEscape(code)})
	return decode[EventDetails](ctx, c, request)
}

// GetEvent gets an event: GET /events/{event_id}.
//
// Returns the details that the viewer may see. Returns 404 if the event does not exist or the viewer may not see it. The
// `ETag` is for `If-Match`: it identifies what the organizer wrote and does not change when a user joins. There is no 304.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetEvent(ctx context.Context, eventID string) (*EventDetails, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID)})
	return decode[EventDetails](ctx, c, request)
}

// UpdateEventParams are the parameters of UpdateEvent. Fields that are zero or nil are not sent.
type UpdateEventParams struct {
	// The `ETag` of the event as last read. If the event has changed since, the response is 412 and nothing is written.
	IfMatch string
}

func (p UpdateEventParams) apply(c *call) {
	set(c.header, "If-Match", p.IfMatch)
}

// UpdateEvent changes an event: PATCH /events/{event_id}.
//
// Only hosts may change an event; everyone else gets 404. A canceled or completed event is 403. Rules across several
// fields apply to the merged result. If the event is published and its time or place changes, the users going and the
// invitees are notified.
//
// The status of an Error is 400, 401, 403, 404, 409, 412, 413, 415, 429, 500 or 503.
func (c *Client) UpdateEvent(ctx context.Context, eventID string, params UpdateEventParams, body UpdateEventRequest) (*EventDetails, error) {
	request := newCall(call{method: http.MethodPatch, path: "/events/" + url.PathEscape(eventID), body: body})
	params.apply(request)
	return decode[EventDetails](ctx, c, request)
}

// PublishEvent publishes a draft: POST /events/{event_id}/publish.
//
// Only hosts may publish; everyone else gets 404. A published event is unchanged (200). Returns 403 for a canceled or
// completed event. A paid event is 403 while payments are disabled or the organizer's payment profile is not `verified`. Limit: 100
// events a day.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) PublishEvent(ctx context.Context, eventID string) (*EventDetails, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/publish"})
	return decode[EventDetails](ctx, c, request)
}

// CancelEvent cancels an event: POST /events/{event_id}/cancel.
//
// Only the organizer may cancel; everyone else gets 404. A canceled event is unchanged (200); a completed one is 403. If the
// event was published, the users going and the invitees are notified. Their notification and mail contain the `message`.
// What was paid for the event is to be refunded (`refund_due_at` of the payment intent).
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) CancelEvent(ctx context.Context, eventID string, body CancelEventRequest) (*EventDetails, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/cancel", body: body})
	return decode[EventDetails](ctx, c, request)
}

// CloneEvent makes a draft like an event: POST /events/{event_id}/clone.
//
// Only the organizer may clone, in any state of the event; everyone else gets 404. The draft has the fields of the event, its
// picture and its questions included. Its date is fixed: the event moves by whole weeks, to the first that is later than the event and in the
// future, at the same local time; 403 `blocked_by_state` if that is after 2099. Guests, invitations, posts, messages, date options
// and reminder settings are not copied. Counts as a new event for the limit of 30 a day.
//
// The status of an Error is 400, 401, 403, 404, 409, 422, 429, 500 or 503.
func (c *Client) CloneEvent(ctx context.Context, eventID string) (*EventDetails, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/clone", keyed: true})
	return decode[EventDetails](ctx, c, request)
}

// ListGroupsParams are the parameters of ListGroups. Fields that are zero or nil are not sent.
type ListGroupsParams struct {
	// Search text. Every word must begin a word of the name, the description or the city, ignoring case and accents.
	Q string
	// City, ignoring case and accents.
	City string
	// Latitude of the centre. Send with `lng` and `radius_km`.
	Lat *float64
	// Longitude of the centre. Send with `lat` and `radius_km`.
	Lng *float64
	// Radius in kilometres. Send with `lat` and `lng`.
	RadiusKm *float64
	// Slug of a group.
	Slug string
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListGroupsParams) apply(c *call) {
	set(c.query, "q", p.Q)
	set(c.query, "city", p.City)
	set(c.query, "lat", p.Lat)
	set(c.query, "lng", p.Lng)
	set(c.query, "radius_km", p.RadiusKm)
	set(c.query, "slug", p.Slug)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListGroups finds groups: GET /groups.
//
// Lists public groups by name. All filters combine. Send `lat`, `lng` and `radius_km` together, or the request is 400. Groups of owners who are
// suspended or in a block with the viewer are omitted, and so are groups that moderators have suspended. One request scans a limited number of groups: a page may be
// shorter than `limit`, or even empty, and still have a `next_cursor`.
//
// With `slug`, the only item is the group that has this slug, or had it in the last 90 days, if the viewer sees it. Other filters are then
// 400.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) ListGroups(ctx context.Context, params ListGroupsParams) (*GroupsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/groups"})
	params.apply(request)
	return decode[GroupsResponse](ctx, c, request)
}

// ListGroupsAll returns the items of all pages of ListGroups, from params.Cursor on. It ends after an error.
func (c *Client) ListGroupsAll(ctx context.Context, params ListGroupsParams) iter.Seq2[Group, error] {
	return all(params.Cursor, func(cursor string) ([]Group, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListGroups(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// CreateGroup creates a group: POST /groups.
//
// The current user becomes its owner. The slug is made of the name; that of a private group ends with random characters. A user
// belongs to at most 50 groups (403 `group_limit`). Limit: 10 groups a day.
//
// The status of an Error is 400, 401, 403, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreateGroup(ctx context.Context, body CreateGroupRequest) (*Group, error) {
	request := newCall(call{method: http.MethodPost, path: "/groups", keyed: true, body: body})
	return decode[Group](ctx, c, request)
}

// ListMyGroupsParams are the parameters of ListMyGroups. Fields that are zero or nil are not sent.
type ListMyGroupsParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListMyGroupsParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListMyGroups lists the groups of the current user: GET /me/groups.
//
// Groups that the user owns, hosts or belongs to, groups that have invited the user, and groups that the user asks to join. The latest change
// of the membership comes first.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) ListMyGroups(ctx context.Context, params ListMyGroupsParams) (*GroupsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/groups"})
	params.apply(request)
	return decode[GroupsResponse](ctx, c, request)
}

// ListMyGroupsAll returns the items of all pages of ListMyGroups, from params.Cursor on. It ends after an error.
func (c *Client) ListMyGroupsAll(ctx context.Context, params ListMyGroupsParams) iter.Seq2[Group, error] {
	return all(params.Cursor, func(cursor string) ([]Group, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListMyGroups(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// GetGroup gets a group: GET /groups/{group_id}.
//
// All viewers see a public group. A private group is 404 for all but its members and invited users. A block in either direction
// between the viewer and the owner hides the group. A group that moderators have suspended is 404 for all but its owner and hosts.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) GetGroup(ctx context.Context, groupID string) (*Group, error) {
	request := newCall(call{method: http.MethodGet, path: "/groups/" + url.PathEscape(groupID)})
	return decode[Group](ctx, c, request)
}

// UpdateGroup changes a group: PATCH /groups/{group_id}.
//
// Only the owner and hosts may change a group (403 `not_organizer`), and only the owner its `visibility` and `slug` (403 `not_owner`).
// An earlier slug leads to the group for 90 days; no other group can take it meanwhile. A slug that another group has is 409, also
// if that group is private: its slug should be none that others would choose. A group has at most 10 earlier slugs (else 429). If
// the join policy becomes `open`, requests stay until a host decides.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdateGroup(ctx context.Context, groupID string, body UpdateGroupRequest) (*Group, error) {
	request := newCall(call{method: http.MethodPatch, path: "/groups/" + url.PathEscape(groupID), body: body})
	return decode[Group](ctx, c, request)
}

// DeleteGroup deletes a group: DELETE /groups/{group_id}.
//
// Only the owner may delete a group (403 `not_owner` for hosts, `not_organizer` otherwise). Its events stay with their organizers, and belong to no
// group any more. Those that only members saw become private.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) DeleteGroup(ctx context.Context, groupID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/groups/" + url.PathEscape(groupID)})
	return c.do(ctx, request, nil)
}

// SetGroupImage uploads the image of a group: PUT /groups/{group_id}/image.
//
// Sets `image_url` to an uploaded picture, in place of an earlier one. Only the owner and hosts may do it (403 `not_organizer`).
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) SetGroupImage(ctx context.Context, groupID string, picture []byte) (*GroupImage, error) {
	request := newCall(call{method: http.MethodPut, path: "/groups/" + url.PathEscape(groupID) + "/image", file: picture})
	return decode[GroupImage](ctx, c, request)
}

// DeleteGroupImage removes the image of a group: DELETE /groups/{group_id}/image.
//
// Clears `image_url`. A group without an image is unchanged (204). Only the owner and hosts may do it (403 `not_organizer`).
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) DeleteGroupImage(ctx context.Context, groupID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/groups/" + url.PathEscape(groupID) + "/image"})
	return c.do(ctx, request, nil)
}

// JoinGroup joins a group: POST /groups/{group_id}/membership.
//
// An invited user becomes a member. So does every user who sees an `open` group. With `approval` the user asks to join, and the owner
// and hosts are notified. An `invitation` group takes only invited users (403 `invitation_required`). Joining again changes the
// visibility, if it is sent.
//
// Returns 403 `removed` for a banned user, `member_limit` beyond 100000 members, `group_limit` beyond 50 groups of the user, `request_limit`
// beyond 1000 requests, and `blocked_by_state` for a suspended group. Limits: 60 joins an hour; 500 requests a day to one group.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) JoinGroup(ctx context.Context, groupID string, body JoinGroupRequest) (*GroupMember, error) {
	request := newCall(call{method: http.MethodPost, path: "/groups/" + url.PathEscape(groupID) + "/membership", body: body})
	return decode[GroupMember](ctx, c, request)
}

// LeaveGroup leaves a group: DELETE /groups/{group_id}/membership.
//
// Also declines an invitation and takes back a request. The owner cannot leave: 403 `blocked_by_state`. 404 if the user has no
// membership. The attendance of events stays.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) LeaveGroup(ctx context.Context, groupID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/groups/" + url.PathEscape(groupID) + "/membership"})
	return c.do(ctx, request, nil)
}

// ListGroupMembersParams are the parameters of ListGroupMembers. Fields that are zero or nil are not sent.
type ListGroupMembersParams struct {
	// Only members with this status.
	Status GroupMemberStatus
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListGroupMembersParams) apply(c *call) {
	set(c.query, "status", p.Status)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListGroupMembers lists the members of a group: GET /groups/{group_id}/members.
//
// The longest-standing members come first. The setting `member_list` of the group says who may list them: all viewers, its members
// (else 403 `not_participant`), or its owner and hosts (else 403 `not_organizer`). Only the owner and hosts list other statuses.
// Incognito members are omitted, and so are users in a block with the viewer.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListGroupMembers(ctx context.Context, groupID string, params ListGroupMembersParams) (*GroupMembersResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/groups/" + url.PathEscape(groupID) + "/members"})
	params.apply(request)
	return decode[GroupMembersResponse](ctx, c, request)
}

// ListGroupMembersAll returns the items of all pages of ListGroupMembers, from params.Cursor on. It ends after an error.
func (c *Client) ListGroupMembersAll(ctx context.Context, groupID string, params ListGroupMembersParams) iter.Seq2[GroupMember, error] {
	return all(params.Cursor, func(cursor string) ([]GroupMember, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListGroupMembers(ctx, groupID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// UpdateGroupMember approve,s ban or promote a member: PATCH /groups/{group_id}/members/{user_id}.
//
// With `status: active` the owner or a host approves a request. With `status: banned` they end the membership; the user cannot
// join or ask again, and does not attend coming events for members any more. Only the owner may ban a host, and change a `role`: `host`
// makes an active member a host, `member` ends it (403 `not_owner` for hosts, `not_organizer` otherwise). A host is never incognito. Repeating a change does nothing.
//
// 404 if the user has no membership. Returns 403 `blocked_by_state` for the owner, for a role of a user who is no active member and for the
// approval of a user who has not asked, `host_limit` beyond 20 hosts, and `member_limit` or `group_limit` as `joinGroup` does.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdateGroupMember(ctx context.Context, groupID string, userID string, body UpdateGroupMemberRequest) (*GroupMember, error) {
	request := newCall(call{method: http.MethodPatch, path: "/groups/" + url.PathEscape(groupID) + "/members/" + url.PathEscape(userID), body: body})
	return decode[GroupMember](ctx, c, request)
}

// RemoveGroupMember removes a member: DELETE /groups/{group_id}/members/{user_id}.
//
// Ends a membership, declines a request, takes back an invitation, or lifts a ban. Only the owner and hosts may do it (403 `not_organizer`),
// and only the owner for a host (403 `not_owner`). The owner cannot be removed: 403 `blocked_by_state`. 404 if the user has no membership. The
// user may join or ask again.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) RemoveGroupMember(ctx context.Context, groupID string, userID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/groups/" + url.PathEscape(groupID) + "/members/" + url.PathEscape(userID)})
	return c.do(ctx, request, nil)
}

// InviteToGroup invites a user to a group: POST /groups/{group_id}/invitations.
//
// Only the owner and hosts may invite (403 `not_organizer`). An invitation approves a request of the user. Inviting again changes nothing. An unknown
// user, or one in a block with the viewer or the owner, is 404. Returns 403 `removed` for a banned user, `invitation_limit` beyond 1000
// invitations, and `blocked_by_state` for a suspended group. Limits: 100 invitations an hour by one user; 20 a day to one user.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) InviteToGroup(ctx context.Context, groupID string, body InviteToGroupRequest) (*GroupMember, error) {
	request := newCall(call{method: http.MethodPost, path: "/groups/" + url.PathEscape(groupID) + "/invitations", body: body})
	return decode[GroupMember](ctx, c, request)
}

// ListGroupEventsParams are the parameters of ListGroupEvents. Fields that are zero or nil are not sent.
type ListGroupEventsParams struct {
	// Which events are listed.
	Period string
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListGroupEventsParams) apply(c *call) {
	set(c.query, "period", p.Period)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListGroupEvents lists the events of a group: GET /groups/{group_id}/events.
//
// Those that the viewer sees: the coming ones, the earliest first, or the past ones, the latest first. Canceled ones are listed, too. Members
// also see events with the visibility `members`. Only the owner, the hosts and the organizer see drafts.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListGroupEvents(ctx context.Context, groupID string, params ListGroupEventsParams) (*MyEventsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/groups/" + url.PathEscape(groupID) + "/events"})
	params.apply(request)
	return decode[MyEventsResponse](ctx, c, request)
}

// ListGroupEventsAll returns the items of all pages of ListGroupEvents, from params.Cursor on. It ends after an error.
func (c *Client) ListGroupEventsAll(ctx context.Context, groupID string, params ListGroupEventsParams) iter.Seq2[EventCard, error] {
	return all(params.Cursor, func(cursor string) ([]EventCard, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListGroupEvents(ctx, groupID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// ListGroupAnnouncementsParams are the parameters of ListGroupAnnouncements. Fields that are zero or nil are not sent.
type ListGroupAnnouncementsParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListGroupAnnouncementsParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListGroupAnnouncements lists the announcements of a group: GET /groups/{group_id}/announcements.
//
// For its members, also those who joined later (403 `not_participant` otherwise). Newest first. Announcements of users in a block with
// the viewer are omitted.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListGroupAnnouncements(ctx context.Context, groupID string, params ListGroupAnnouncementsParams) (*GroupAnnouncementsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/groups/" + url.PathEscape(groupID) + "/announcements"})
	params.apply(request)
	return decode[GroupAnnouncementsResponse](ctx, c, request)
}

// ListGroupAnnouncementsAll returns the items of all pages of ListGroupAnnouncements, from params.Cursor on. It ends after an error.
func (c *Client) ListGroupAnnouncementsAll(ctx context.Context, groupID string, params ListGroupAnnouncementsParams) iter.Seq2[GroupAnnouncement, error] {
	return all(params.Cursor, func(cursor string) ([]GroupAnnouncement, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListGroupAnnouncements(ctx, groupID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// AnnounceToGroup announces something to the members: POST /groups/{group_id}/announcements.
//
// Every member is notified of the text; the notification links to the group. Only the owner and hosts may announce (403
// `not_organizer`). A suspended group is 403 `blocked_by_state`. Limits: 20 announcements a day by one user, 5 a day to one group.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) AnnounceToGroup(ctx context.Context, groupID string, body AnnounceToGroupRequest) (*GroupAnnouncement, error) {
	request := newCall(call{method: http.MethodPost, path: "/groups/" + url.PathEscape(groupID) + "/announcements", keyed: true, body: body})
	return decode[GroupAnnouncement](ctx, c, request)
}

// ListGroupSources lists the calendars that a group subscribes to: GET /groups/{group_id}/sources.
//
// The oldest first. Always one page. Only the owner and hosts may list them (403 `not_organizer`), because an address can be secret.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListGroupSources(ctx context.Context, groupID string) (*GroupSourcesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/groups/" + url.PathEscape(groupID) + "/sources"})
	return decode[GroupSourcesResponse](ctx, c, request)
}

// AddGroupSource subscribes a group to a calendar of another service: PUT /groups/{group_id}/sources.
//
// The calendar (iCalendar) is read about every 60 minutes. Its coming events, at most 500, are published as events of the group, which
// the owner of the group organizes. They are visible to the members of a private group, and to all viewers otherwise. They have a
// `source_host`, and people join them only at their `external_url`: other changes and joins are 403 `event_external`.
//
// An event is canceled when the calendar says so, or when it is gone from two reads in a row. A calendar that cannot be read, or has
// lost all its events, changes nothing. Hosts are notified once when this lasts for a day (`group_source_failed`). Members are
// notified of the first of several new events, at most once a day.
//
// Repeating an address changes nothing. Only the owner and hosts may add one (403 `not_organizer`), at most 5 (403 `source_limit`),
// and none to a suspended group (403 `blocked_by_state`). Limit: 10 a day by one user.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) AddGroupSource(ctx context.Context, groupID string, body AddGroupSourceRequest) (*GroupSource, error) {
	request := newCall(call{method: http.MethodPut, path: "/groups/" + url.PathEscape(groupID) + "/sources", body: body})
	return decode[GroupSource](ctx, c, request)
}

// RemoveGroupSource ends the subscription of a calendar: DELETE /groups/{group_id}/sources/{source_id}.
//
// Coming events of the calendar are canceled, and all its events are hidden from everybody but their organizer. Only the owner and
// hosts of the group may do it (403 `not_organizer`).
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) RemoveGroupSource(ctx context.Context, groupID string, sourceID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/groups/" + url.PathEscape(groupID) + "/sources/" + url.PathEscape(sourceID)})
	return c.do(ctx, request, nil)
}

// TransferGroup hands a group over to a host: POST /groups/{group_id}/transfer.
//
// Only the owner may do it (403 `not_owner` for hosts, `not_organizer` otherwise). The host becomes the owner, and the owner a host. 404 if the
// user does not belong to the group, 403 `blocked_by_state` if the user is not a host or is suspended.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) TransferGroup(ctx context.Context, groupID string, body TransferGroupRequest) (*Group, error) {
	request := newCall(call{method: http.MethodPost, path: "/groups/" + url.PathEscape(groupID) + "/transfer", body: body})
	return decode[Group](ctx, c, request)
}

// CreateEventSeries creates a series of events: POST /event-series.
//
// Makes an event for each date of a recurrence rule, up to `horizon_days` ahead: the first 20 at once, later ones as their time comes.
// Each is an ordinary event of the caller with its own guests, posts and chat. With `publish: automatic` the dates are published. They
// stay drafts while the organizer is suspended, has neither a verified e-mail address nor a phone, or may not publish paid events. The
// organizer is then notified once (`series_drafts`), and again only after dates were published in between. Followers are notified of
// the first dates only.
//
// The rule is an RRULE of RFC 5545 without its name: `FREQ` is `DAILY`, `WEEKLY`, `MONTHLY` or `YEARLY`, with `INTERVAL` (1 to 52), `BYDAY`,
// `BYMONTHDAY`, `BYSETPOS`, and `COUNT` (1 to 366) or `UNTIL` (in UTC, at most 5 years ahead). `starts_at` must be a date of the rule (400
// otherwise, with the next one that is). A local time that the clock skips counts with the offset before the change; of a local time that
// occurs twice, the first counts. Days that a month does not have are left out.
//
// Limits: 20 series that still have dates to make (403 `blocked_by_state`), 5 new series a day, 200 dates a day: later ones are made the next day.
//
// The status of an Error is 400, 401, 403, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreateEventSeries(ctx context.Context, body CreateEventSeriesRequest) (*EventSeries, error) {
	request := newCall(call{method: http.MethodPost, path: "/event-series", keyed: true, body: body})
	return decode[EventSeries](ctx, c, request)
}

// PreviewEventSeriesParams are the parameters of PreviewEventSeries. Fields that are zero or nil are not sent.
type PreviewEventSeriesParams struct {
	// The recurrence rule.
	Rrule string
	// Local date and time of the first date.
	StartsAt LocalDateTime
	// IANA zone of the place.
	Timezone string
}

func (p PreviewEventSeriesParams) apply(c *call) {
	set(c.query, "rrule", p.Rrule)
	set(c.query, "starts_at", p.StartsAt)
	set(c.query, "timezone", p.Timezone)
}

// PreviewEventSeries previews the dates of a rule: GET /event-series/preview.
//
// The first ten dates, without creating anything. Returns 400 as `createEventSeries` does.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) PreviewEventSeries(ctx context.Context, params PreviewEventSeriesParams) (*SeriesPreview, error) {
	request := newCall(call{method: http.MethodGet, path: "/event-series/preview"})
	params.apply(request)
	return decode[SeriesPreview](ctx, c, request)
}

// GetEventSeries gets a series: GET /event-series/{series_id}.
//
// Returns the series to its organizer, and to users who see one of its events (404 otherwise).
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetEventSeries(ctx context.Context, seriesID string) (*EventSeries, error) {
	request := newCall(call{method: http.MethodGet, path: "/event-series/" + url.PathEscape(seriesID)})
	return decode[EventSeries](ctx, c, request)
}

// UpdateEventSeries changes a series: PATCH /event-series/{series_id}.
//
// Only its organizer may change it; everyone else gets 404. The fields of `template` are changed in the series, so in all dates made
// later. `apply` says whether the coming dates that are made already change, too. Dates that cannot take the change are left alone, such as
// one with more guests than the new capacity. Guests are notified once if the place changes. Start and rule change by `splitEventSeries`.
// After an error, repeat the request: earlier changes stay.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdateEventSeries(ctx context.Context, seriesID string, body UpdateEventSeriesRequest) (*SeriesChange, error) {
	request := newCall(call{method: http.MethodPatch, path: "/event-series/" + url.PathEscape(seriesID), body: body})
	return decode[SeriesChange](ctx, c, request)
}

// ListSeriesEventsParams are the parameters of ListSeriesEvents. Fields that are zero or nil are not sent.
type ListSeriesEventsParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListSeriesEventsParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListSeriesEvents lists the coming events of a series: GET /event-series/{series_id}/events.
//
// Those that the viewer sees and that have not ended, the earliest first; canceled ones, too. Only the organizer sees drafts.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListSeriesEvents(ctx context.Context, seriesID string, params ListSeriesEventsParams) (*MyEventsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/event-series/" + url.PathEscape(seriesID) + "/events"})
	params.apply(request)
	return decode[MyEventsResponse](ctx, c, request)
}

// ListSeriesEventsAll returns the items of all pages of ListSeriesEvents, from params.Cursor on. It ends after an error.
func (c *Client) ListSeriesEventsAll(ctx context.Context, seriesID string, params ListSeriesEventsParams) iter.Seq2[EventCard, error] {
	return all(params.Cursor, func(cursor string) ([]EventCard, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListSeriesEvents(ctx, seriesID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// ListSeriesDatesParams are the parameters of ListSeriesDates. Fields that are zero or nil are not sent.
type ListSeriesDatesParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListSeriesDatesParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListSeriesDates lists the coming dates of a series: GET /event-series/{series_id}/dates.
//
// Only the organizer may list them; everyone else gets 404. By `occurrence_at`: dates that are made, dates that are skipped, and, of an
// active series, dates that will be made.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListSeriesDates(ctx context.Context, seriesID string, params ListSeriesDatesParams) (*SeriesDatesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/event-series/" + url.PathEscape(seriesID) + "/dates"})
	params.apply(request)
	return decode[SeriesDatesResponse](ctx, c, request)
}

// ListSeriesDatesAll returns the items of all pages of ListSeriesDates, from params.Cursor on. It ends after an error.
func (c *Client) ListSeriesDatesAll(ctx context.Context, seriesID string, params ListSeriesDatesParams) iter.Seq2[SeriesDateState, error] {
	return all(params.Cursor, func(cursor string) ([]SeriesDateState, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListSeriesDates(ctx, seriesID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// SkipSeriesDate skips a date of a series: POST /event-series/{series_id}/skip.
//
// Only the organizer may skip a date; everyone else gets 404. A date that is not made yet will not be made. A date that is made is
// canceled, and its guests are notified. 400 if it is not a date of the series, 403 `event_ended` if it is over. Skipping again changes nothing.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) SkipSeriesDate(ctx context.Context, seriesID string, body SkipSeriesDateRequest) (*EventSeries, error) {
	request := newCall(call{method: http.MethodPost, path: "/event-series/" + url.PathEscape(seriesID) + "/skip", body: body})
	return decode[EventSeries](ctx, c, request)
}

// SplitEventSeries continues a series by another rule: POST /event-series/{series_id}/split.
//
// For other days or another time. Only the organizer may split a series; everyone else gets 404. The series ends before the date `from`, and
// a new one begins at `starts_at`, with the same template and the same members. Dates from `from` on that are made already and have
// neither guests nor invitations are canceled; the others are left alone. 403 `blocked_by_state` if the series has ended. Counts as a new
// series for the limits of `createEventSeries`.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) SplitEventSeries(ctx context.Context, seriesID string, body SplitEventSeriesRequest) (*SeriesSplit, error) {
	request := newCall(call{method: http.MethodPost, path: "/event-series/" + url.PathEscape(seriesID) + "/split", keyed: true, body: body})
	return decode[SeriesSplit](ctx, c, request)
}

// PauseEventSeries stops making dates: POST /event-series/{series_id}/pause.
//
// Only the organizer may pause a series; everyone else gets 404. Dates that are made already stay. 403 `blocked_by_state` if the series
// has ended.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) PauseEventSeries(ctx context.Context, seriesID string) (*EventSeries, error) {
	request := newCall(call{method: http.MethodPost, path: "/event-series/" + url.PathEscape(seriesID) + "/pause"})
	return decode[EventSeries](ctx, c, request)
}

// ResumeEventSeries continues a paused series: POST /event-series/{series_id}/resume.
//
// Only the organizer may resume a series; everyone else gets 404. Dates that were missed in the past are not made. 403 `blocked_by_state` if
// the series has ended.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) ResumeEventSeries(ctx context.Context, seriesID string) (*EventSeries, error) {
	request := newCall(call{method: http.MethodPost, path: "/event-series/" + url.PathEscape(seriesID) + "/resume"})
	return decode[EventSeries](ctx, c, request)
}

// EndEventSeries ends a series: POST /event-series/{series_id}/end.
//
// Only the organizer may end a series; everyone else gets 404. Dates that are made already stay: cancel those that do not take place. Ending
// again changes nothing.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) EndEventSeries(ctx context.Context, seriesID string) (*EventSeries, error) {
	request := newCall(call{method: http.MethodPost, path: "/event-series/" + url.PathEscape(seriesID) + "/end"})
	return decode[EventSeries](ctx, c, request)
}

// JoinEventSeries joins all dates of a series: POST /event-series/{series_id}/join.
//
// The user joins all coming dates that are made, and later ones when they are made, before they are listed. For a full date, the user enters its
// waiting list, if it has one. A user who joins again also joins dates that they have left. The organizer is notified once. Returns
// 403 `payment_required` for a series with a price, `event_private` for a private one, and `blocked_by_state` if the series has 2000 members.
// If the organizer approves guests, it is also `blocked_by_state`: they decide about the guests of each date, so users ask for each date.
// Dates with a required question that `answers` does not answer are left out. After an error, repeat the request: joined dates stay.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) JoinEventSeries(ctx context.Context, seriesID string, body JoinEventSeriesRequest) (*SeriesJoin, error) {
	request := newCall(call{method: http.MethodPost, path: "/event-series/" + url.PathEscape(seriesID) + "/join", body: body})
	return decode[SeriesJoin](ctx, c, request)
}

// LeaveEventSeriesParams are the parameters of LeaveEventSeries. Fields that are zero or nil are not sent.
type LeaveEventSeriesParams struct {
	// What happens with the dates that the user has joined.
	Dates string
}

func (p LeaveEventSeriesParams) apply(c *call) {
	set(c.query, "dates", p.Dates)
}

// LeaveEventSeries leaves a series: DELETE /event-series/{series_id}/join.
//
// The user joins no later dates. With `dates=leave`, the user also leaves the coming dates of the series and their waiting lists. Returns 404
// if the user has not joined the series.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) LeaveEventSeries(ctx context.Context, seriesID string, params LeaveEventSeriesParams) error {
	request := newCall(call{method: http.MethodDelete, path: "/event-series/" + url.PathEscape(seriesID) + "/join"})
	params.apply(request)
	return c.do(ctx, request, nil)
}

// JoinEvent joins a public event: POST /events/{event_id}/join.
//
// Any signed-in user who sees the event may join, the organizer included. Joining again changes the visibility only if the
// body has one, so a retry never reveals an incognito participant. Returns 403 if the event is private, canceled, completed
// or full, or if the user has not paid for a paid event. To join a private event, respond to the invitation with
// `PATCH /events/{event_id}/rsvp`. After joining, refresh the event details and the calendar.
//
// A user may come with companions, up to the event's `max_party_size` (else 400). Joining again with another `party_size`
// takes or returns seats. A party is never split: if it does not fit whole, 403 `event_full` and nothing changes.
//
// If the event has `join_policy` `approval`, a join without an invitation asks the organizer: the response has status `requested`, and
// no seat is taken. Joining again changes the request. Requests end at the start (403 `event_ended`); an event has at most 1000 (403
// `request_limit`). A declined user may ask once more, then 403 `request_declined`. Whom the organizer has removed gets 403 `removed`.
//
// If the event has questions (`has_questions`), send `answers`. Wrong ones are 400. Without any, a required question is 403
// `answers_required`. Joining again with `answers` replaces them until the start (then 403 `event_ended`).
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) JoinEvent(ctx context.Context, eventID string, body JoinEventRequest) (*EventParticipant, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/join", body: body})
	return decode[EventParticipant](ctx, c, request)
}

// LeaveEvent leaves an event: DELETE /events/{event_id}/join.
//
// Allowed in any state of the event. Leaving again returns the same participant. Returns 404 if the user never joined. Leaving a
// private event declines the invitation. It also withdraws a request to join.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) LeaveEvent(ctx context.Context, eventID string) (*EventParticipant, error) {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/join"})
	return decode[EventParticipant](ctx, c, request)
}

// DownloadEventCalendarParams are the parameters of DownloadEventCalendar. Fields that are zero or nil are not sent.
type DownloadEventCalendarParams struct {
	// The `ETag` of the client's copy. If nothing has changed, the response is 304.
	IfNoneMatch string
}

func (p DownloadEventCalendarParams) apply(c *call) {
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// DownloadEventCalendar gets an event as iCalendar: GET /events/{event_id}/calendar.ics.
//
// Returns the event in iCalendar format (RFC 5545), as the viewer may see it. `UID` is the event's id. `SEQUENCE` increases when time
// or place changes. `STATUS` follows the event. Times are UTC. Returns 404 if the event does not exist or the viewer may not see it.
//
// The status of an Error is 304, 401, 403, 404, 500 or 503.
func (c *Client) DownloadEventCalendar(ctx context.Context, eventID string, params DownloadEventCalendarParams) (io.ReadCloser, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/calendar.ics", stream: true})
	params.apply(request)
	return c.open(ctx, request)
}

// ListParticipantsParams are the parameters of ListParticipants. Fields that are zero or nil are not sent.
type ListParticipantsParams struct {
	// Participants with this status.
	Status string
	// Only participants who come with at least this many people, themselves included.
	MinPartySize int
	// Only guests who have answered this question, and with `answer`, who have given this answer.
	QuestionID string
	// Only guests with this answer to `question_id`, or one of whose companions has given it: an option, the whole text, or `true` or
	// `false`. Requires `question_id` (else 400).
	Answer string
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListParticipantsParams) apply(c *call) {
	set(c.query, "status", p.Status)
	set(c.query, "min_party_size", p.MinPartySize)
	set(c.query, "question_id", p.QuestionID)
	set(c.query, "answer", p.Answer)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListParticipants lists the participants of an event: GET /events/{event_id}/participants.
//
// Only hosts may list them (403 otherwise), in any state of the event. Returns the users going, in a fixed order.
// `participation_visibility` marks incognito participants: only the organizer sees them. Users in a block with the organizer
// are omitted. A participant is **hidden**, with a `guest_code` in place of the profile, from a host in a block with them, and from
// an API key if they are incognito. `requested` lists the users who ask to join, the first request first, until the start. Each participant has
// their answers to the questions of the event.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListParticipants(ctx context.Context, eventID string, params ListParticipantsParams) (*EventParticipantsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/participants"})
	params.apply(request)
	return decode[EventParticipantsResponse](ctx, c, request)
}

// ListParticipantsAll returns the items of all pages of ListParticipants, from params.Cursor on. It ends after an error.
func (c *Client) ListParticipantsAll(ctx context.Context, eventID string, params ListParticipantsParams) iter.Seq2[EventParticipantItem, error] {
	return all(params.Cursor, func(cursor string) ([]EventParticipantItem, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListParticipants(ctx, eventID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// DownloadParticipants downloads the participants of an event as CSV: GET /events/{event_id}/participants.csv.
//
// Only hosts may download them (403 otherwise). One line for each user going, in the order of `listParticipants`, after a line
// with the names of the columns: `name`, `username`, `party_size`, `participation_visibility`, `joined_at`, `participant_id`. The name
// of a hidden participant is `Guest` with their code. The text is UTF-8 with a byte order mark; all cells are quoted. A cell that a
// spreadsheet would take for a formula begins with an apostrophe.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) DownloadParticipants(ctx context.Context, eventID string) (io.ReadCloser, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/participants.csv", stream: true})
	return c.open(ctx, request)
}

// ApproveRequests approves the requests to join an event: POST /events/{event_id}/participants/approve.
//
// Only hosts may do it (403 otherwise). Approves requests as `approveParticipant` does, the first one first, at most 100. It stops
// before the first one that cannot be approved, such as for want of seats.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) ApproveRequests(ctx context.Context, eventID string) (*ApprovedRequests, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/participants/approve"})
	return decode[ApprovedRequests](ctx, c, request)
}

// RemoveParticipant removes a participant from an event: DELETE /events/{event_id}/participants/{participant_id}.
//
// Only hosts may do it (403 otherwise), until the event is over. The participant is notified without a reason, their invitation is
// deleted, and they can neither join nor accept a link (403 `removed`). A new invitation or `approveParticipant` lifts this. What they have
// paid for the event is to be refunded (`refund_due_at` of the payment intent): to come after all, they must pay again. Removing again
// changes nothing. Returns 403 `blocked_by_state` for a participant who has left, or only requested to join.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) RemoveParticipant(ctx context.Context, eventID string, participantID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/participants/" + url.PathEscape(participantID)})
	return c.do(ctx, request, nil)
}

// ApproveParticipant approves a request to join: POST /events/{event_id}/participants/{participant_id}/approve.
//
// Only hosts may do it (403 otherwise), until the start (403 `event_ended`). The user takes seats: status `going`. If there
// are too few, they enter the waiting list by the time of the request: status `waiting`. Without a waiting list, 403
// `event_full`. If the event has a price, seats are offered to them: status `offered` or `waiting`. Approving a participant again
// changes nothing. For a participant with status `removed`, it allows them to join again: status `left`.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) ApproveParticipant(ctx context.Context, eventID string, participantID string) (*EventParticipant, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/participants/" + url.PathEscape(participantID) + "/approve"})
	return decode[EventParticipant](ctx, c, request)
}

// DeclineParticipant declines a request to join: POST /events/{event_id}/participants/{participant_id}/decline.
//
// Only hosts may do it (403 otherwise). The user is notified, and may ask once more. Declining again changes nothing. Returns 403
// `blocked_by_state` if the user does not request to join.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) DeclineParticipant(ctx context.Context, eventID string, participantID string) (*EventParticipant, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/participants/" + url.PathEscape(participantID) + "/decline"})
	return decode[EventParticipant](ctx, c, request)
}

// ListInvitationsParams are the parameters of ListInvitations. Fields that are zero or nil are not sent.
type ListInvitationsParams struct {
	// Only invitations with this status.
	Status InvitationStatus
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListInvitationsParams) apply(c *call) {
	set(c.query, "status", p.Status)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListInvitations lists the invitations to an event: GET /events/{event_id}/invitations.
//
// Only hosts may list them (403 otherwise), in any state of the event. Returns all invitations with their status,
// newest first. Invitations of users in a block with the organizer are omitted.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListInvitations(ctx context.Context, eventID string, params ListInvitationsParams) (*EventInvitationsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/invitations"})
	params.apply(request)
	return decode[EventInvitationsResponse](ctx, c, request)
}

// ListInvitationsAll returns the items of all pages of ListInvitations, from params.Cursor on. It ends after an error.
func (c *Client) ListInvitationsAll(ctx context.Context, eventID string, params ListInvitationsParams) iter.Seq2[EventInvitation, error] {
	return all(params.Cursor, func(cursor string) ([]EventInvitation, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListInvitations(ctx, eventID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// InviteToEvent invites a user to a private event: POST /events/{event_id}/invitations.
//
// Only hosts may invite (403 otherwise). The event must be private, and a draft or published (else 403). Name an
// existing user by exactly one of phone and e-mail address. Inviting again resets the invitation to `pending`. An unknown
// user, or one in a block with the organizer, is 404. Limits: 500 invitations per event (403), 100 per organizer in an hour
// (429), 20 unknown phones or addresses in an hour (429).
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) InviteToEvent(ctx context.Context, eventID string, body CreateEventInvitationRequest) (*EventInvitation, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/invitations", keyed: true, body: body})
	return decode[EventInvitation](ctx, c, request)
}

// ListHosts lists the hosts of an event: GET /events/{event_id}/hosts.
//
// The organizer, then the hosts and those who are asked to be hosts, the oldest first: at most 11. Only hosts may list them (403
// otherwise).
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListHosts(ctx context.Context, eventID string) (*EventHostsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/hosts"})
	return decode[EventHostsResponse](ctx, c, request)
}

// InviteHost asks a user to host an event: POST /events/{event_id}/hosts.
//
// Only the organizer may ask (403 `not_owner` for other hosts, `not_organizer` otherwise). The event must be a draft with a title, or
// published (else 403). Until they answer, the user sees the event like an invited guest. Asking again changes nothing while the user is
// asked or hosts. An unknown user, or one in a block with the organizer, is 404. At most 10 hosts an event (403 `host_limit`). Limit:
// 30 a day. Mails and push messages have a budget, as invitations to strangers do, even if the user knows the organizer.
//
// Hosts change and publish the event, write posts, invite guests, and manage guests, date options and the waiting list. They do
// not see who goes incognito. Only the organizer cancels the event, chooses hosts, and hands the event over.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) InviteHost(ctx context.Context, eventID string, body InviteHostRequest) (*EventHost, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/hosts", body: body})
	return decode[EventHost](ctx, c, request)
}

// UpdateHost becomes a host of an event: PATCH /events/{event_id}/hosts/{user_id}.
//
// The user who is asked accepts (403 for everybody else). Repeating it changes nothing. The event must be a draft or published (403
// otherwise). To decline, remove the host.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdateHost(ctx context.Context, eventID string, userID string, body UpdateHostRequest) (*EventHost, error) {
	request := newCall(call{method: http.MethodPatch, path: "/events/" + url.PathEscape(eventID) + "/hosts/" + url.PathEscape(userID), body: body})
	return decode[EventHost](ctx, c, request)
}

// RemoveHost removes a host: DELETE /events/{event_id}/hosts/{user_id}.
//
// The host themselves, to decline or to leave, or the organizer (403 `not_owner` for other hosts, `not_organizer` otherwise). What the
// host has written stays. 404 if the user neither hosts the event nor is asked to.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) RemoveHost(ctx context.Context, eventID string, userID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/hosts/" + url.PathEscape(userID)})
	return c.do(ctx, request, nil)
}

// TransferEvent hands an event over to a host: POST /events/{event_id}/transfer.
//
// Only the organizer may do it (403 `not_owner` for other hosts, `not_organizer` otherwise), while the event is a draft or published
// (else 403). The host becomes the organizer, and the organizer a host. 404 if the user is not a host. 403 `blocked_by_state` if the
// host has not accepted or is suspended, or somebody has begun to pay for the event; `organizer_unverified` if the event is published
// and paid, and the host may not charge. Webhooks of the former organizer for this event are deleted.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) TransferEvent(ctx context.Context, eventID string, body TransferEventRequest) (*EventHostsResponse, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/transfer", body: body})
	return decode[EventHostsResponse](ctx, c, request)
}

// EnterWaitlist enters the waiting list of a full event: POST /events/{event_id}/waitlist.
//
// Open to all who could join the event or accept its invitation. Freed seats go to the first whose party fits: with
// `automatic`, the user participates at once, until 48 hours before the start; otherwise the user gets an offer, which they accept by
// `POST /events/{event_id}/join`, or `PATCH /events/{event_id}/rsvp` for a private event, until `offer_expires_at`.
// Entering again returns the same entry. A larger party moves to the end; a smaller one keeps its place. While seats are offered, the party
// cannot grow (403 `blocked_by_state`). Returns 403 `waitlist_off` if the event has no waiting list, `event_not_full` if the party could
// join now, `waitlist_full` beyond 5000 entries, `event_ended` after the start, and `blocked_by_state` if the user is going.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) EnterWaitlist(ctx context.Context, eventID string, body EnterWaitlistRequest) (*WaitlistEntry, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/waitlist", keyed: true, body: body})
	return decode[WaitlistEntry](ctx, c, request)
}

// GetWaitlistEntry gets your entry in the waiting list: GET /events/{event_id}/waitlist.
//
// Returns 404 if the user never entered the list.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetWaitlistEntry(ctx context.Context, eventID string) (*WaitlistEntry, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/waitlist"})
	return decode[WaitlistEntry](ctx, c, request)
}

// LeaveWaitlist leaves the waiting list: DELETE /events/{event_id}/waitlist.
//
// Ends an offer, too. Leaving again changes nothing. Returns 404 if the user never entered the list.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) LeaveWaitlist(ctx context.Context, eventID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/waitlist"})
	return c.do(ctx, request, nil)
}

// ListWaitlistEntriesParams are the parameters of ListWaitlistEntries. Fields that are zero or nil are not sent.
type ListWaitlistEntriesParams struct {
	// Only entries with this status.
	Status WaitlistStatus
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListWaitlistEntriesParams) apply(c *call) {
	set(c.query, "status", p.Status)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListWaitlistEntries lists the waiting list of an event: GET /events/{event_id}/waitlist/entries.
//
// Only hosts may list it (403 otherwise). In the order in which seats are given. Entries of users in a block with the organizer
// are omitted.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListWaitlistEntries(ctx context.Context, eventID string, params ListWaitlistEntriesParams) (*WaitlistEntriesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/waitlist/entries"})
	params.apply(request)
	return decode[WaitlistEntriesResponse](ctx, c, request)
}

// ListWaitlistEntriesAll returns the items of all pages of ListWaitlistEntries, from params.Cursor on. It ends after an error.
func (c *Client) ListWaitlistEntriesAll(ctx context.Context, eventID string, params ListWaitlistEntriesParams) iter.Seq2[WaitlistEntryItem, error] {
	return all(params.Cursor, func(cursor string) ([]WaitlistEntryItem, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListWaitlistEntries(ctx, eventID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// RemoveWaitlistEntry removes an entry from the waiting list: DELETE /events/{event_id}/waitlist/entries/{entry_id}.
//
// Only hosts may do it (403 otherwise). Ends an offer, too. The user may enter the list again.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) RemoveWaitlistEntry(ctx context.Context, eventID string, entryID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/waitlist/entries/" + url.PathEscape(entryID)})
	return c.do(ctx, request, nil)
}

// OfferSeats offers free seats to an entry, whatever its place: POST /events/{event_id}/waitlist/entries/{entry_id}/offer.
//
// Only hosts may do it (403 otherwise). Returns 403 `event_full` if the party does not fit into the seats that are neither taken nor
// offered, and `blocked_by_state` if the entry does not wait. Repeating it returns the same offer.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) OfferSeats(ctx context.Context, eventID string, entryID string) (*WaitlistEntry, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/waitlist/entries/" + url.PathEscape(entryID) + "/offer"})
	return decode[WaitlistEntry](ctx, c, request)
}

// ListQuestions lists the questions to guests of an event: GET /events/{event_id}/questions.
//
// For all viewers of the event, in the order of the form. At most 10.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) ListQuestions(ctx context.Context, eventID string) (*EventQuestionsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/questions"})
	return decode[EventQuestionsResponse](ctx, c, request)
}

// SetQuestions replaces the questions to guests of an event: PUT /events/{event_id}/questions.
//
// Only hosts may do it (403 otherwise), while the event is a draft or published (else 403). The questions are replaced as a whole.
// A question with the `id` of an earlier one keeps its answers if `kind` and `applies_to` stay and no option goes that somebody has
// chosen. Otherwise it is a new question with another `id`, and the earlier one is retired: hosts still read its answers. A question
// that is left out is retired if it has answers, else deleted. An unknown `id` is 400. An event has at most 50 questions, the
// retired ones included (403 `question_limit`). Guests who have joined are not asked again.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) SetQuestions(ctx context.Context, eventID string, body SetQuestionsRequest) (*EventQuestionsResponse, error) {
	request := newCall(call{method: http.MethodPut, path: "/events/" + url.PathEscape(eventID) + "/questions", body: body})
	return decode[EventQuestionsResponse](ctx, c, request)
}

// ListAnswersParams are the parameters of ListAnswers. Fields that are zero or nil are not sent.
type ListAnswersParams struct {
	// Only the answers of the user.
	Mine bool
	// Only guests with this status.
	Status string
	// Only guests who have answered this question, and with `answer`, who have given this answer.
	QuestionID string
	// Only guests with this answer to `question_id`, or one of whose companions has given it: an option, the whole text, or `true` or
	// `false`. Requires `question_id` (else 400).
	Answer string
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListAnswersParams) apply(c *call) {
	set(c.query, "mine", p.Mine)
	set(c.query, "status", p.Status)
	set(c.query, "question_id", p.QuestionID)
	set(c.query, "answer", p.Answer)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListAnswers lists the answers of guests of an event: GET /events/{event_id}/answers.
//
// Only hosts may list them (403 otherwise): of users who go, wait or request to join and have answered, in a fixed order. Only the
// organizer, without an API key, sees those who do it incognito. Users in a block with the organizer are omitted. From a host in a
// block with a guest, the guest is hidden: a `guest_code` stands in place of the profile. With `mine`, any user
// gets their own answers, and no others. Answers are deleted when the user leaves, is declined or removed, or deletes the
// account, and 90 days after the event.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListAnswers(ctx context.Context, eventID string, params ListAnswersParams) (*EventAnswersResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/answers"})
	params.apply(request)
	return decode[EventAnswersResponse](ctx, c, request)
}

// ListAnswersAll returns the items of all pages of ListAnswers, from params.Cursor on. It ends after an error.
func (c *Client) ListAnswersAll(ctx context.Context, eventID string, params ListAnswersParams) iter.Seq2[GuestAnswers, error] {
	return all(params.Cursor, func(cursor string) ([]GuestAnswers, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListAnswers(ctx, eventID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// DownloadAnswers downloads the answers of guests of an event as CSV: GET /events/{event_id}/answers.csv.
//
// Only hosts may download them (403 otherwise). The guests of `listAnswers`, one line for each person: the guest, then each companion
// with answers. The columns are `name`, `username`, `status`, `person` (0 is the guest), `participant_id`, and one for each
// question, retired ones last. The format is that of `downloadParticipants`.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) DownloadAnswers(ctx context.Context, eventID string) (io.ReadCloser, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/answers.csv", stream: true})
	return c.open(ctx, request)
}

// ListEmailInvitationsParams are the parameters of ListEmailInvitations. Fields that are zero or nil are not sent.
type ListEmailInvitationsParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListEmailInvitationsParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListEmailInvitations lists the e-mail invitations to an event: GET /events/{event_id}/email-invitations.
//
// Only hosts may list them (403 otherwise), in any state of the event. Newest first, without those taken back. They are
// deleted 7 days after the event.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListEmailInvitations(ctx context.Context, eventID string, params ListEmailInvitationsParams) (*EmailInvitationsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/email-invitations"})
	params.apply(request)
	return decode[EmailInvitationsResponse](ctx, c, request)
}

// ListEmailInvitationsAll returns the items of all pages of ListEmailInvitations, from params.Cursor on. It ends after an error.
func (c *Client) ListEmailInvitationsAll(ctx context.Context, eventID string, params ListEmailInvitationsParams) iter.Seq2[EmailInvitation, error] {
	return all(params.Cursor, func(cursor string) ([]EmailInvitation, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListEmailInvitations(ctx, eventID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// InviteByEmail invites e-mail addresses to an event: POST /events/{event_id}/email-invitations.
//
// Only hosts may invite (403 otherwise). The event must be published (else 403), and may be public. The addresses need no
// account: the link in the mail answers this invitation without a session. The response says nothing about accounts, and
// nothing about people who want no such mails. Limits: 500 invitations per event (403). The mails have a budget, see
// InvitationMessages. On the first day of an account, a `message` is 403 (`account_new`).
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) InviteByEmail(ctx context.Context, eventID string, body InviteByEmailRequest) (*EmailInvitationResults, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/email-invitations", keyed: true, body: body})
	return decode[EmailInvitationResults](ctx, c, request)
}

// ReadGuestList reads a guest list of another service: POST /events/{event_id}/guest-lists.
//
// Reads a CSV file, such as those that Luma and Eventbrite export, and returns its addresses; it stores nothing and sends nothing. To
// invite the guests, send addresses that are `new` to `POST /events/{event_id}/email-invitations`, up to 100 at a time. The first
// line names the columns; one of them must be the e-mail address. Only hosts may do it (403 otherwise), for a published
// event. At most 2 MiB. Always one page.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) ReadGuestList(ctx context.Context, eventID string, guests []byte) (*GuestList, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/guest-lists", file: guests, mediaType: "text/csv"})
	return decode[GuestList](ctx, c, request)
}

// WithdrawEmailInvitation takes an e-mail invitation back: DELETE /events/{event_id}/email-invitations/{invitation_id}.
//
// Only hosts may do it (403 otherwise). The link ends, and a mail that waits is not sent. Somebody who has accepted still
// attends. The address cannot be invited to this event again.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) WithdrawEmailInvitation(ctx context.Context, eventID string, invitationID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/email-invitations/" + url.PathEscape(invitationID)})
	return c.do(ctx, request, nil)
}

// ListInviteLinksParams are the parameters of ListInviteLinks. Fields that are zero or nil are not sent.
type ListInviteLinksParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListInviteLinksParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListInviteLinks lists the invitation links of a private event: GET /events/{event_id}/invite-links.
//
// Only hosts may list them (403 otherwise), in any state of the event. Newest first, without those that the organizer has
// ended. They are deleted 7 days after the event.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListInviteLinks(ctx context.Context, eventID string, params ListInviteLinksParams) (*InviteLinksResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/invite-links"})
	params.apply(request)
	return decode[InviteLinksResponse](ctx, c, request)
}

// ListInviteLinksAll returns the items of all pages of ListInviteLinks, from params.Cursor on. It ends after an error.
func (c *Client) ListInviteLinksAll(ctx context.Context, eventID string, params ListInviteLinksParams) iter.Seq2[InviteLink, error] {
	return all(params.Cursor, func(cursor string) ([]InviteLink, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListInviteLinks(ctx, eventID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// CreateInviteLink makes an invitation link to a private event: POST /events/{event_id}/invite-links.
//
// Only hosts may make links (403 otherwise). The event must be private, and a draft or published (else 403). Everybody who
// has the link can invite themselves by it, once the event is published and until it ends. Limits: 50 links per event that have not
// been ended (403), 100 links and invitations per organizer in an hour (429).
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreateInviteLink(ctx context.Context, eventID string, body CreateInviteLinkRequest) (*InviteLink, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/invite-links", keyed: true, body: body})
	return decode[InviteLink](ctx, c, request)
}

// EndInviteLink ends an invitation link: DELETE /events/{event_id}/invite-links/{link_id}.
//
// Only hosts may do it (403 otherwise), in any state of the event. The people who have used the link stay invited.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) EndInviteLink(ctx context.Context, eventID string, linkID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/invite-links/" + url.PathEscape(linkID)})
	return c.do(ctx, request, nil)
}

// GetInviteLink sees what an invitation link leads to: GET /invite-links/{token}.
//
// For everyone who has the link. The response never has the address of the event, its guests, their number, its posts or its chat.
// Returns 404 for an unknown link, and when the link has ended, is used up or has expired. It also does so if the event is a draft,
// canceled or over, if its organizer is suspended, and if there is a block between organizer and viewer. People who are invited
// already can open a link that is used up or has expired. Limit: 240 per client address in a minute.
//
// The status of an Error is 401, 403, 404, 429, 500 or 503.
func (c *Client) GetInviteLink(ctx context.Context, token string) (*InviteLinkPreview, error) {
	request := newCall(call{method: http.MethodGet, path: "/invite-links/" + url.PathEscape(token)})
	return decode[InviteLinkPreview](ctx, c, request)
}

// AcceptInviteLink accepts an invitation by link: POST /invite-links/{token}/accept.
//
// Invites the user and responds to the invitation, as `PATCH /events/{event_id}/rsvp` does: `accepted` returns 403 if the event is
// full, or if the user has not paid for a paid event. Returns 404 where `GET /invite-links/{token}` does, and 403 for the organizer
// and beyond 500 invitations to the event. A link with `max_uses` invites that many users, even if more try at the same moment. A
// user who is invited already, by this link or otherwise, takes no use.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) AcceptInviteLink(ctx context.Context, token string, body AcceptInviteLinkRequest) (*EventInvitation, error) {
	request := newCall(call{method: http.MethodPost, path: "/invite-links/" + url.PathEscape(token) + "/accept", body: body})
	return decode[EventInvitation](ctx, c, request)
}

// AnswerInvitation responds to an invitation: PATCH /events/{event_id}/rsvp.
//
// For the invitee (404 otherwise), while the event is a draft or published (else 403). `accepted` makes the user a
// participant. It returns 403 if the event is full, or if the user has not paid for a paid event. `declined` and `tentative`
// end an attendance. The linked calendar invite changes with it.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) AnswerInvitation(ctx context.Context, eventID string, body RSVPEventInvitationRequest) (*EventInvitation, error) {
	request := newCall(call{method: http.MethodPatch, path: "/events/" + url.PathEscape(eventID) + "/rsvp", body: body})
	return decode[EventInvitation](ctx, c, request)
}

// ListPostThreadsParams are the parameters of ListPostThreads. Fields that are zero or nil are not sent.
type ListPostThreadsParams struct {
	// Event id. Repeat the parameter for up to 50 events.
	EventID []string
}

func (p ListPostThreadsParams) apply(c *call) {
	set(c.query, "event_id", p.EventID)
}

// ListPostThreads gets the posts of several events: GET /events/posts.
//
// Returns threads grouped by event, in the order of the ids in the query; repeated ids count once. Unknown and hidden events are
// omitted; if none remain, the response is 404. Returns the newest posts of each event: 1000 in total in equal shares, at most 100 per
// event, each with its first 50 comments, and at most 4 MiB in total. Use the cursors to read the rest. If `threads` is empty and
// `next_cursor` is not null, the first post did not fit.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListPostThreads(ctx context.Context, params ListPostThreadsParams) (*EventPostThreadsBatchResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/posts"})
	params.apply(request)
	return decode[EventPostThreadsBatchResponse](ctx, c, request)
}

// ListEventPostsParams are the parameters of ListEventPosts. Fields that are zero or nil are not sent.
type ListEventPostsParams struct {
	// Maximum number of posts.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
	// The `ETag` of the client's copy. If the response would be identical, it is 304. Ignored for signed-in users.
	IfNoneMatch string
}

func (p ListEventPostsParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// ListEventPosts gets the posts of an event: GET /events/{event_id}/posts.
//
// For everyone who sees the event. Newest post first. Each post has its comments, oldest first. At most 100 posts with 200 comments
// each, and at most 4 MiB in total. Use the cursors to read the rest.
//
// The status of an Error is 304, 400, 401, 403, 404, 500 or 503.
func (c *Client) ListEventPosts(ctx context.Context, eventID string, params ListEventPostsParams) (*EventPostThreadsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/posts"})
	params.apply(request)
	return decode[EventPostThreadsResponse](ctx, c, request)
}

// ListEventPostsAll returns the items of all pages of ListEventPosts, from params.Cursor on. It ends after an error.
func (c *Client) ListEventPostsAll(ctx context.Context, eventID string, params ListEventPostsParams) iter.Seq2[EventPostThread, error] {
	return all(params.Cursor, func(cursor string) ([]EventPostThread, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListEventPosts(ctx, eventID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// CreateEventPost writes a post or an announcement: POST /events/{event_id}/posts.
//
// Only hosts may post (403 otherwise), in any state except draft (403). An announcement notifies the users going and
// the invitees who have not declined. A post notifies the users going. Limit: 30 an hour.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreateEventPost(ctx context.Context, eventID string, body CreateEventPostRequest) (*EventPost, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/posts", keyed: true, body: body})
	return decode[EventPost](ctx, c, request)
}

// DeleteEventPost deletes a post: DELETE /events/{event_id}/posts/{post_id}.
//
// Only the author may delete (403 otherwise). The post disappears with its comments, likes and reposts. Deleting again is 204;
// for all others a deleted post is 404.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) DeleteEventPost(ctx context.Context, eventID string, postID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/posts/" + url.PathEscape(postID)})
	return c.do(ctx, request, nil)
}

// ListPostCommentsParams are the parameters of ListPostComments. Fields that are zero or nil are not sent.
type ListPostCommentsParams struct {
	// Maximum number of comments.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
	// The `ETag` of the client's copy. If the response would be identical, it is 304. Ignored for signed-in users.
	IfNoneMatch string
}

func (p ListPostCommentsParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// ListPostComments gets the comments of a post: GET /events/{event_id}/posts/{post_id}/comments.
//
// For everyone who sees the event, oldest first. Send the `comments_next_cursor` of a thread as `cursor` to read the comments after the thread's.
//
// The status of an Error is 304, 400, 401, 403, 404, 500 or 503.
func (c *Client) ListPostComments(ctx context.Context, eventID string, postID string, params ListPostCommentsParams) (*EventPostCommentsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/posts/" + url.PathEscape(postID) + "/comments"})
	params.apply(request)
	return decode[EventPostCommentsResponse](ctx, c, request)
}

// ListPostCommentsAll returns the items of all pages of ListPostComments, from params.Cursor on. It ends after an error.
func (c *Client) ListPostCommentsAll(ctx context.Context, eventID string, postID string, params ListPostCommentsParams) iter.Seq2[EventPostComment, error] {
	return all(params.Cursor, func(cursor string) ([]EventPostComment, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListPostComments(ctx, eventID, postID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// CreatePostComment comments on a post: POST /events/{event_id}/posts/{post_id}/comments.
//
// Any signed-in user who sees the event may comment, in any state except draft (403). A reply names its `parent_comment_id`:
// a comment of the same post (else 404). That comment may be deleted. Replies deeper than 8 levels are attached to level 8.
// Limit: 20 a minute.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreatePostComment(ctx context.Context, eventID string, postID string, body CreateEventPostCommentRequest) (*EventPostComment, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/posts/" + url.PathEscape(postID) + "/comments", keyed: true, body: body})
	return decode[EventPostComment](ctx, c, request)
}

// UpdatePostComment edits a comment: PATCH /events/{event_id}/posts/{post_id}/comments/{comment_id}.
//
// Only the author may edit (403 otherwise). A deleted comment is 404.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdatePostComment(ctx context.Context, eventID string, postID string, commentID string, body UpdateEventPostCommentRequest) (*EventPostComment, error) {
	request := newCall(call{method: http.MethodPatch, path: "/events/" + url.PathEscape(eventID) + "/posts/" + url.PathEscape(postID) + "/comments/" + url.PathEscape(commentID), body: body})
	return decode[EventPostComment](ctx, c, request)
}

// DeletePostComment deletes a comment: DELETE /events/{event_id}/posts/{post_id}/comments/{comment_id}.
//
// Only the author may delete (403 otherwise). A tombstone without text and author remains, so that replies stay connected. Deleting
// again is 204.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) DeletePostComment(ctx context.Context, eventID string, postID string, commentID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/posts/" + url.PathEscape(postID) + "/comments/" + url.PathEscape(commentID)})
	return c.do(ctx, request, nil)
}

// LikePost likes a post: POST /events/{event_id}/posts/{post_id}/like.
//
// Any signed-in user who sees the event may like its posts, in any state except draft (403). Idempotent.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) LikePost(ctx context.Context, eventID string, postID string) (*EventPostLikeState, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/posts/" + url.PathEscape(postID) + "/like"})
	return decode[EventPostLikeState](ctx, c, request)
}

// UnlikePost removes a like: DELETE /events/{event_id}/posts/{post_id}/like.
//
// Idempotent.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) UnlikePost(ctx context.Context, eventID string, postID string) (*EventPostLikeState, error) {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/posts/" + url.PathEscape(postID) + "/like"})
	return decode[EventPostLikeState](ctx, c, request)
}

// RepostPost reposts a post: POST /events/{event_id}/posts/{post_id}/repost.
//
// Any signed-in user who sees the event may repost, in any state except draft (403). Posts of private events are 403. Idempotent.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) RepostPost(ctx context.Context, eventID string, postID string) (*EventPostRepostState, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/posts/" + url.PathEscape(postID) + "/repost"})
	return decode[EventPostRepostState](ctx, c, request)
}

// UnrepostPost removes a repost: DELETE /events/{event_id}/posts/{post_id}/repost.
//
// Idempotent.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) UnrepostPost(ctx context.Context, eventID string, postID string) (*EventPostRepostState, error) {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/posts/" + url.PathEscape(postID) + "/repost"})
	return decode[EventPostRepostState](ctx, c, request)
}

// ListGuestAudiences counts the recipients of a message: GET /events/{event_id}/guest-audiences.
//
// How many guests could read a message now, for each audience, and how many messages the event may send today. Only hosts may read it
// (403 otherwise). Guests in a block with the host read it without its author, and are not notified. For hosts who do not see who goes incognito, the numbers count invitations and requests as their lists show them.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) ListGuestAudiences(ctx context.Context, eventID string) (*GuestAudiencesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/guest-audiences"})
	return decode[GuestAudiencesResponse](ctx, c, request)
}

// ListGuestMessagesParams are the parameters of ListGuestMessages. Fields that are zero or nil are not sent.
type ListGuestMessagesParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListGuestMessagesParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListGuestMessages reads the messages to guests: GET /events/{event_id}/guest-messages.
//
// For everyone who sees the event: the messages to the audiences that the viewer belongs to now, newest first. Hosts read all.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListGuestMessages(ctx context.Context, eventID string, params ListGuestMessagesParams) (*GuestMessagesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/guest-messages"})
	params.apply(request)
	return decode[GuestMessagesResponse](ctx, c, request)
}

// ListGuestMessagesAll returns the items of all pages of ListGuestMessages, from params.Cursor on. It ends after an error.
func (c *Client) ListGuestMessagesAll(ctx context.Context, eventID string, params ListGuestMessagesParams) iter.Seq2[GuestMessage, error] {
	return all(params.Cursor, func(cursor string) ([]GuestMessage, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListGuestMessages(ctx, eventID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// SendGuestMessage writes to some of the guests: POST /events/{event_id}/guest-messages.
//
// Only hosts may write (403 otherwise): to those who go in any state except draft (403), to the other audiences until the event begins
// (403 `event_ended`) or is canceled (403). It notifies the users who are in the audience now. Users who enter it later read the
// message, too. To write to everyone, post an announcement. Mails and push messages to people who do not know the sender have a
// budget, as invitations do. Limits: 5 a day for an event, and 30 posts and messages an hour.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) SendGuestMessage(ctx context.Context, eventID string, body SendGuestMessageRequest) (*GuestMessage, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/guest-messages", keyed: true, body: body})
	return decode[GuestMessage](ctx, c, request)
}

// DeleteGuestMessage deletes a message to guests: DELETE /events/{event_id}/guest-messages/{message_id}.
//
// Only the author may delete (403 `not_author` for others who read it). Deleting again is 204; for all others a deleted message is 404.
// Messages that were sent by mail stay there. A deleted message counts for the limit of the day.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) DeleteGuestMessage(ctx context.Context, eventID string, messageID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/guest-messages/" + url.PathEscape(messageID)})
	return c.do(ctx, request, nil)
}

// ListPasskeys lists the passkeys of the current user: GET /me/passkeys.
//
// The oldest first. Always one page. Returns 404 if passkeys are not available.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) ListPasskeys(ctx context.Context) (*PasskeysResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/passkeys"})
	return decode[PasskeysResponse](ctx, c, request)
}

// CreatePasskey adds a passkey: POST /me/passkeys.
//
// Send what the browser returned for the options of `POST /me/passkeys/options`: `credential.toJSON()`. A response that does not
// match the options is 400. A user has at most 20 passkeys; one more is 403. Returns 404 if passkeys are not available. The user
// is notified (`passkey_added`).
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreatePasskey(ctx context.Context, body CreatePasskeyRequest) (*Passkey, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/passkeys", keyed: true, body: body})
	return decode[Passkey](ctx, c, request)
}

// StartPasskeyRegistration gets the options for a new passkey: POST /me/passkeys/options.
//
// Pass `public_key` to the browser: `navigator.credentials.create({publicKey:
// PublicKeyCredential.parseCreationOptionsFromJSON(public_key)})`. The challenge expires after 5 minutes and works once. Returns
// 404 if passkeys are not available.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) StartPasskeyRegistration(ctx context.Context) (*PasskeyRegistrationOptions, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/passkeys/options"})
	return decode[PasskeyRegistrationOptions](ctx, c, request)
}

// UpdatePasskey renames a passkey: PATCH /me/passkeys/{passkey_id}.
//
// Returns 404 if passkeys are not available.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdatePasskey(ctx context.Context, passkeyID string, body UpdatePasskeyRequest) (*Passkey, error) {
	request := newCall(call{method: http.MethodPatch, path: "/me/passkeys/" + url.PathEscape(passkeyID), body: body})
	return decode[Passkey](ctx, c, request)
}

// DeletePasskey removes a passkey: DELETE /me/passkeys/{passkey_id}.
//
// The passkey can no longer sign in; sessions that it has started continue. Returns 403 if it is the user's only way to sign in.
// Remove it from the device, too: browsers still offer it.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) DeletePasskey(ctx context.Context, passkeyID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/me/passkeys/" + url.PathEscape(passkeyID)})
	return c.do(ctx, request, nil)
}

// ListAPIKeys lists the API keys of the current user: GET /me/api-keys.
//
// The oldest first, expired keys included. Always one page.
//
// The status of an Error is 401, 403, 500 or 503.
func (c *Client) ListAPIKeys(ctx context.Context) (*APIKeysResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/api-keys"})
	return decode[APIKeysResponse](ctx, c, request)
}

// CreateAPIKey creates an API key: POST /me/api-keys.
//
// The response contains the key, which is never shown again. A key acts for the current user within its scopes until it expires or is
// deleted. A user has at most 20 keys; one more is 403. The user is notified (`api_key_added`).
//
// The status of an Error is 400, 401, 403, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreateAPIKey(ctx context.Context, body CreateAPIKeyRequest) (*NewAPIKey, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/api-keys", keyed: true, body: body})
	return decode[NewAPIKey](ctx, c, request)
}

// DeleteAPIKeyParams are the parameters of DeleteAPIKey. Fields that are zero or nil are not sent.
type DeleteAPIKeyParams struct {
	// Also delete the webhooks that the key has created.
	Webhooks bool
}

func (p DeleteAPIKeyParams) apply(c *call) {
	set(c.query, "webhooks", p.Webhooks)
}

// DeleteAPIKey deletes an API key: DELETE /me/api-keys/{api_key_id}.
//
// The key stops working at once. Its webhooks stay, unless `webhooks` is `true`. Deleting a key that does not exist is 204, too.
//
// The status of an Error is 400, 401, 403, 409, 429, 500 or 503.
func (c *Client) DeleteAPIKey(ctx context.Context, apiKeyID string, params DeleteAPIKeyParams) error {
	request := newCall(call{method: http.MethodDelete, path: "/me/api-keys/" + url.PathEscape(apiKeyID)})
	params.apply(request)
	return c.do(ctx, request, nil)
}

// ListPushSubscriptions lists the push subscriptions of the current user: GET /me/push-subscriptions.
//
// Browsers and apps that receive notifications by push, the oldest first. Always one page. Returns 404 if push is not available.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) ListPushSubscriptions(ctx context.Context) (*PushSubscriptionsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/push-subscriptions"})
	return decode[PushSubscriptionsResponse](ctx, c, request)
}

// CreatePushSubscription receives notifications by push: POST /me/push-subscriptions.
//
// Send what the browser returned: `(await registration.pushManager.subscribe({userVisibleOnly: true, applicationServerKey:
// public_key})).toJSON()`, with the key of `GET /push/key`. Repeat it at each start of the client: the same endpoint stays the same
// subscription. It ends with the session, and when the push service no longer knows it. If the browser has a subscription with
// another key, unsubscribe there first.
//
// A user has at most 10 subscriptions; one more is 403. If another user has used the same browser, their subscription is
// replaced. Each message is encrypted for the browser. Its text is JSON: `title`, `body` (or null), `href` (path in the web
// client, or null), `page` (path of the page that people share, if `href` leads to an event or a user), `tag` (messages about
// the same have the same one) and `unread_count`. Returns 404 if push is not available.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreatePushSubscription(ctx context.Context, body CreatePushSubscriptionRequest) (*PushSubscription, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/push-subscriptions", keyed: true, body: body})
	return decode[PushSubscription](ctx, c, request)
}

// DeletePushSubscription removes a push subscription: DELETE /me/push-subscriptions/{subscription_id}.
//
// The browser or app receives nothing more. Returns 404 if push is not available.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) DeletePushSubscription(ctx context.Context, subscriptionID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/me/push-subscriptions/" + url.PathEscape(subscriptionID)})
	return c.do(ctx, request, nil)
}

// ImportFileParams are the parameters of ImportFile. Fields that are zero or nil are not sent.
type ImportFileParams struct {
	// IANA zone of times without a zone, if the file names none. Without it, such events are skipped (`zone`).
	Timezone string
}

func (p ImportFileParams) apply(c *call) {
	set(c.query, "timezone", p.Timezone)
}

// ImportFile reads a calendar file: POST /me/imports.
//
// Reads an iCalendar file (RFC 5545) of at most 2 MiB and returns a preview. Nothing else changes until
// `POST /me/imports/{import_id}/apply`. The preview has up to 500 events that are not over, the earliest first. An event that repeats
// has a row for each of its dates in the next 366 days. The user has at most 5 imports: a new one deletes the oldest, and each is
// deleted after 7 days. A file that is no calendar, or incomplete, is 400.
//
// The status of an Error is 400, 401, 403, 409, 413, 415, 429, 500 or 503.
func (c *Client) ImportFile(ctx context.Context, params ImportFileParams, calendar []byte) (*Import, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/imports", file: calendar, mediaType: "text/calendar"})
	params.apply(request)
	return decode[Import](ctx, c, request)
}

// ImportAddress reads a calendar or a page by its address: POST /me/imports/fetch.
//
// As `POST /me/imports`, for an address: that of an iCalendar file, or of a page with one event in JSON-LD (schema.org). Only https
// addresses of public servers are fetched, at most 2 MiB within 10 seconds. An address that does not lead to a calendar or an event is
// 400, also if the other server fails. The address is not stored, because it may be secret; its host is.
//
// The status of an Error is 400, 401, 403, 409, 413, 415, 429, 500 or 503.
func (c *Client) ImportAddress(ctx context.Context, body ImportAddressRequest) (*Import, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/imports/fetch", body: body})
	return decode[Import](ctx, c, request)
}

// GetImportParams are the parameters of GetImport. Fields that are zero or nil are not sent.
type GetImportParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p GetImportParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// GetImport previews an import: GET /me/imports/{import_id}.
//
// Returns rows of the preview, by start. `state` says what applying the row would do now. A row is the same as an earlier one if its
// `uid` is: a second import of a calendar is `same` everywhere, unless its events have changed. A draft that was edited or published
// since is never changed by an import (`skipped`).
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) GetImport(ctx context.Context, importID string, params GetImportParams) (*Import, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/imports/" + url.PathEscape(importID)})
	params.apply(request)
	return decode[Import](ctx, c, request)
}

// GetImportAll returns the items of all pages of GetImport, from params.Cursor on. It ends after an error.
func (c *Client) GetImportAll(ctx context.Context, importID string, params GetImportParams) iter.Seq2[ImportRow, error] {
	return all(params.Cursor, func(cursor string) ([]ImportRow, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.GetImport(ctx, importID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// ApplyImport creates and update drafts from an import: POST /me/imports/{import_id}/apply.
//
// Creates a draft for each `new` row and updates the draft of each `changed` row; nobody is notified. One request applies up to 100
// rows. While `remaining` is positive, repeat it. Repeats are harmless: an applied row is `same`. Limit: 500 new drafts a day.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) ApplyImport(ctx context.Context, importID string, body ApplyImportRequest) (*AppliedImport, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/imports/" + url.PathEscape(importID) + "/apply", body: body})
	return decode[AppliedImport](ctx, c, request)
}

// ListWebhooks lists the webhooks of the current user: GET /me/webhooks.
//
// The oldest first. Always one page.
//
// The status of an Error is 401, 403, 500 or 503.
func (c *Client) ListWebhooks(ctx context.Context) (*WebhooksResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/webhooks"})
	return decode[WebhooksResponse](ctx, c, request)
}

// CreateWebhook creates a webhook: POST /me/webhooks.
//
// From now on, changes of events that the current user organizes are sent to the URL. The response contains the secret of the
// signatures, which is never shown again. A user has at most 20 webhooks; one more is 403. The user is notified (`webhook_added`).
//
// The webhook is `pending` until its server has answered a challenge: a message of type `challenge` whose `data` has a text
// `challenge`. The server responds with 2xx and `{"challenge": "<the same text>"}`. All other messages wait until then. A user may
// cause 100 challenges a day.
//
// An API key also needs the scopes that read what the messages show: `events:read` for kinds `event.*`, `host.*` and `date.selected`,
// `attendance:read` for `attendance.*`, `waitlist.*` and `invitation.answered`, `posts:read` for `post.*` and `comment.created`,
// `reviews:read` for `review.created`. `include_incognito` needs a session. Without them, the response is 403.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreateWebhook(ctx context.Context, body CreateWebhookRequest) (*NewWebhook, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/webhooks", keyed: true, body: body})
	return decode[NewWebhook](ctx, c, request)
}

// GetWebhook gets a webhook: GET /me/webhooks/{webhook_id}.
//
// Returns one webhook of the current user.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) GetWebhook(ctx context.Context, webhookID string) (*Webhook, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/webhooks/" + url.PathEscape(webhookID)})
	return decode[Webhook](ctx, c, request)
}

// UpdateWebhook changes a webhook: PATCH /me/webhooks/{webhook_id}.
//
// Set `status` to `paused` to stop messages, and to `active` to start again, also after the service has disabled the webhook. Messages
// about changes while it is paused or disabled are not sent later. A new URL makes it `pending`, and the user is notified
// (`webhook_added`). The status `active` sends a pending webhook its challenge again. An API key needs the same scopes as to create
// the changed webhook.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdateWebhook(ctx context.Context, webhookID string, body UpdateWebhookRequest) (*Webhook, error) {
	request := newCall(call{method: http.MethodPatch, path: "/me/webhooks/" + url.PathEscape(webhookID), body: body})
	return decode[Webhook](ctx, c, request)
}

// DeleteWebhook deletes a webhook: DELETE /me/webhooks/{webhook_id}.
//
// Ends the webhook and deletes its log.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) DeleteWebhook(ctx context.Context, webhookID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/me/webhooks/" + url.PathEscape(webhookID)})
	return c.do(ctx, request, nil)
}

// RotateWebhookSecret replaces the secret of a webhook: POST /me/webhooks/{webhook_id}/rotate-secret.
//
// Returns the new secret, which is never shown again. For 24 hours, messages are signed with the old secret, too.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) RotateWebhookSecret(ctx context.Context, webhookID string) (*NewWebhook, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/webhooks/" + url.PathEscape(webhookID) + "/rotate-secret"})
	return decode[NewWebhook](ctx, c, request)
}

// TestWebhook sends a test message: POST /me/webhooks/{webhook_id}/test.
//
// Sends a message of type `test`, after the answer to the challenge. The result is in the log. Returns 403 if the webhook is paused or
// disabled.
//
// The status of an Error is 400, 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) TestWebhook(ctx context.Context, webhookID string) (*WebhookTest, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/webhooks/" + url.PathEscape(webhookID) + "/test"})
	return decode[WebhookTest](ctx, c, request)
}

// ListWebhookDeliveriesParams are the parameters of ListWebhookDeliveries. Fields that are zero or nil are not sent.
type ListWebhookDeliveriesParams struct {
	// Only attempts with this result.
	Status string
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListWebhookDeliveriesParams) apply(c *call) {
	set(c.query, "status", p.Status)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListWebhookDeliveries lists the attempts to send messages: GET /me/webhooks/{webhook_id}/deliveries.
//
// The newest first, for 30 days. The newest 1,000 of all webhooks of a user are kept.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListWebhookDeliveries(ctx context.Context, webhookID string, params ListWebhookDeliveriesParams) (*WebhookDeliveriesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/webhooks/" + url.PathEscape(webhookID) + "/deliveries"})
	params.apply(request)
	return decode[WebhookDeliveriesResponse](ctx, c, request)
}

// ListWebhookDeliveriesAll returns the items of all pages of ListWebhookDeliveries, from params.Cursor on. It ends after an error.
func (c *Client) ListWebhookDeliveriesAll(ctx context.Context, webhookID string, params ListWebhookDeliveriesParams) iter.Seq2[WebhookDelivery, error] {
	return all(params.Cursor, func(cursor string) ([]WebhookDelivery, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListWebhookDeliveries(ctx, webhookID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// ReplayWebhook sends messages again: POST /me/webhooks/{webhook_id}/replay.
//
// Sends one message again, or all messages about changes between two times, with the same `webhook-id`. Messages are kept for 30 days.
// Returns 403 if the webhook is paused or disabled, and until every message of the user's previous replay has been tried. A user may
// replay 1,000 messages a day; more are 429.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) ReplayWebhook(ctx context.Context, webhookID string, body ReplayWebhookRequest) (*WebhookReplay, error) {
	request := newCall(call{method: http.MethodPost, path: "/me/webhooks/" + url.PathEscape(webhookID) + "/replay", body: body})
	return decode[WebhookReplay](ctx, c, request)
}

// ListMyEventsParams are the parameters of ListMyEvents. Fields that are zero or nil are not sent.
type ListMyEventsParams struct {
	// The role of the user.
	Role MyEventsRole
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListMyEventsParams) apply(c *call) {
	set(c.query, "role", p.Role)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListMyEvents lists the events of the current user: GET /me/events.
//
// The events in one role of the current user, also private ones and those that the user attends incognito. Events that the user
// may not see, as after a block, are omitted. The order is that of the start: the earliest first, with `past` the latest first.
//
//	| `role` | Events |
//	| `going` | that the user attends, until they end; also canceled ones |
//	| `hosting` | that the user organizes, without drafts, until they end; also canceled ones |
//	| `draft` | drafts of the user |
//	| `invited` | whose invitation the user has not answered and still can |
//	| `waiting` | for whose seats the user waits, or has an offer |
//	| `past` | that the user attended or organized, and that have ended |
//
// A cursor is valid for its role only.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) ListMyEvents(ctx context.Context, params ListMyEventsParams) (*MyEventsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/events"})
	params.apply(request)
	return decode[MyEventsResponse](ctx, c, request)
}

// ListMyEventsAll returns the items of all pages of ListMyEvents, from params.Cursor on. It ends after an error.
func (c *Client) ListMyEventsAll(ctx context.Context, params ListMyEventsParams) iter.Seq2[EventCard, error] {
	return all(params.Cursor, func(cursor string) ([]EventCard, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListMyEvents(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// ListMyEventSeriesParams are the parameters of ListMyEventSeries. Fields that are zero or nil are not sent.
type ListMyEventSeriesParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListMyEventSeriesParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListMyEventSeries lists the series of the current user: GET /me/event-series.
//
// Those that the user organizes, the newest first. Ended ones, too.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) ListMyEventSeries(ctx context.Context, params ListMyEventSeriesParams) (*MyEventSeriesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/event-series"})
	params.apply(request)
	return decode[MyEventSeriesResponse](ctx, c, request)
}

// ListMyEventSeriesAll returns the items of all pages of ListMyEventSeries, from params.Cursor on. It ends after an error.
func (c *Client) ListMyEventSeriesAll(ctx context.Context, params ListMyEventSeriesParams) iter.Seq2[EventSeries, error] {
	return all(params.Cursor, func(cursor string) ([]EventSeries, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListMyEventSeries(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// ListMyRepostsParams are the parameters of ListMyReposts. Fields that are zero or nil are not sent.
type ListMyRepostsParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListMyRepostsParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListMyReposts lists the reposts of the current user: GET /me/reposts.
//
// Newest first. Posts that the user can no longer see are omitted.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) ListMyReposts(ctx context.Context, params ListMyRepostsParams) (*RepostHistoryResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/reposts"})
	params.apply(request)
	return decode[RepostHistoryResponse](ctx, c, request)
}

// ListMyRepostsAll returns the items of all pages of ListMyReposts, from params.Cursor on. It ends after an error.
func (c *Client) ListMyRepostsAll(ctx context.Context, params ListMyRepostsParams) iter.Seq2[RepostHistoryItem, error] {
	return all(params.Cursor, func(cursor string) ([]RepostHistoryItem, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListMyReposts(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// ListEventReviewsParams are the parameters of ListEventReviews. Fields that are zero or nil are not sent.
type ListEventReviewsParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListEventReviewsParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListEventReviews lists the reviews of an event: GET /events/{event_id}/reviews.
//
// For every signed-in user who sees the event, newest first. If the author attended incognito, only the author and the
// organizer see who wrote the review. Two users with a block between them do not see each other's reviews. A review whose
// author is hidden from the viewer stays visible, because its absence would reveal the author. A review hidden by moderation
// is visible only to its author, in `viewer_review`. Average and count are the same for everyone: they include all reviews
// that are not hidden.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListEventReviews(ctx context.Context, eventID string, params ListEventReviewsParams) (*EventReviewsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/reviews"})
	params.apply(request)
	return decode[EventReviewsResponse](ctx, c, request)
}

// ListEventReviewsAll returns the items of all pages of ListEventReviews, from params.Cursor on. It ends after an error.
func (c *Client) ListEventReviewsAll(ctx context.Context, eventID string, params ListEventReviewsParams) iter.Seq2[EventReview, error] {
	return all(params.Cursor, func(cursor string) ([]EventReview, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListEventReviews(ctx, eventID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// ReviewEvent writes or changes the current user's review: POST /events/{event_id}/reviews.
//
// Only users who were going when the event completed may write, except the organizer (403 otherwise). The event must be
// completed (else 403). Each user has one review per event: writing again replaces it and also returns 201. A review hidden
// by moderation stays hidden.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) ReviewEvent(ctx context.Context, eventID string, body UpsertEventReviewRequest) (*EventReview, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/reviews", keyed: true, body: body})
	return decode[EventReview](ctx, c, request)
}

// CreateReport reports an event, a user or something that was written: POST /reports.
//
// Any signed-in user who sees the target may report it (else 404). The report of a post, a comment or a message of a chat contains
// its text as it was. Moderators see nothing else of a chat. The current user's own account is 400. `status`, `action`
// and `reporter_user_id` in the body are 400. A second report on the same target returns the first one while that is `open`.
// Limit: 20 a day.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreateReport(ctx context.Context, body CreateReportRequest) (*Report, error) {
	request := newCall(call{method: http.MethodPost, path: "/reports", keyed: true, body: body})
	return decode[Report](ctx, c, request)
}

// ListReportsParams are the parameters of ListReports. Fields that are zero or nil are not sent.
type ListReportsParams struct {
	// Only reports with this status.
	Status ReportStatus
	// Only reports on this kind of target.
	TargetType ReportTargetType
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListReportsParams) apply(c *call) {
	set(c.query, "status", p.Status)
	set(c.query, "target_type", p.TargetType)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListReports lists reports: GET /admin/reports.
//
// For moderators (403 otherwise). Ordered by status (`open`, `in_review`, `resolved`, `dismissed`), then oldest first.
// Moderators see every target; of a post, a comment or a message, its author and the reported text. An author of a review who attended incognito is hidden from moderators, too.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) ListReports(ctx context.Context, params ListReportsParams) (*ReportsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/admin/reports"})
	params.apply(request)
	return decode[ReportsResponse](ctx, c, request)
}

// ListReportsAll returns the items of all pages of ListReports, from params.Cursor on. It ends after an error.
func (c *Client) ListReportsAll(ctx context.Context, params ListReportsParams) iter.Seq2[ReportQueueItem, error] {
	return all(params.Cursor, func(cursor string) ([]ReportQueueItem, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListReports(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// CountOpenReports counts open reports: GET /admin/reports/open-count.
//
// For moderators (403 otherwise). At most 100 are counted.
//
// The status of an Error is 401, 403, 500 or 503.
func (c *Client) CountOpenReports(ctx context.Context) (*OpenReportsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/admin/reports/open-count"})
	return decode[OpenReportsResponse](ctx, c, request)
}

// UpdateReport changes the status of a report: PATCH /admin/reports/{report_id}.
//
// For moderators (403 otherwise). Allowed changes: `open` to `in_review`, `resolved` or `dismissed`; `in_review` to `open`, `resolved`
// or `dismissed`; `resolved` and `dismissed` to `open`. Any other change is 400.
//
// Every success carries out the action and records it. `cancel_event` applies to an event that has not ended, `hide_content`
// to a review, and for good to a post, a comment or a message. `warn_user` and `suspend_user` apply to a user, the organizer of an
// event, the owner of a group, or the author of what was written. `suspend_group` applies to a group, and `restore_group` ends its
// suspension. Any other combination, or a target that no longer exists, is 400. Reopening is 409 if the reporter has another open
// report on the same target.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdateReport(ctx context.Context, reportID string, body UpdateReportStatusRequest) (*UpdateReportStatusResponse, error) {
	request := newCall(call{method: http.MethodPatch, path: "/admin/reports/" + url.PathEscape(reportID), body: body})
	return decode[UpdateReportStatusResponse](ctx, c, request)
}

// SetEventDateMode switches between a fixed date and a vote: PATCH /events/{event_id}/date-mode.
//
// Only hosts may switch (403 otherwise), while the event is a draft or published (else 403). `fixed` closes the vote and keeps
// the options. `vote` clears the selection. Setting the same mode again is 204.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) SetEventDateMode(ctx context.Context, eventID string, body SetEventDateModeRequest) error {
	request := newCall(call{method: http.MethodPatch, path: "/events/" + url.PathEscape(eventID) + "/date-mode", body: body})
	return c.do(ctx, request, nil)
}

// ListDateOptions lists the date options of an event: GET /events/{event_id}/date-options.
//
// For every signed-in user who sees the event. Ordered by start, always one page.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) ListDateOptions(ctx context.Context, eventID string) (*EventDateOptionsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/date-options"})
	return decode[EventDateOptionsResponse](ctx, c, request)
}

// CreateDateOption adds a date option: POST /events/{event_id}/date-options.
//
// Only hosts may add options (403 otherwise), in either mode, while the event is a draft or published (else 403). At most 20
// options per event (else 400). A second option with the same start and end is 400.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreateDateOption(ctx context.Context, eventID string, body CreateEventDateOptionRequest) (*EventDateOption, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/date-options", keyed: true, body: body})
	return decode[EventDateOption](ctx, c, request)
}

// VoteForDateOption votes for a date option: POST /events/{event_id}/date-options/{option_id}/votes.
//
// For the organizer, users going and invitees who have not declined (403 otherwise). The mode must be `vote`, and the event a draft or
// published (else 403). A user may vote for several options. Idempotent. Voter names are never shown.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) VoteForDateOption(ctx context.Context, eventID string, optionID string) (*EventDateVote, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/date-options/" + url.PathEscape(optionID) + "/votes"})
	return decode[EventDateVote](ctx, c, request)
}

// WithdrawDateVote withdraws a vote: DELETE /events/{event_id}/date-options/{option_id}/votes.
//
// Under the same conditions as voting. Idempotent.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) WithdrawDateVote(ctx context.Context, eventID string, optionID string) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/date-options/" + url.PathEscape(optionID) + "/votes"})
	return c.do(ctx, request, nil)
}

// SelectDateOption selects the date: POST /events/{event_id}/date-options/{option_id}/select.
//
// Only hosts may select (403 otherwise), while the event is a draft or published (else 403). Copies the option's
// start and end to the event, sets the mode to `fixed`, and notifies the users who may vote. Selecting the same option again
// is 200.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) SelectDateOption(ctx context.Context, eventID string, optionID string) (*EventDateOption, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/date-options/" + url.PathEscape(optionID) + "/select"})
	return decode[EventDateOption](ctx, c, request)
}

// ListChatMessagesParams are the parameters of ListChatMessages. Fields that are zero or nil are not sent.
type ListChatMessagesParams struct {
	// Maximum number of messages.
	Limit int
	// `next_cursor` of the previous page: the `created_at` of its last message. Do not parse it: most date types drop digits.
	Cursor string
	// Only messages created before this date-time. Takes a `created_at` or a `next_cursor` with all its digits.
	Before string
}

func (p ListChatMessagesParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
	set(c.query, "before", p.Before)
}

// ListChatMessages lists chat messages: GET /events/{event_id}/messages.
//
// For the organizer, users going, and invitees who responded `accepted` or `tentative` (403 otherwise). Newest first.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) ListChatMessages(ctx context.Context, eventID string, params ListChatMessagesParams) (*EventChatMessagesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/messages"})
	params.apply(request)
	return decode[EventChatMessagesResponse](ctx, c, request)
}

// ListChatMessagesAll returns the items of all pages of ListChatMessages, from params.Cursor on. It ends after an error.
func (c *Client) ListChatMessagesAll(ctx context.Context, eventID string, params ListChatMessagesParams) iter.Seq2[EventChatMessage, error] {
	return all(params.Cursor, func(cursor string) ([]EventChatMessage, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListChatMessages(ctx, eventID, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// SendChatMessage sends a chat message: POST /events/{event_id}/messages.
//
// For users who may read the chat (403 otherwise), in any state except draft (403). Repeating a `client_message_id` returns
// the same message, also with 201. A message shows its author to the chat, even an incognito participant: warn users before
// their first message. Limit: 30 a minute.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) SendChatMessage(ctx context.Context, eventID string, body SendEventChatMessageRequest) (*EventChatMessage, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/messages", keyed: true, body: body})
	return decode[EventChatMessage](ctx, c, request)
}

// MarkChatRead marks chat messages as read: POST /events/{event_id}/messages/read.
//
// Marks all messages up to a position as read, for users who may read the chat (403 otherwise). It never moves back: an earlier
// position changes nothing. A position after the last message means the last message. Nobody else learns what a user has read.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) MarkChatRead(ctx context.Context, eventID string, body MarkChatReadRequest) (*ChatReadState, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/messages/read", body: body})
	return decode[ChatReadState](ctx, c, request)
}

// ListMyChatsParams are the parameters of ListMyChats. Fields that are zero or nil are not sent.
type ListMyChatsParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListMyChatsParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListMyChats lists the chats of the current user: GET /me/chats.
//
// The chats that the user may read and in which somebody has written, the one with the newest message first. Canceled and
// completed events are included. Messages of users with a block between them and the current user are neither shown nor counted.
// Counts and last messages take the newest 500 messages of a chat into account.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) ListMyChats(ctx context.Context, params ListMyChatsParams) (*ChatsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/chats"})
	params.apply(request)
	return decode[ChatsResponse](ctx, c, request)
}

// ListMyChatsAll returns the items of all pages of ListMyChats, from params.Cursor on. It ends after an error.
func (c *Client) ListMyChatsAll(ctx context.Context, params ListMyChatsParams) iter.Seq2[ChatItem, error] {
	return all(params.Cursor, func(cursor string) ([]ChatItem, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListMyChats(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// MuteEvent mutes an event: PUT /events/{event_id}/mute.
//
// Ends all e-mails and push messages about the event to the current user. Notifications in the app continue. Idempotent.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) MuteEvent(ctx context.Context, eventID string) (*EventMute, error) {
	request := newCall(call{method: http.MethodPut, path: "/events/" + url.PathEscape(eventID) + "/mute"})
	return decode[EventMute](ctx, c, request)
}

// UnmuteEvent unmutes an event: DELETE /events/{event_id}/mute.
//
// Idempotent.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) UnmuteEvent(ctx context.Context, eventID string) (*EventMute, error) {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/mute"})
	return decode[EventMute](ctx, c, request)
}

// AuthorizeChatSocketParams are the parameters of AuthorizeChatSocket. Fields that are zero or nil are not sent.
type AuthorizeChatSocketParams struct {
	// Only for a WebSocket. The position of the last message that the client has. The messages after it follow. Without it, only new messages follow.
	After string
}

func (p AuthorizeChatSocketParams) apply(c *call) {
	set(c.query, "after", p.After)
}

// AuthorizeChatSocket checks access to real-time chat, or opens a WebSocket: GET /events/{event_id}/ws.
//
// For users who may read the chat (403 otherwise). The response has a ticket, with which browsers open the WebSocket at
// `websocket_url` within 30 seconds. If `realtime_available` is false, poll the messages instead.
//
// With `Upgrade: websocket`, the request opens the WebSocket. It is subscribed to the chat, the event, and the user's own
// notifications and counts. It needs a session or a ticket; API keys are 403 (`insufficient_scope`). A page that uses the refresh
// cookie must have an allowed origin, or it is 403. The subprotocol is `moothall.v1`. Frames are described in `asyncapi.yaml`.
//
// The status of an Error is 400, 401, 403, 404, 429, 500 or 503.
func (c *Client) AuthorizeChatSocket(ctx context.Context, eventID string, params AuthorizeChatSocketParams) (*EventChatWebSocketAuthResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/ws"})
	params.apply(request)
	return decode[EventChatWebSocketAuthResponse](ctx, c, request)
}

// OpenRealtimeStreamParams are the parameters of OpenRealtimeStream. Fields that are zero or nil are not sent.
type OpenRealtimeStreamParams struct {
	// What to subscribe to: `me`, `event:` or `chat:` with the id of an event. Repeat it for several topics.
	Topic []string
	// The position of the last message that the client has, for each chat among `topic`, in their order; empty for messages from now on.
	After []string
	// The `id` of the last event that the client has. The messages after it follow. Ignored if there are several chats.
	LastEventID string
}

func (p OpenRealtimeStreamParams) apply(c *call) {
	set(c.query, "topic", p.Topic)
	set(c.query, "after", p.After)
	set(c.header, "Last-Event-ID", p.LastEventID)
}

// OpenRealtimeStream opens a stream of server-sent events: GET /realtime/stream.
//
// For networks that break WebSockets. Each event is a frame of `asyncapi.yaml`; the `id` of a message is its position. API keys are
// 403 (`insufficient_scope`). 404 if the service has no realtime transport.
//
// The status of an Error is 400, 401, 403, 404, 429, 500 or 503.
func (c *Client) OpenRealtimeStream(ctx context.Context, params OpenRealtimeStreamParams) (io.ReadCloser, error) {
	request := newCall(call{method: http.MethodGet, path: "/realtime/stream", stream: true})
	params.apply(request)
	return c.open(ctx, request)
}

// CreateRealtimeTicket creates a ticket for a WebSocket: POST /realtime/tickets.
//
// A ticket opens `GET /realtime` once, within 30 seconds, for the session of this request. Use it where the client cannot send headers
// with a WebSocket, as in browsers. 404 if the service has no realtime transport.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) CreateRealtimeTicket(ctx context.Context) (*RealtimeTicketResponse, error) {
	request := newCall(call{method: http.MethodPost, path: "/realtime/tickets"})
	return decode[RealtimeTicketResponse](ctx, c, request)
}

// GetReminderSettings gets the reminder settings of an event: GET /events/{event_id}/reminders.
//
// For the organizer, users going, and invitees who responded `accepted` or `tentative` (403 otherwise). Settings that were never
// stored are returned as disabled, with offsets of one day and one hour, in the app.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetReminderSettings(ctx context.Context, eventID string) (*EventReminderSettings, error) {
	request := newCall(call{method: http.MethodGet, path: "/events/" + url.PathEscape(eventID) + "/reminders"})
	return decode[EventReminderSettings](ctx, c, request)
}

// SetReminderSettings changes the reminder settings of an event: PATCH /events/{event_id}/reminders.
//
// Only hosts may change them (403 otherwise), while the event is a draft or published (else 403). Enabling without any
// offset is 400.
//
// Everybody who is going, or has responded `accepted` or `tentative`, gets one `event_reminder` for each offset. Another
// start moves the reminders; there are none after the start, for canceled events, and while the date is voted on. `email`
// and `push` allow these channels for this event; `in_app` is always included. A service that delivers nothing outside the
// app (`channels` of the notification preferences is empty) stores the settings only.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) SetReminderSettings(ctx context.Context, eventID string, body SetEventReminderSettingsRequest) (*EventReminderSettings, error) {
	request := newCall(call{method: http.MethodPatch, path: "/events/" + url.PathEscape(eventID) + "/reminders", body: body})
	return decode[EventReminderSettings](ctx, c, request)
}

// GetFeedParams are the parameters of GetFeed. Fields that are zero or nil are not sent.
type GetFeedParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
	// The `ETag` of the client's copy. If the response would be identical, it is 304. Ignored for signed-in users.
	IfNoneMatch string
}

func (p GetFeedParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// GetFeed gets the feed: GET /feed.
//
// Returns each published public event that has not ended once: first up to 60 ranked events, then all others by start.
//
// For an anonymous viewer, `scope` is `public`, and the rank depends on how soon an event starts and whether it has a
// picture and coordinates. For a signed-in viewer, `scope` is `personal`, and each of the reasons in `feed_context` ranks an
// event higher. The number of users going never counts. The feed includes events that the viewer organizes or attends.
//
// Later pages omit events that were published after the first page, and ignore later follows, joins and reposts. They never
// repeat a ranked event. The number of candidates is limited:
//
// * from 24 followed users: at most 40 events that they organize, 24 joins and 8 reposts;
// * the next 30 events in the viewer's city, the next 30 in their categories, and the next 30 nearby.
//
// If the viewer follows more than 24 users, a different 24 count every hour.
//
// The status of an Error is 304, 400, 401, 403, 500 or 503.
func (c *Client) GetFeed(ctx context.Context, params GetFeedParams) (*FeedResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/feed"})
	params.apply(request)
	return decode[FeedResponse](ctx, c, request)
}

// GetFeedAll returns the items of all pages of GetFeed, from params.Cursor on. It ends after an error.
func (c *Client) GetFeedAll(ctx context.Context, params GetFeedParams) iter.Seq2[EventCard, error] {
	return all(params.Cursor, func(cursor string) ([]EventCard, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.GetFeed(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// GetFeedPreferences gets the feed preferences: GET /feed/preferences.
//
// Preferences that were never stored are returned with their defaults.
//
// The status of an Error is 401, 403, 500 or 503.
func (c *Client) GetFeedPreferences(ctx context.Context) (*FeedPreferences, error) {
	request := newCall(call{method: http.MethodGet, path: "/feed/preferences"})
	return decode[FeedPreferences](ctx, c, request)
}

// SetFeedPreferences changes the feed preferences: POST /feed/preferences.
//
// Changes only the fields sent; null clears a field. `muted_categories` and `price` exclude events from the feed.
// `categories`, profile interests, `city` and the place with its radius (50 km by default) rank events higher. If
// `include_followed` is false, actions of followed users do not count. Clearing the place also clears the radius.
//
// The status of an Error is 400, 401, 403, 409, 413, 415, 429, 500 or 503.
func (c *Client) SetFeedPreferences(ctx context.Context, body SetFeedPreferencesRequest) (*FeedPreferences, error) {
	request := newCall(call{method: http.MethodPost, path: "/feed/preferences", body: body})
	return decode[FeedPreferences](ctx, c, request)
}

// ListCalendarEntriesParams are the parameters of ListCalendarEntries. Fields that are zero or nil are not sent.
type ListCalendarEntriesParams struct {
	// Only entries that end at or after this time.
	From time.Time
	// Only entries that start before this time.
	To time.Time
	// Include canceled entries.
	IncludeCanceled bool
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListCalendarEntriesParams) apply(c *call) {
	set(c.query, "from", p.From)
	set(c.query, "to", p.To)
	set(c.query, "include_canceled", p.IncludeCanceled)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListCalendarEntries lists the calendar of the current user: GET /calendar/entries.
//
// Lists entries by start: the user's personal entries, entries of others that the user responded to, and events that the
// user organizes, attended or responded to. Events that the user left or declined, and canceled events, have status
// `canceled`. A pending invite is not an entry.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) ListCalendarEntries(ctx context.Context, params ListCalendarEntriesParams) (*CalendarEntriesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/calendar/entries"})
	params.apply(request)
	return decode[CalendarEntriesResponse](ctx, c, request)
}

// ListCalendarEntriesAll returns the items of all pages of ListCalendarEntries, from params.Cursor on. It ends after an error.
func (c *Client) ListCalendarEntriesAll(ctx context.Context, params ListCalendarEntriesParams) iter.Seq2[CalendarEntry, error] {
	return all(params.Cursor, func(cursor string) ([]CalendarEntry, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListCalendarEntries(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// CreateCalendarEntry creates a personal entry: POST /calendar/entries.
//
// Each invitee gets a calendar invite. An unknown invitee, or one in a block with the current user, is 404.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 422, 429, 500 or 503.
func (c *Client) CreateCalendarEntry(ctx context.Context, body CreateCalendarEntryRequest) (*CalendarEntry, error) {
	request := newCall(call{method: http.MethodPost, path: "/calendar/entries", keyed: true, body: body})
	return decode[CalendarEntry](ctx, c, request)
}

// UpdateCalendarEntry changes an entry: PATCH /calendar/entries/{entry_id}.
//
// For an event or an entry of another user, only `notes` may change (else 400), and only in the current user's calendar. A
// canceled personal entry can no longer change (403).
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdateCalendarEntry(ctx context.Context, entryID string, body UpdateCalendarEntryRequest) (*CalendarEntry, error) {
	request := newCall(call{method: http.MethodPatch, path: "/calendar/entries/" + url.PathEscape(entryID), body: body})
	return decode[CalendarEntry](ctx, c, request)
}

// CancelCalendarEntry cancels an entry: DELETE /calendar/entries/{entry_id}.
//
// Cancels a personal entry. An event or an entry of another user is only removed from the current user's calendar:
// attendance and responses do not change, and the next join or response restores it. Deleting again is 200.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) CancelCalendarEntry(ctx context.Context, entryID string) (*CalendarEntry, error) {
	request := newCall(call{method: http.MethodDelete, path: "/calendar/entries/" + url.PathEscape(entryID)})
	return decode[CalendarEntry](ctx, c, request)
}

// GetCalendarFeed gets the calendar feed address of the current user: GET /calendar/feed.
//
// Returns the address where calendar programs read the current user's calendar without signing in. Anyone who knows the
// address can read everything in the calendar, including notes and incognito attendance. Returns 404 if there is no address.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetCalendarFeed(ctx context.Context) (*CalendarFeed, error) {
	request := newCall(call{method: http.MethodGet, path: "/calendar/feed"})
	return decode[CalendarFeed](ctx, c, request)
}

// OpenCalendarFeed creates a calendar feed address: POST /calendar/feed.
//
// Creates a new address each time. The previous one stops working at once.
//
// The status of an Error is 400, 401, 403, 409, 422, 429, 500 or 503.
func (c *Client) OpenCalendarFeed(ctx context.Context) (*CalendarFeed, error) {
	request := newCall(call{method: http.MethodPost, path: "/calendar/feed", keyed: true})
	return decode[CalendarFeed](ctx, c, request)
}

// CloseCalendarFeed deletes the calendar feed address of the current user: DELETE /calendar/feed.
//
// The address stops working at once. Has no effect if there is none.
//
// The status of an Error is 401, 403, 409, 429, 500 or 503.
func (c *Client) CloseCalendarFeed(ctx context.Context) error {
	request := newCall(call{method: http.MethodDelete, path: "/calendar/feed"})
	return c.do(ctx, request, nil)
}

// ReadCalendarFeedParams are the parameters of ReadCalendarFeed. Fields that are zero or nil are not sent.
type ReadCalendarFeedParams struct {
	// The `ETag` of the client's copy. If nothing has changed, the response is 304.
	IfNoneMatch string
}

func (p ReadCalendarFeedParams) apply(c *call) {
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// ReadCalendarFeed reads a calendar feed: GET /calendar/feeds/{feed}.
//
// For calendar programs: returns up to 2000 entries, starting 90 days ago, in iCalendar format (RFC 5545). Entries that the
// owner left, declined or removed are omitted. Canceled events have status `CANCELLED`. A deleted address is 404.
//
// The status of an Error is 304, 404, 500 or 503.
func (c *Client) ReadCalendarFeed(ctx context.Context, feed string, params ReadCalendarFeedParams) (io.ReadCloser, error) {
	request := newCall(call{method: http.MethodGet, path: "/calendar/feeds/" + url.PathEscape(feed), public: true, stream: true})
	params.apply(request)
	return c.open(ctx, request)
}

// ListCalendarInvitesParams are the parameters of ListCalendarInvites. Fields that are zero or nil are not sent.
type ListCalendarInvitesParams struct {
	// Invites received or sent.
	Role CalendarInviteRole
	// Only invites with this status.
	Status InvitationStatus
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
}

func (p ListCalendarInvitesParams) apply(c *call) {
	set(c.query, "role", p.Role)
	set(c.query, "status", p.Status)
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
}

// ListCalendarInvites lists calendar invites: GET /calendar/invites.
//
// Newest first. If `inviter_profile` is null, show `invite.invited_by_user_id` instead.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) ListCalendarInvites(ctx context.Context, params ListCalendarInvitesParams) (*CalendarInvitesResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/calendar/invites"})
	params.apply(request)
	return decode[CalendarInvitesResponse](ctx, c, request)
}

// ListCalendarInvitesAll returns the items of all pages of ListCalendarInvites, from params.Cursor on. It ends after an error.
func (c *Client) ListCalendarInvitesAll(ctx context.Context, params ListCalendarInvitesParams) iter.Seq2[CalendarInvite, error] {
	return all(params.Cursor, func(cursor string) ([]CalendarInvite, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListCalendarInvites(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// GetCalendarInvite gets a calendar invite: GET /calendar/invites/{invite_id}.
//
// For the inviter and the invitee; everyone else gets 404. Incognito participants are not shown.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetCalendarInvite(ctx context.Context, inviteID string) (*CalendarInviteDetails, error) {
	request := newCall(call{method: http.MethodGet, path: "/calendar/invites/" + url.PathEscape(inviteID)})
	return decode[CalendarInviteDetails](ctx, c, request)
}

// AnswerCalendarInvite responds to a calendar invite: PATCH /calendar/invites/{invite_id}.
//
// For the invitee (404 otherwise). For an invite linked to an event, this has the same effect and the same conditions (403)
// as `PATCH /events/{event_id}/rsvp`.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) AnswerCalendarInvite(ctx context.Context, inviteID string, body AnswerCalendarInviteRequest) (*CalendarInvite, error) {
	request := newCall(call{method: http.MethodPatch, path: "/calendar/invites/" + url.PathEscape(inviteID), body: body})
	return decode[CalendarInvite](ctx, c, request)
}

// ListNotificationsParams are the parameters of ListNotifications. Fields that are zero or nil are not sent.
type ListNotificationsParams struct {
	// Maximum number of items.
	Limit int
	// `next_cursor` of the previous page.
	Cursor string
	// Only unread notifications.
	UnreadOnly bool
}

func (p ListNotificationsParams) apply(c *call) {
	set(c.query, "limit", p.Limit)
	set(c.query, "cursor", p.Cursor)
	set(c.query, "unread_only", p.UnreadOnly)
}

// ListNotifications lists notifications: GET /notifications.
//
// Newest first, in English, German or Russian, as `Accept-Language` prefers. A repeated notification moves to the top and becomes
// unread again. If the current user may no longer see the actor or the event, `actor`, `event_id` and the `href` to it are
// null.
//
// The status of an Error is 400, 401, 403, 500 or 503.
func (c *Client) ListNotifications(ctx context.Context, params ListNotificationsParams) (*NotificationsResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/notifications"})
	params.apply(request)
	return decode[NotificationsResponse](ctx, c, request)
}

// ListNotificationsAll returns the items of all pages of ListNotifications, from params.Cursor on. It ends after an error.
func (c *Client) ListNotificationsAll(ctx context.Context, params ListNotificationsParams) iter.Seq2[Notification, error] {
	return all(params.Cursor, func(cursor string) ([]Notification, *string, error) {
		params := params
		params.Cursor = cursor
		page, err := c.ListNotifications(ctx, params)
		if err != nil {
			return nil, nil, err
		}
		return page.Items, page.NextCursor, nil
	})
}

// CountUnreadNotifications counts unread notifications: GET /notifications/unread-count.
//
// Returns the number for a badge.
//
// The status of an Error is 401, 403, 500 or 503.
func (c *Client) CountUnreadNotifications(ctx context.Context) (*UnreadCountResponse, error) {
	request := newCall(call{method: http.MethodGet, path: "/notifications/unread-count"})
	return decode[UnreadCountResponse](ctx, c, request)
}

// ReadAllNotifications marks every notification as read: POST /notifications/read-all.
//
// Marks all notifications that exist at that time. Idempotent.
//
// The status of an Error is 401, 403, 409, 429, 500 or 503.
func (c *Client) ReadAllNotifications(ctx context.Context) (*ReadAllNotificationsResult, error) {
	request := newCall(call{method: http.MethodPost, path: "/notifications/read-all"})
	return decode[ReadAllNotificationsResult](ctx, c, request)
}

// ReadNotification marks a notification as read: POST /notifications/{notification_id}/read.
//
// A repeat keeps the first `read_at`. A notification of another user is 404.
//
// The status of an Error is 401, 403, 404, 409, 429, 500 or 503.
func (c *Client) ReadNotification(ctx context.Context, notificationID string) (*Notification, error) {
	request := newCall(call{method: http.MethodPost, path: "/notifications/" + url.PathEscape(notificationID) + "/read"})
	return decode[Notification](ctx, c, request)
}

// GetPushKey gets the public key for push subscriptions: GET /push/key.
//
// Browsers need the key to subscribe (VAPID, RFC 8292). It changes only with the secret key of the service, which ends all
// subscriptions. Returns 404 if push is not available.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetPushKey(ctx context.Context) (*PushKey, error) {
	request := newCall(call{method: http.MethodGet, path: "/push/key"})
	return decode[PushKey](ctx, c, request)
}

// GetNotificationPreferences gets the notification preferences: GET /me/notification-preferences.
//
// Returns how each kind of notification reaches the user outside the app. The list in the app always has every notification.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetNotificationPreferences(ctx context.Context) (*NotificationPreferences, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/notification-preferences"})
	return decode[NotificationPreferences](ctx, c, request)
}

// UpdateNotificationPreferences changes the notification preferences: PATCH /me/notification-preferences.
//
// Changes only the fields and rules sent; null restores a default.
//
//   - A rule is for one kind and one channel. Notifications in the app have no rule, because every other channel refers to
//     them: `in_app` is refused.
//   - `digest` is a mode of e-mail only. It is refused for `event_canceled`, `event_updated`, `event_date_selected`,
//     `event_reminder`, `event_invitation`, `event_calendar`, `payment_succeeded` and `payment_canceled`, which must not
//     wait: they are `instant` or `off`.
//   - `event_calendar` keeps the user's calendar program up to date by e-mail (iTIP, RFC 5546 and 6047): an event enters the
//     calendar when the user joins or is invited, follows each change of time or place, and leaves it when the user does or
//     the event is canceled. Messages come with the mail about the change, or alone. This kind has no other channel.
//   - E-mails of `passkey_added`, `api_key_added` and `new_device` warn of access to the account: only `instant` is allowed.
//   - Nothing is sent in quiet hours; it follows at their end. Exceptions are `event_canceled`, `event_reminder` and
//     `event_calendar` if the event begins within 12 hours, and warnings of access to the account.
//   - A digest is at most one e-mail a day, on the given weekdays at the given hour.
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdateNotificationPreferences(ctx context.Context, body UpdateNotificationPreferencesRequest) (*NotificationPreferences, error) {
	request := newCall(call{method: http.MethodPatch, path: "/me/notification-preferences", body: body})
	return decode[NotificationPreferences](ctx, c, request)
}

// GetPaymentProfile gets the payment profile of the current user: GET /me/payment-profile.
//
// Created as `unverified` on first use.
//
// The status of an Error is 401, 403, 404, 500 or 503.
func (c *Client) GetPaymentProfile(ctx context.Context) (*OrganizerPaymentProfile, error) {
	request := newCall(call{method: http.MethodGet, path: "/me/payment-profile"})
	return decode[OrganizerPaymentProfile](ctx, c, request)
}

// UpdatePaymentProfile changes the status of the current user's payment profile: PATCH /me/payment-profile.
//
// Only the provider can set or clear `blocked` (400 otherwise). `verified` is 403 while payments are disabled. With a real
// provider, only the provider sets `verified` (400 otherwise).
//
// The status of an Error is 400, 401, 403, 404, 409, 413, 415, 429, 500 or 503.
func (c *Client) UpdatePaymentProfile(ctx context.Context, body UpdatePaymentProfileRequest) (*OrganizerPaymentProfile, error) {
	request := newCall(call{method: http.MethodPatch, path: "/me/payment-profile", body: body})
	return decode[OrganizerPaymentProfile](ctx, c, request)
}

// CreatePaymentIntent starts a payment for an event: POST /events/{event_id}/payment-intents.
//
// For any signed-in user who sees the event, except the organizer. Returns 403 while payments are disabled, or if the
// organizer's payment profile is not `verified`. Returns 403 if the event is free, unpublished, full or already paid for. An
// unexpired pending intent of the same user and event is returned again, also with 201. After the first intent, the price of
// the event cannot change.
//
// The status of an Error is 400, 401, 403, 404, 409, 422, 429, 500 or 503.
func (c *Client) CreatePaymentIntent(ctx context.Context, eventID string) (*PaymentIntent, error) {
	request := newCall(call{method: http.MethodPost, path: "/events/" + url.PathEscape(eventID) + "/payment-intents", keyed: true})
	return decode[PaymentIntent](ctx, c, request)
}

// GetPaymentIntent gets a payment intent: GET /payments/intents/{payment_intent_id}.
//
// An intent of another user is 404.
//
// The status of an Error is 400, 401, 403, 404, 500 or 503.
func (c *Client) GetPaymentIntent(ctx context.Context, paymentIntentID string) (*PaymentIntent, error) {
	request := newCall(call{method: http.MethodGet, path: "/payments/intents/" + url.PathEscape(paymentIntentID)})
	return decode[PaymentIntent](ctx, c, request)
}

// ReceivePaymentWebhookParams are the parameters of ReceivePaymentWebhook. Fields that are zero or nil are not sent.
type ReceivePaymentWebhookParams struct {
	// Id of the delivery; equal to `id` in the body.
	WebhookID string
	// Unix time in seconds when the webhook was sent.
	WebhookTimestamp string
	// Space-separated signatures, each `v1,` followed by base64.
	WebhookSignature string
}

func (p ReceivePaymentWebhookParams) apply(c *call) {
	set(c.header, "webhook-id", p.WebhookID)
	set(c.header, "webhook-timestamp", p.WebhookTimestamp)
	set(c.header, "webhook-signature", p.WebhookSignature)
}

// ReceivePaymentWebhook receives an event from a payment provider: POST /payments/webhooks/{provider}.
//
// The request is signed as [Standard Webhooks](https://www.standardwebhooks.com) specifies: HMAC-SHA256 over
// `webhook-id.webhook-timestamp.body`, at most 5 minutes old. `webhook-id` must equal `id` in the body. The signature is
// checked over the raw bytes before the body is parsed. The body may have up to 256 KiB.
//
// Idempotent by the provider's event id: a duplicate is 200 and ignored, and so is an unknown `type`. An unknown provider, an
// unknown `provider_payment_id` and disabled payments are 404.
//
// A payment that is no longer pending does not change (200, ignored); a late success is recorded for a refund. The types
// `account.*` concern an organizer: with the development provider, `provider_payment_id` is the user's id, and `data.reason`
// is shown to a blocked user.
//
// The status of an Error is 400, 401, 404, 409, 413, 415, 500 or 503.
func (c *Client) ReceivePaymentWebhook(ctx context.Context, provider string, params ReceivePaymentWebhookParams, body PaymentWebhookEvent) (*PaymentWebhookResponse, error) {
	request := newCall(call{method: http.MethodPost, path: "/payments/webhooks/" + url.PathEscape(provider), public: true, body: body})
	params.apply(request)
	return decode[PaymentWebhookResponse](ctx, c, request)
}

// ReceiveMailEvents receives bounces and complaints from a mail provider: POST /mail/events/{provider}.
//
// For a provider that sends the e-mails of the service. Its events count like mails that come back: an address that does not
// exist gets no more notifications, and neither does one with temporary failures on three days within a week. A
// complaint switches off the optional kinds. Other events, and those about unknown addresses, are acknowledged and ignored.
// Repeated events count once.
//
//   - `mailgun`: one event. `signature.signature` is HMAC-SHA256 over `timestamp` and `token`, with the webhook signing key.
//   - `sendgrid`: an array of events. `X-Twilio-Email-Event-Webhook-Signature` is ECDSA (P-256, SHA-256) over
//     `X-Twilio-Email-Event-Webhook-Timestamp` and the raw body.
//
// Signatures may be at most 5 minutes old, and are checked before everything else. A provider without a key in the settings is
// 404. The body may have up to 256 KiB.
//
// The status of an Error is 400, 401, 404, 413, 415, 500 or 503.
func (c *Client) ReceiveMailEvents(ctx context.Context, provider string, body MailEvents) (*MailEventsResponse, error) {
	request := newCall(call{method: http.MethodPost, path: "/mail/events/" + url.PathEscape(provider), public: true, body: body})
	return decode[MailEventsResponse](ctx, c, request)
}

// ProxyImageParams are the parameters of ProxyImage. Fields that are zero or nil are not sent.
type ProxyImageParams struct {
	// Absolute https URL of the image.
	URL string
	// Maximum width in pixels.
	W int
	// ETag of the client's copy.
	IfNoneMatch string
}

func (p ProxyImageParams) apply(c *call) {
	set(c.query, "url", p.URL)
	set(c.query, "w", p.W)
	set(c.header, "If-None-Match", p.IfNoneMatch)
}

// ProxyImage fetches an external image: GET /images/proxy.
//
// Fetches an image over https (port 443) from a public IPv4 address, with at most 3 redirects, within 10 seconds, and caches it.
// Accepts JPEG, PNG, GIF, WebP and AVIF, detected from their bytes, up to 10 MiB and 40 megapixels. A larger image is 413; any other
// type is 415. A URL that names a forbidden destination is 400; a host name that resolves to no public address is 502.
//
// `w` requests a version of at most that width, encoded as JPEG or PNG without metadata. Images are returned unchanged if
// they are narrow enough, animated, AVIF, lossless or transparent WebP, or too large to resize in limited memory, and for up to a
// minute while the service is busy. Limit: 240 per client address in a minute.
//
// The status of an Error is 304, 400, 413, 415, 429, 500, 502 or 503.
func (c *Client) ProxyImage(ctx context.Context, params ProxyImageParams) (io.ReadCloser, error) {
	request := newCall(call{method: http.MethodGet, path: "/images/proxy", public: true, stream: true})
	params.apply(request)
	return c.open(ctx, request)
}

// SetEventCoverParams are the parameters of SetEventCover. Fields that are zero or nil are not sent.
type SetEventCoverParams struct {
	// The `ETag` of the event as last read. If the event has changed since, the response is 412 and nothing is written.
	IfMatch string
}

func (p SetEventCoverParams) apply(c *call) {
	set(c.header, "If-Match", p.IfMatch)
}

// SetEventCover uploads the cover of an event: PUT /events/{event_id}/cover.
//
// Sets `image_url` of the event to an uploaded picture, in place of an earlier one. `image_alt` is unchanged. Only hosts
// may do it; everyone else gets 404. A canceled or completed event is 403.
//
// The status of an Error is 400, 401, 403, 404, 409, 412, 413, 415, 429, 500 or 503.
func (c *Client) SetEventCover(ctx context.Context, eventID string, params SetEventCoverParams, picture []byte) (*EventCover, error) {
	request := newCall(call{method: http.MethodPut, path: "/events/" + url.PathEscape(eventID) + "/cover", file: picture})
	params.apply(request)
	return decode[EventCover](ctx, c, request)
}

// DeleteEventCoverParams are the parameters of DeleteEventCover. Fields that are zero or nil are not sent.
type DeleteEventCoverParams struct {
	// The `ETag` of the event as last read. If the event has changed since, the response is 412 and nothing is written.
	IfMatch string
}

func (p DeleteEventCoverParams) apply(c *call) {
	set(c.header, "If-Match", p.IfMatch)
}

// DeleteEventCover removes the cover of an event: DELETE /events/{event_id}/cover.
//
// Clears `image_url` and `image_alt`, wherever the image is. An event without a cover is unchanged (204). Only hosts may
// do it; everyone else gets 404. A canceled or completed event is 403.
//
// The status of an Error is 400, 401, 403, 404, 409, 412, 429, 500 or 503.
func (c *Client) DeleteEventCover(ctx context.Context, eventID string, params DeleteEventCoverParams) error {
	request := newCall(call{method: http.MethodDelete, path: "/events/" + url.PathEscape(eventID) + "/cover"})
	params.apply(request)
	return c.do(ctx, request, nil)
}

// SetAvatar uploads the avatar of the current user: PUT /me/avatar.
//
// Sets `avatar_url` of the profile to an uploaded picture, in place of an earlier one. Its alternative text is the display name.
//
// The status of an Error is 400, 401, 403, 409, 413, 415, 429, 500 or 503.
func (c *Client) SetAvatar(ctx context.Context, picture []byte) (*Avatar, error) {
	request := newCall(call{method: http.MethodPut, path: "/me/avatar", file: picture})
	return decode[Avatar](ctx, c, request)
}

// DeleteAvatar removes the avatar of the current user: DELETE /me/avatar.
//
// Clears `avatar_url`, wherever the image is. A profile without an avatar is unchanged (204).
//
// The status of an Error is 401, 403, 409, 429, 500 or 503.
func (c *Client) DeleteAvatar(ctx context.Context) error {
	request := newCall(call{method: http.MethodDelete, path: "/me/avatar"})
	return c.do(ctx, request, nil)
}
