package httpapi

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"

	"moothall/internal/domain"
	"moothall/internal/platform/observe"
	"moothall/internal/platform/ratelimit"
)

// SecurityEvent is the kind of a record in the security log (docs/security.md).
type SecurityEvent string

// The security events that operations report. The others follow from the operation and
// its status.
const (
	SignIn       SecurityEvent = "sign_in"
	SignInFailed SecurityEvent = "sign_in_failed"
	RefreshReuse SecurityEvent = "refresh_reuse" // of a rotated token: its session ends
	Logout       SecurityEvent = "logout"
	// PasskeyCopied means that the signature counter of a passkey has not increased.
	PasskeyCopied SecurityEvent = "passkey_copied"
	rateLimited   SecurityEvent = "rate_limited"
)

// succeeded are the events of operations that succeed.
var succeeded = map[string]SecurityEvent{ //nolint:gosec // names, no secrets
	"revokeSession": "revocation", "revokeOtherSessions": "revocation",
	"blockUser": "block", "unblockUser": "unblock", "createReport": "report", "updateReport": "moderation", "deleteMe": "deletion",
	"createPasskey": "passkey_added", "deletePasskey": "passkey_removed",
	"createApiKey": "api_key_added", "deleteApiKey": "api_key_removed",
	"createWebhook": "webhook_added", "deleteWebhook": "webhook_removed", "rotateWebhookSecret": "webhook_secret_rotated",
}

// signIns are the operations whose 401 is a failed sign-in.
var signIns = map[string]bool{"verifyDevSignIn": true, "verifyEmailSignIn": true, "getEmailSignInStatus": true, "getPhoneCallStatus": true,
	"signInWithIdpToken": true, "verifyPasskeySignIn": true}

// LogSecurity reports a security event of the request and the user and session that it
// concerns; both may be unknown.
func LogSecurity(ctx context.Context, event SecurityEvent, of domain.Viewer) {
	st := stateOf(ctx)
	st.security, st.subject = event, of
}

// logSecurity writes at most one record about a request. It identifies the client by a
// keyed hash of its address, without personal data.
func (s *Server) logSecurity(r *http.Request, st *requestState, status int) {
	event, of := st.security, st.subject
	if event == "" && st.op != nil {
		of = st.viewer
		switch {
		case status == http.StatusTooManyRequests:
			event = rateLimited
		case status == http.StatusUnauthorized && signIns[st.op.id]:
			event = SignInFailed
		case status < http.StatusBadRequest:
			event = succeeded[st.op.id]
		}
	}
	if event == "" {
		return
	}
	attributes := []slog.Attr{
		slog.String("log", "security"), slog.String("event", string(event)), slog.String("request_id", st.id),
		slog.String("operation", st.name()),
		slog.Int("status", status), slog.String("client", s.clientHash(st)),
	}
	if of.SignedIn() {
		attributes = append(attributes, slog.String("user_id", of.UserID.String()))
		if of.Key != nil {
			attributes = append(attributes, slog.String("api_key_id", of.Key.ID.String()))
		} else {
			attributes = append(attributes, slog.String("session_id", of.SessionID.String()))
		}
	}
	s.log.LogAttrs(r.Context(), slog.LevelInfo, observe.Security, attributes...)
}

// clientHash returns the same short text for requests from the same address.
func (s *Server) clientHash(st *requestState) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte("address in the security log\x00" + ratelimit.Address(st.client.Address)))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}
