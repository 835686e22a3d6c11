package media

import (
	"context"
	"errors"
	"testing"

	"moothall/internal/domain"
)

// TestUserHasOneDecoder checks that the uploads of one user wait for each other, and not those of others for them.
func TestUserHasOneDecoder(t *testing.T) {
	d := newDecoders()
	ann, bob := domain.UserID{1}, domain.UserID{2}
	first, err := d.acquire(t.Context(), ann, maxMemory/2)
	if err != nil {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := d.acquire(gone, ann, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a second picture of one user: %v", err)
	}
	other, err := d.acquire(t.Context(), bob, maxMemory/2)
	if err != nil {
		t.Fatalf("a picture of another user: %v", err)
	}
	if _, err := d.acquire(gone, domain.UserID{3}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("more memory than allowed: %v", err)
	}
	first()
	again, err := d.acquire(t.Context(), ann, maxMemory/2)
	if err != nil {
		t.Fatalf("the next picture: %v", err)
	}
	other()
	again()
	if len(d.users) > 0 {
		t.Errorf("%d users are left", len(d.users))
	}
}
