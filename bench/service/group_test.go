package service_test

import (
	"fmt"
	"testing"
	"time"

	"moothall/bench/bulk"
	"moothall/bench/dataset"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
)

// BenchmarkGroupPage measures the page of the demo's group with 100,000 members, and the operations that it calls. Like those of
// BenchmarkPages, fresh pages are rendered from cached values of the operations; those of signed-in visitors compute all of them.
func BenchmarkGroupPage(b *testing.B) {
	database := "sqlite:" + b.TempDir() + "/moothall.db"
	service := newService(b, database, "64")
	if err := service.FillDemo(b.Context()); err != nil {
		b.Fatal(err)
	}
	const id = "018f3b0a-5c1d-7000-8000-0000000000d1"
	addMembers(b, database, id, 100_000)
	h, cookie := service.Handler(), signIn(b, service.Handler(), "anna@example.org")
	share := shareURL(b, h, "/api/groups/"+id)
	page, zipped, member := newRequest(share, "text/html"), newRequest(share, "text/html"), newRequest(share, "text/html")
	zipped.Header.Set("Accept-Encoding", "gzip")
	member.Header.Set("Cookie", cookie)
	b.Run("bare", func(b *testing.B) { perRequest(b, bare(h, page), page, false) })
	b.Run("fresh", func(b *testing.B) { perRequest(b, h, page, true) })
	b.Run("fresh gzip", func(b *testing.B) { perRequest(b, h, zipped, true) })
	b.Run("signed in", func(b *testing.B) { perRequest(b, h, member, false) })
	for _, list := range []string{"", "/members?limit=12", "/events?limit=10", "/events?limit=10&period=past"} {
		operation := newRequest("/api/groups/"+id+list, "*/*")
		b.Run("operation"+list, func(b *testing.B) { perRequest(b, h, operation, false) })
	}
}

// addMembers gives a group of a database n more members.
func addMembers(b *testing.B, database, group string, n int) {
	b.Helper()
	d, err := db.Open(b.Context(), database, db.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	to, err := domain.ParseID[domain.GroupKind](group)
	if err != nil {
		b.Fatal(err)
	}
	now := time.Now()
	ids, users := make([]domain.UserID, n), make([]dataset.User, n)
	for i := range users {
		name := fmt.Sprintf("member%d", i)
		ids[i] = domain.NewID[domain.UserKind](now)
		users[i] = dataset.User{ID: ids[i], Email: name + "@bench.example", DisplayName: name, Username: name, CreatedAt: now}
	}
	if err := bulk.Users(b.Context(), d, users); err != nil {
		b.Fatal(err)
	}
	if err := bulk.Members(b.Context(), d, to, ids, now); err != nil {
		b.Fatal(err)
	}
}
