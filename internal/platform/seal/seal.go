// Package seal stores secrets that the service needs again, so that nobody can read them with the database alone. It also makes the
// tokens of links, which nobody can make without the key. A new key of the service has a predecessor, which still opens what was
// sealed with it, and accepts its tokens.
package seal

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"slices"
)

// Keys are the key of the service and its predecessor.
type Keys struct {
	Current  []byte
	Previous []byte // empty: none
}

// ErrWrongKey means that neither key opens a secret.
var ErrWrongKey = errors.New("SECRET_KEY does not open what the database contains: set SECRET_KEY_PREVIOUS to the key before it")

// SeedSize is the size of a seed in bytes. A sealed secret is longer.
const SeedSize = 32

// New returns what a row stores of a new secret: a seed, from which the key derives the secret. While there is a
// predecessor, it returns a sealed secret instead, because all seeds belong to the predecessor until they are renewed.
func (k Keys) New(purpose string) (stored []byte) {
	random := make([]byte, SeedSize)
	_, _ = rand.Read(random) // never fails
	if len(k.Previous) > 0 {
		return k.Seal(purpose, random)
	}
	return random
}

// Secret returns the secret of what New has returned, or ErrWrongKey.
func (k Keys) Secret(purpose string, stored []byte) ([]byte, error) {
	if len(stored) > SeedSize {
		return k.Open(purpose, stored)
	}
	return k.Derive(purpose, stored), nil
}

// Derive returns the secret of a seed, under the predecessor if there is one.
func (k Keys) Derive(purpose string, seed []byte) []byte {
	if len(k.Previous) > 0 {
		return mac(k.Previous, purpose, seed)
	}
	return mac(k.Current, purpose, seed)
}

// Renew returns what a row stores of the same secret under the current key. changed is false if the row may stay as it is.
func (k Keys) Renew(purpose string, stored []byte) (renewed []byte, changed bool, err error) {
	if len(stored) == 0 || len(k.Previous) == 0 {
		return stored, false, nil
	}
	if _, err := (Keys{Current: k.Current}).Open(purpose, stored); err == nil {
		return stored, false, nil
	}
	secret, err := k.Secret(purpose, stored)
	if err != nil {
		return stored, false, err
	}
	return k.Seal(purpose, secret), true, nil
}

// Seal encrypts a secret with the current key (AES-256-GCM with a random nonce).
func (k Keys) Seal(purpose string, secret []byte) []byte {
	return sealer(k.Current, purpose).Seal(nil, nil, secret, nil) //nolint:gosec // the cipher makes the nonce
}

// Open returns the secret that Seal has encrypted with either key, or ErrWrongKey.
func (k Keys) Open(purpose string, sealed []byte) ([]byte, error) {
	for _, key := range [][]byte{k.Current, k.Previous} {
		if len(key) == 0 {
			continue
		}
		if secret, err := sealer(key, purpose).Open(nil, nil, sealed, nil); err == nil {
			return secret, nil
		}
	}
	return nil, ErrWrongKey
}

func sealer(key []byte, purpose string) cipher.AEAD {
	block, err := aes.NewCipher(mac(key, "seal "+purpose, nil)) // an AES key for each purpose
	if err != nil {
		panic(err) // the size of the key is constant
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // the size of the block is constant
	}
	return aead
}

// mac returns the HMAC of data. It differs for each purpose, because one key serves several purposes.
func mac(key []byte, purpose string, data []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(purpose + "\x00"))
	m.Write(data)
	return m.Sum(nil)
}

// tokenMACSize is the size of the MAC of a token in bytes.
const tokenMACSize = 16

// Token returns data in a form that only the holder of the key can make, for the path of an address. It never expires, and
// anybody can read the data.
func (k Keys) Token(purpose string, data []byte) string {
	return base64.RawURLEncoding.EncodeToString(k.Sign(purpose, data, tokenMACSize))
}

// OpenToken returns the data of a token of either key; ok is false if the token is forged or damaged.
func (k Keys) OpenToken(purpose, token string) (data []byte, ok bool) {
	signed, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil {
		return nil, false
	}
	return k.Verify(purpose, signed, tokenMACSize)
}

// Sign returns data and the first macSize bytes of its MAC (at most 32).
func (k Keys) Sign(purpose string, data []byte, macSize int) []byte {
	return slices.Concat(data, mac(k.Current, purpose, data)[:macSize])
}

// Verify returns the data of what Sign has returned under either key; ok is false for anything else.
func (k Keys) Verify(purpose string, signed []byte, macSize int) (data []byte, ok bool) {
	if len(signed) < macSize {
		return nil, false
	}
	data, sent := signed[:len(signed)-macSize], signed[len(signed)-macSize:]
	ok = hmac.Equal(sent, mac(k.Current, purpose, data)[:macSize]) ||
		len(k.Previous) > 0 && hmac.Equal(sent, mac(k.Previous, purpose, data)[:macSize])
	return data, ok
}

// Equal reports whether a key is one of the keys.
func (k Keys) Equal(key []byte) bool {
	return bytes.Equal(key, k.Current) || bytes.Equal(key, k.Previous)
}
