package session

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"time"

	"moothall/internal/user"
)

// Limits of a dev e-mail code (contract §2.1).
const (
	codeLength   = 6
	codeLifetime = 10 * time.Minute
	codeTries    = 5
	resendAfter  = time.Minute
)

// A code is an HMAC of a random seed and the address, cut to six digits. The
// database holds the seed alone, so whoever reads it learns no code, and a
// start that is repeated can give the same code again.

const seedBytes = 16

func newSeed() []byte {
	seed := make([]byte, seedBytes)
	_, _ = rand.Read(seed) // never fails: it would end the process
	return seed
}

func codeOf(key, seed []byte, e user.Email) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("dev e-mail code\x00")) // the key serves other purposes too
	mac.Write(seed)
	mac.Write([]byte(e.Key))
	return fmt.Sprintf("%0*d", codeLength, binary.BigEndian.Uint64(mac.Sum(nil))%1_000_000)
}

func sameCode(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
