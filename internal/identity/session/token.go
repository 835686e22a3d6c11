package session

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
)

// TokenKind is the prefix of a token. A token is the prefix and TokenBytes
// random bytes in base64url (contract §2.4).
//
// The database stores only the SHA-256 of a token. Tokens have 256 random bits, so a
// fast hash is safe. The hash includes the prefix, so a token of one kind is never
// accepted as another kind.
type TokenKind string

const (
	accessToken  TokenKind = "at_"
	refreshToken TokenKind = "rt_"
)

// TokenBytes is the number of random bytes in a token.
const TokenBytes = 32

// tokenEncoding rejects a last character whose unused bits are set, so that each token
// has exactly one spelling.
var tokenEncoding = base64.RawURLEncoding.Strict()

// New returns a random token.
func (k TokenKind) New() string {
	var random [TokenBytes]byte
	_, _ = rand.Read(random[:]) // never fails
	return k.Of(random[:])
}

// Of returns the token with the given TokenBytes bytes.
func (k TokenKind) Of(random []byte) string {
	return string(k) + tokenEncoding.EncodeToString(random)
}

// Hash returns the hash of a token, which the database stores. ok is false if the text is
// not a token of this kind.
func (k TokenKind) Hash(token string) (hash []byte, ok bool) {
	if len(token) != len(k)+tokenEncoding.EncodedLen(TokenBytes) || token[:len(k)] != string(k) {
		return nil, false
	}
	// The decoder skips line breaks, so it may return fewer bytes.
	random, err := tokenEncoding.DecodeString(token[len(k):])
	if err != nil || len(random) != TokenBytes {
		return nil, false
	}
	sum := sha256.Sum256([]byte(token))
	return sum[:], true
}

// Pair is the two tokens of a session.
type Pair struct{ access, refresh string }

// NewPair returns two random tokens.
func NewPair() Pair { return Pair{accessToken.New(), refreshToken.New()} }

// PairOf returns the pair with the given TokenBytes bytes in each token.
func PairOf(access, refresh []byte) Pair {
	return Pair{accessToken.Of(access), refreshToken.Of(refresh)}
}

// hashes returns the hashes of the tokens.
func (p Pair) hashes() (access, refresh []byte) {
	access, _ = accessToken.Hash(p.access)
	refresh, _ = refreshToken.Hash(p.refresh)
	return access, refresh
}
