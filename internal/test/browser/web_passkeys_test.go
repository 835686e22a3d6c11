package browser

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestRefusedPasskeys sends what no browser sends. The journeys of webtest add passkeys and
// sign in with them.
func TestRefusedPasskeys(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		const assertion = `{"id":"AQIDBA","rawId":"AQIDBA","type":"public-key","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA"}}`
		visitor(t, a).open("/login").want(t, http.StatusOK, `data-options="/api/auth/passkey/options"`)
		visitor(t, a).submit("verifyPasskeySignIn", "/login", url.Values{"credential": {assertion}}).want(t, http.StatusUnprocessableEntity,
			"This passkey is not known here.")
		visitor(t, a).submit("verifyPasskeySignIn", "/login", url.Values{"credential": {"{"}}).want(t, http.StatusUnprocessableEntity,
			"The browser has sent no passkey.")

		ann, page := signedIn(t, a, "ann"), "/settings/security"
		ann.open(page).want(t, http.StatusOK, `data-options="/api/me/passkeys/options"`, "Passkeys need scripts")
		const attestation = `{"id":"AQIDBA","rawId":"AQIDBA","type":"public-key","response":{"clientDataJSON":"e30","attestationObject":"oA"}}`
		for _, credential := range []string{"", "null", "[]", attestation} {
			ann.submit("createPasskey", page, url.Values{"credential": {credential}}).want(t, http.StatusUnprocessableEntity)
		}
		unknown := url.Values{"passkey_id": {"018f3b0a-5c1d-7000-8000-0000000000f1"}, "name": {"x"}}
		ann.submit("updatePasskey", page, unknown).want(t, http.StatusUnprocessableEntity)
		ann.submit("deletePasskey", page, unknown).want(t, http.StatusUnprocessableEntity)
	}, settings...)
}

func TestNoPasskeysOnAnIPAddress(t *testing.T) {
	a := apptest.New(t, db.SQLite, append(slices.Clip(settings), apptest.Setting("WEB_ORIGIN", "http://127.0.0.1:1"))...)
	visitor(t, a).open("/login").want(t, http.StatusOK, "not", "<pass-key")
	signedIn(t, a, "ann").open("/settings/security").want(t, http.StatusOK, "This browser", "not", "<pass-key")
}
