package session

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// A token is a prefix and 32 random bytes in base64url (contract §2.4). Only
// the SHA-256 of the whole text is stored: with 256 random bits nothing slower
// is needed, and the prefix keeps one kind from passing for the other.
type tokenKind string

const (
	accessToken  tokenKind = "at_"
	refreshToken tokenKind = "rt_"
	stateToken   tokenKind = "st_" // of a trip to an identity provider, in URLs
	browserToken tokenKind = "br_" // of the browser on that trip, in its cookie
)

const tokenBytes = 32

// strict refuses a last character whose unused bits are set: each token has
// exactly one spelling.
var tokenEncoding = base64.RawURLEncoding.Strict()

func newToken(kind tokenKind) string {
	var random [tokenBytes]byte
	_, _ = rand.Read(random[:]) // never fails: it would end the process
	return tokenOf(kind, random[:])
}

// tokenOf spells a token out of its tokenBytes bytes.
func tokenOf(kind tokenKind, random []byte) string {
	return string(kind) + tokenEncoding.EncodeToString(random)
}

// pair is the two tokens of a session.
type pair struct{ access, refresh string }

func newPair() pair { return pair{newToken(accessToken), newToken(refreshToken)} }

// hashes gives what is stored of the tokens.
func (p pair) hashes() (access, refresh []byte) {
	access, _ = accessToken.hash(p.access)
	refresh, _ = refreshToken.hash(p.refresh)
	return access, refresh
}

// hash gives what is stored of a token; not ok when the text cannot be a token
// of the kind.
func (k tokenKind) hash(token string) (stored []byte, ok bool) {
	if len(token) != len(k)+tokenEncoding.EncodedLen(tokenBytes) || token[:len(k)] != string(k) {
		return nil, false
	}
	// Line breaks, which decoding skips, leave fewer bytes than are needed.
	random, err := tokenEncoding.DecodeString(token[len(k):])
	if err != nil || len(random) != tokenBytes {
		return nil, false
	}
	sum := sha256.Sum256([]byte(token))
	return sum[:], true
}
