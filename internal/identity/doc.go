// Package identity knows who somebody is: sign-in by phone and by identity providers (signin, telephony, idp), by e-mail
// (email) and by passkey (passkey), sessions and API keys (session, apikey), and who follows or blocks whom (relation).
//
// Its packages may import api, domain, platform and core.
package identity
