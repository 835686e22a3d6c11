package domain_test

import (
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"moothall/internal/domain"
)

func TestReadCursorReturnsValues(t *testing.T) {
	at := time.Date(2026, 6, 1, 12, 0, 0, 123456000, time.UTC)
	id := domain.NewID[domain.UserKind](at)
	text := domain.Cursor("people.1", "ann", int64(1)<<62, at, id, true)
	var (
		name   string
		n      int64
		moment time.Time
		user   domain.UserID
		yes    bool
	)
	if err := domain.ReadCursor(text, "people.1", &name, &n, &moment, &user, &yes); err != nil {
		t.Fatal(err)
	}
	if name != "ann" || n != 1<<62 || !moment.Equal(at) || user != id || !yes {
		t.Errorf("read %q, %d, %s, %s and %t", name, n, moment, user, yes)
	}
	if strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" || len(text) > 512 {
		t.Errorf("%q is not base64url of at most 512 bytes", text)
	}
}

func TestReadCursorRefusesOtherText(t *testing.T) {
	encode := base64.RawURLEncoding.EncodeToString
	for name, text := range map[string]string{
		"empty":            "",
		"no base64url":     "a+b/",
		"padded":           base64.URLEncoding.EncodeToString([]byte(`["people.1","ann",1]`)),
		"no JSON":          encode([]byte("people")),
		"no array":         encode([]byte(`{"people.1":1}`)),
		"another list":     domain.Cursor("posts.1", "ann", 1),
		"another version":  domain.Cursor("people.2", "ann", 1),
		"too few values":   domain.Cursor("people.1", "ann"),
		"too many values":  domain.Cursor("people.1", "ann", 1, 2),
		"another type":     domain.Cursor("people.1", 1, "ann"),
		"null":             encode([]byte(`["people.1",null,1]`)),
		"NUL":              domain.Cursor("people.1", "a\x00", 1),
		"too large number": encode([]byte(`["people.1","ann",9223372036854775808]`)),
		"trailing data":    encode([]byte(`["people.1","ann",1]]`)),
		"too long":         domain.Cursor("people.1", strings.Repeat("a", 400), 1),
	} {
		t.Run(name, func(t *testing.T) {
			var name string
			var n int64
			err := domain.ReadCursor(text, "people.1", &name, &n)
			if !errors.Is(err, domain.InvalidRequest) {
				t.Errorf("%q returns %v", text, err)
			}
		})
	}
}
