package email_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"moothall/internal/domain"
	"moothall/internal/identity/session"
	"moothall/internal/identity/signin/email"
	"moothall/internal/platform/db"
	"moothall/internal/platform/job"
	"moothall/internal/platform/smtp"
	"moothall/internal/test/dbtest"
)

// hanging is a mail server that does not answer until release is closed.
type hanging struct{ begun, release chan struct{} }

func (h hanging) Send(ctx context.Context, _ smtp.Message) error {
	h.begun <- struct{}{}
	select {
	case <-h.release:
	case <-ctx.Done():
	}
	return nil
}

// TestHangingMailServerDelaysNoOtherJob occupies every worker of sign-in mails.
func TestHangingMailServerDelaysNoOtherJob(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		clock := domain.SystemClock()
		server := hanging{make(chan struct{}, 10), make(chan struct{})}
		s := &email.Service{DB: d, Clock: clock, Sessions: &session.Service{DB: d, Clock: clock}, Key: []byte("key"), Transport: server,
			From: "no-reply@example.org"}
		jobs := job.New(job.Options{DB: d, Clock: clock, Logger: slog.New(slog.DiscardHandler), Parallel: 1})
		s.RegisterJobs(jobs)
		other := make(chan struct{})
		job.InTx(jobs, "other", func(context.Context, db.Tx, int) error { close(other); return nil })
		jobs.Start(t.Context())
		for _, address := range []string{"ann@example.org", "ben@example.org", "cora@example.org"} {
			if _, err := s.Start(t.Context(), email.Start{Email: address}); err != nil {
				t.Fatal(err)
			}
		}
		await(t, server.begun, "the first mail")
		await(t, server.begun, "the second mail, at the same time")
		err := d.InTx(t.Context(), func(tx db.Tx) error { return job.Put(t.Context(), tx, clock(), job.Job{Kind: "other", Payload: 1}) })
		if err != nil {
			t.Fatal(err)
		}
		await(t, other, "the other job")
		close(server.release)
		await(t, server.begun, "the third mail")
		if err := jobs.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func await(t *testing.T, signal <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-signal:
	case <-time.After(time.Minute): // long, because the machine may be busy
		t.Fatalf("%s did not begin", what)
	}
}
