package demo_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"moothall/internal/core/user"
	"moothall/internal/meetup/media"
	"moothall/internal/ops/demo"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// fullDisk is a store that takes no pictures.
type fullDisk struct{ blob.Store }

var errFull = errors.New("no space left")

func (fullDisk) Put(context.Context, string, []byte) error { return errFull }

func (fullDisk) Delete(context.Context, string) error { return nil }

func TestPlayReportsIncompleteDemo(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := &demo.Clock{}
		s := demo.Services{
			DB: d, Clock: clock, Users: &user.Service{DB: d, Clock: clock.Now},
			Media: media.New(media.Service{DB: d, Clock: clock.Now, Store: fullDisk{}}),
		}
		play := func() error { return demo.Play(t.Context(), s, time.Now, slog.New(slog.DiscardHandler)) }
		if err := play(); !errors.Is(err, errFull) {
			t.Errorf("the first start: %v", err)
		}
		if err := play(); err == nil || !strings.Contains(err.Error(), "the demo is incomplete") {
			t.Errorf("the second start: %v", err)
		}
	})
}
