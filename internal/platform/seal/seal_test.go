package seal_test

import (
	"bytes"
	"errors"
	"testing"

	"moothall/internal/platform/seal"
)

const purpose = "test"

var (
	first  = []byte("the first key that only tests use")
	second = []byte("the second key that only tests use")
	third  = []byte("the third key that only tests use")
)

// TestSecretsSurviveTwoNewKeys renews secrets twice. Meanwhile both keys open them, afterwards only the new one.
func TestSecretsSurviveTwoNewKeys(t *testing.T) {
	t.Parallel()
	before := seal.Keys{Current: first}
	seed := before.New(purpose)
	secret, err := before.Secret(purpose, seed)
	if err != nil || len(secret) != 32 || len(seed) != seal.SeedSize {
		t.Fatalf("%x, %v", secret, err)
	}
	stored := seed
	for _, keys := range []seal.Keys{{Current: second, Previous: first}, {Current: third, Previous: second}} {
		meanwhile, err := keys.Secret(purpose, stored)
		if err != nil || !bytes.Equal(meanwhile, secret) {
			t.Fatalf("before it is renewed: %x, %v", meanwhile, err)
		}
		renewed, changed, err := keys.Renew(purpose, stored)
		if err != nil || !changed {
			t.Fatalf("%v %v", changed, err)
		}
		if _, again, err := keys.Renew(purpose, renewed); again || err != nil {
			t.Errorf("renewed twice: %v", err)
		}
		afterwards, err := (seal.Keys{Current: keys.Current}).Secret(purpose, renewed)
		if err != nil || !bytes.Equal(afterwards, secret) {
			t.Errorf("without the predecessor: %x, %v", afterwards, err)
		}
		if _, err := (seal.Keys{Current: keys.Previous}).Secret(purpose, renewed); !errors.Is(err, seal.ErrWrongKey) {
			t.Errorf("the predecessor alone: %v", err)
		}
		stored = renewed
	}
}

// TestNewSecretsDuringRenewal creates a secret while there is a predecessor: it belongs to the new key.
func TestNewSecretsDuringRenewal(t *testing.T) {
	t.Parallel()
	keys := seal.Keys{Current: second, Previous: first}
	stored := keys.New(purpose)
	during, err := keys.Secret(purpose, stored)
	after, afterErr := (seal.Keys{Current: second}).Secret(purpose, stored)
	if err != nil || afterErr != nil || !bytes.Equal(during, after) {
		t.Errorf("%x %v, then %x %v", during, err, after, afterErr)
	}
	if _, changed, err := keys.Renew(purpose, stored); changed || err != nil {
		t.Errorf("%v %v", changed, err)
	}
	if _, err := keys.Open("another purpose", stored); !errors.Is(err, seal.ErrWrongKey) {
		t.Errorf("another purpose: %v", err)
	}
}

// TestTokensOpenUnderBothKeys opens tokens of the key and its predecessor, and no others. The text pins the format: links in old mails
// must work.
func TestTokensOpenUnderBothKeys(t *testing.T) {
	t.Parallel()
	data := []byte("an id of a row")
	old := seal.Keys{Current: first}.Token("unsubscribe", data)
	if old != "YW4gaWQgb2YgYSByb3dZU20cwhQDHFMdGFya7SZj" {
		t.Errorf("another format: %s", old)
	}
	renewed := seal.Keys{Current: second, Previous: first}
	for _, row := range []struct {
		name, purpose, token string
		keys                 seal.Keys
		want                 bool
	}{
		{"of the key", "unsubscribe", old, seal.Keys{Current: first}, true},
		{"of the predecessor", "unsubscribe", old, renewed, true},
		{"of the new key", "unsubscribe", renewed.Token("unsubscribe", data), renewed, true},
		{"of a forgotten key", "unsubscribe", old, seal.Keys{Current: third, Previous: second}, false},
		{"for another purpose", "invite link", old, renewed, false},
		{"with other data", "unsubscribe", "Z" + old[1:], renewed, false},
		{"cut", "unsubscribe", old[:len(old)-2], renewed, false},
		{"with more", "unsubscribe", old + "AA", renewed, false},
		{"empty", "unsubscribe", "", renewed, false},
		{"too short", "unsubscribe", "AAAA", renewed, false},
		{"no base64", "unsubscribe", old[:len(old)-1] + "!", renewed, false},
	} {
		got, ok := row.keys.OpenToken(row.purpose, row.token)
		if ok != row.want || ok && !bytes.Equal(got, data) {
			t.Errorf("a token %s: %q, %v", row.name, got, ok)
		}
	}
}
