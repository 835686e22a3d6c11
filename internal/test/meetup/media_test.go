package meetup_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestCoverIsShown follows a cover from the upload to its removal: in the details, lists,
// map and feed of everybody, cached or not.
func TestCoverIsShown(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		org, stranger := a.As("org"), a.Anonymous()
		id := org.Publish(apptest.Fields{"lat": 52.5, "lng": 13.4, "image_alt": "A board"})
		shows := func(what string, image, alt any) {
			t.Helper()
			for path, at := range map[string]string{
				"/events/" + id: "event.", "/events": "items.0.event.", "/events/map?bbox=13,52,14,53": "items.0.event.", "/feed": "items.0.event.",
			} {
				for _, client := range []*apptest.Client{stranger, org} {
					if got := client.Get(path).Want(200); got.Get(at+"image_url") != image || got.Get(at+"image_alt") != alt {
						t.Errorf("%s: %s shows %v, %v, want %v, %v", what, path, got.Get(at+"image_url"), got.Get(at+"image_alt"), image, alt)
					}
				}
			}
		}
		shows("before", nil, "A board")
		first := org.Put("/events/"+id+"/cover", asPNG(t, painted(100, 50, red, blue))).Want(200)
		if first.Text("event_id") != id || first.Header.Get("ETag") != org.Get("/events/"+id).Header.Get("ETag") {
			t.Errorf("%s %v", first.Body, first.Header)
		}
		if url := first.Text("image.url"); url != first.Text("image.variants.1.url") || !strings.HasPrefix(url, apptest.BaseURL+"/media/") ||
			!strings.HasSuffix(url, "-960.jpg") {
			t.Errorf("the address is %s", url)
		}
		shows("after the upload", first.Text("image.url"), "A board")
		second := org.Put("/events/"+id+"/cover", asPNG(t, painted(100, 50, red, blue))).Want(200)
		if second.Text("image.url") == first.Text("image.url") {
			t.Error("the same picture has the same address")
		}
		org.Patch("/events/"+id, apptest.Fields{"image_alt": "Another board"}).Want(200)
		shows("after another one", second.Text("image.url"), "Another board")
		org.Delete("/events/" + id + "/cover").Want(204)
		org.Delete("/events/" + id + "/cover").Want(204)
		shows("after the removal", nil, nil)
		org.Patch("/events/"+id, apptest.Fields{"image_url": "https://example.org/a.png", "image_alt": "A"}).Want(200)
		shows("of another host", "https://example.org/a.png", "A")
		org.Patch("/events/"+id, apptest.Fields{"image_alt": nil}).Want(200)
		shows("without a text", "https://example.org/a.png", nil)
		for _, alt := range []string{"", strings.Repeat("a", 301), "two\nlines"} {
			org.Patch("/events/"+id, apptest.Fields{"image_alt": alt}).WantError(400, "invalid_request")
		}
	}, apptest.StartAt(apptest.Today))
}

func TestCoverHonoursIfMatch(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := "/events/" + org.Draft(nil)
		stale := org.Get(path).Want(200).Header.Get("ETag")
		fresh := org.With("If-Match", stale).Put(path+"/cover", apptest.Pixel).Want(200).Header.Get("ETag")
		org.With("If-Match", stale).Put(path+"/cover", apptest.Pixel).WantError(412, "precondition_failed")
		org.With("If-Match", stale).Delete(path+"/cover").WantError(412, "precondition_failed")
		org.With("If-Match", fresh).Delete(path + "/cover").Want(204)
	}, apptest.StartAt(apptest.Today))
}

// TestAvatarIsShown follows an avatar from the upload to its removal.
func TestAvatarIsShown(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, stranger := a.As("org"), a.Anonymous()
		id := org.Publish(nil)
		shows := func(want any) {
			t.Helper()
			for path, at := range map[string]string{
				"/users/" + org.UserID + "/profile": "avatar_url", "/events/" + id: "organizer.avatar_url", "/events": "items.0.organizer.avatar_url",
			} {
				if got := stranger.Get(path).Want(200).Get(at); got != want {
					t.Errorf("%s shows %v, want %v", path, got, want)
				}
			}
			if got := org.Get("/me").Want(200).Get("profile.avatar_url"); got != want {
				t.Errorf("/me shows %v, want %v", got, want)
			}
		}
		shows(nil)
		set := org.Put("/me/avatar", apptest.Pixel).Want(200)
		if set.Text("user_id") != org.UserID || !strings.HasSuffix(set.Text("image.url"), "-480.jpg") {
			t.Errorf("%s", set.Body)
		}
		shows(set.Text("image.url"))
		org.Delete("/me/avatar").Want(204)
		org.Delete("/me/avatar").Want(204)
		shows(nil)
	}, apptest.StartAt(apptest.Today))
}

// TestServedPictures checks headers, ranges, conditions and everything that is not found.
func TestServedPictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := apptest.New(t, db.SQLite, apptest.Setting("MEDIA", dir))
	path := strings.TrimPrefix(a.As("ann").Put("/me/avatar", asPNG(t, painted(400, 200, red, blue))).Want(200).Text("image.url"),
		apptest.BaseURL)
	client := a.Anonymous()
	whole := client.With("Accept-Encoding", "gzip").Get(path).Want(200)
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff",
		"Content-Disposition": "inline", "Content-Security-Policy": "default-src 'none'; sandbox", "Cross-Origin-Resource-Policy": "cross-origin",
		"Accept-Ranges": "bytes", "Content-Encoding": "", "Set-Cookie": "", "Last-Modified": "",
	} {
		if got := whole.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if part := client.With("Range", "bytes=2-9").Get(path).Want(206); string(part.Body) != string(whole.Body[2:10]) {
		t.Errorf("a range has %d bytes", len(part.Body))
	}
	client.With("Range", "bytes=9999999-").Get(path).Want(416)
	if same := client.With("If-None-Match", whole.Header.Get("ETag")).Get(path).Want(304); len(same.Body) > 0 {
		t.Error("a 304 has a body")
	}
	if head := client.Do(http.MethodHead, path, nil).Want(200); len(head.Body) > 0 ||
		head.Header.Get("Content-Length") != whole.Header.Get("Content-Length") {
		t.Errorf("HEAD: %d bytes, %v", len(head.Body), head.Header)
	}
	for _, method := range []string{"POST", "PUT", "DELETE"} {
		client.Do(method, path, nil).WantError(405, "method_not_allowed")
	}
	if err := os.WriteFile(filepath.Join(dir, "incoming", "secret"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(path)
	for _, missing := range []string{
		"/media/", "/media/" + name[:2], "/media/incoming/secret", "/media/00/" + strings.Repeat("0", 64) + "-480.jpg", "/media/zz/" + name,
		strings.Replace(path, "-480", "-481", 1), path + "/", strings.ToUpper(path), path[:7] + "%2e%2e/" + path[7:], "/media/..%2f..%2fm.db",
	} {
		if got := client.Get(missing); got.Status != 404 {
			t.Errorf("%s: %d", missing, got.Status)
		} else if got.WantError(404, "not_found"); got.Header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: a 404 is cached: %v", missing, got.Header)
		}
	}
}

var fillStmt = db.SQL("media_test.fill", `
	INSERT INTO media (id, owner_id, hash, url, bytes, created_at) VALUES ($1, $2, '', '', $3, 0)`)

// TestSpaceIsLimited checks that concurrent uploads on several instances cannot exceed the
// limit together.
func TestSpaceIsLimited(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		ann.Put("/me/avatar", apptest.Pixel).Want(200)
		size := a.Count(sizeStmt, ann.ID())
		id := a.As("bob").ID() // any id that no picture has
		a.Exec(fillStmt, id, ann.ID(), 200_000_000-size-size*3/2)
		statuses := make([]int, 2)
		apptest.Concurrently(2, func(i int) { statuses[i] = ann.On(i).Put("/me/avatar", apptest.Pixel).Status })
		if statuses[0]+statuses[1] != 200+403 {
			t.Errorf("%v", statuses)
		}
		if got := ann.With("Accept", "application/problem+json").Put("/me/avatar",
			apptest.Pixel).Want(403); got.Text("reason") != "storage_full" {
			t.Errorf("%s", got.Body)
		}
		if used := a.Count(sizeStmt, ann.ID()); used > 200_000_000 {
			t.Errorf("%d bytes are used", used)
		}
		a.As("bob").Put("/me/avatar", apptest.Pixel).Want(200)
	})
}

var sizeStmt = db.SQL("media_test.size", `SELECT CAST(SUM(bytes) AS BIGINT) FROM media WHERE owner_id = $1`)

// TestConcurrentCovers uploads two covers of one event at the same time: both succeed, one
// of them is shown, and the other one is removed.
func TestConcurrentCovers(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path := "/events/" + org.Publish(nil)
		urls := make([]string, 2)
		apptest.Concurrently(2, func(i int) { urls[i] = org.On(i).Put(path+"/cover", apptest.Pixel).Want(200).Text("image.url") })
		shown := org.Get(path).Want(200).Text("event.image_url")
		other := urls[0]
		if shown == urls[0] {
			other = urls[1]
		} else if shown != urls[1] {
			t.Errorf("shows %s, not %v", shown, urls)
		}
		a.Clock.Advance(2 * time.Hour)
		a.RunJobs()
		load(a, other).Want(200)
		a.Clock.Advance(25 * time.Hour)
		a.RunJobs()
		load(a, shown).Want(200)
		load(a, other).WantError(404, "not_found")
	}, apptest.StartAt(apptest.Today))
}

// TestUnusedPicturesAreRemoved replaces a cover and an avatar: the old ones can be loaded for
// another day, and those that are shown for ever.
func TestUnusedPicturesAreRemoved(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org := a.As("org")
		path, other := "/events/"+org.Publish(nil), "/events/"+org.Draft(nil)
		cover := func() string { return org.Put(path+"/cover", apptest.Pixel).Want(200).Text("image.url") }
		avatar := func() string { return org.Put("/me/avatar", apptest.Pixel).Want(200).Text("image.url") }
		copied, back, old, oldAvatar := cover(), cover(), cover(), avatar()
		org.Patch(other, apptest.Fields{"image_url": copied}).Want(200)
		shown, shownAvatar := cover(), avatar()
		after := func(d time.Duration) {
			a.Clock.Advance(d)
			a.RunJobs()
			org = a.SignIn(apptest.Email("org"))
		}
		after(90 * time.Minute)
		for _, url := range []string{copied, back, old, oldAvatar, shown, shownAvatar} {
			load(a, url).Want(200)
		}
		org.Patch(path, apptest.Fields{"image_url": back}).Want(200)
		after(23 * time.Hour)
		load(a, old).Want(200)
		after(2 * time.Hour)
		for url, want := range map[string]int{copied: 200, back: 200, shownAvatar: 200, old: 404, oldAvatar: 404, shown: 200} {
			if got := load(a, url); got.Status != want {
				t.Errorf("%s: %d, want %d", url, got.Status, want)
			}
		}
		after(24 * time.Hour)
		load(a, shown).Want(404) // replaced by back a day ago
		load(a, back).Want(200)
		if n := a.Count(mediaRowsStmt); n != 3 {
			t.Errorf("%d pictures are left, want 3", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestDeletedAccountHasNoPictures checks what others can load after an account is deleted.
func TestDeletedAccountHasNoPictures(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		org, guest := a.As("org"), a.As("guest")
		path := "/events/" + org.Publish(apptest.Fields{"starts_at": "2026-06-01T13:00:00Z"})
		guest.Post(path+"/join", nil).Want(200)
		urls := []string{
			org.Put(path+"/cover", apptest.Pixel).Want(200).Text("image.url"),
			org.Put(path+"/cover", apptest.Pixel).Want(200).Text("image.url"),
			org.Put("/me/avatar", apptest.Pixel).Want(200).Text("image.url"),
		}
		export := string(org.Get("/me/export").Want(200).Body)
		for _, url := range urls {
			if !strings.Contains(export, url) {
				t.Errorf("the export has no %s", url)
			}
		}
		a.Clock.Advance(5 * time.Hour) // the event is over, and stays for its guest
		org, guest = a.SignIn(apptest.Email("org")), a.SignIn(apptest.Email("guest"))
		org.Delete("/me").Want(204)
		if got := guest.Get(path).Want(200); got.Get("event.image_url") != nil || got.Get("event.image_alt") != nil {
			t.Errorf("the event still shows %s", got.Body)
		}
		a.Clock.Advance(12 * time.Minute)
		a.RunJobs()
		for _, url := range urls {
			load(a, url).WantError(404, "not_found")
		}
		if n := a.Count(mediaRowsStmt); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestDeletionRacesUploads deletes accounts while the same user uploads pictures: neither rows
// nor files are left, whichever commits last.
func TestDeletionRacesUploads(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		rounds := testutil.Rounds(10, 300)
		for round := range rounds {
			leaver := a.As(fmt.Sprintf("leaver%d", round))
			path := "/events/" + leaver.Draft(nil)
			apptest.Concurrently(3, func(i int) {
				switch c := leaver.On(i); i {
				case 0:
					c.Delete("/me").Want(204)
				case 1:
					c.Put("/me/avatar", apptest.Pixel)
				default:
					c.Put(path+"/cover", apptest.Pixel)
				}
			})
		}
		a.Clock.Advance(12 * time.Minute)
		a.RunJobs()
		if files, n := storedFiles(t, a.MediaDir()), a.Count(mediaRowsStmt); n != 0 || len(files) > 0 {
			t.Errorf("%d rows and %d files are left after %d rounds", n, len(files), rounds)
		}
	}, apptest.StartAt(apptest.Today))
}

// TestFailedUploadLeavesNothing breaks the store: the event keeps its cover, and the files
// and the row of the failed upload are removed.
func TestFailedUploadLeavesNothing(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		dir := a.MediaDir()
		org := a.As("org")
		path := "/events/" + org.Publish(nil)
		url := org.Put(path+"/cover", apptest.Pixel).Want(200).Text("image.url")
		files := len(storedFiles(t, dir))
		incoming := filepath.Join(dir, "incoming")
		if err := os.Rename(incoming, incoming+".aside"); err != nil {
			t.Fatal(err)
		}
		failed := org.Allow5xx().Put(path+"/cover", apptest.Pixel)
		failed.WantError(503, "service_unavailable")
		if failed.Header.Get("Retry-After") == "" || !strings.Contains(a.Log(), "blob.put") {
			t.Error("there is no Retry-After, or the cause was not logged")
		}
		if err := os.Rename(incoming+".aside", incoming); err != nil {
			t.Fatal(err)
		}
		if got := org.Get(path).Want(200).Get("event.image_url"); got != url {
			t.Errorf("shows %v, want %s", got, url)
		}
		a.Clock.Advance(12 * time.Minute)
		a.RunJobs()
		if left := storedFiles(t, dir); len(left) != files || a.Count(mediaRowsStmt) != 1 {
			t.Errorf("%d rows and the files %q", a.Count(mediaRowsStmt), left)
		}
		org.Put(path+"/cover", apptest.Pixel).Want(200)
		testutil.Fault(t, "the store of pictures is full or unreachable", "503, %d files before and after", files)
	}, apptest.StartAt(apptest.Today))
}

// sendSlowly starts an upload that never ends.
func sendSlowly(t *testing.T, a *apptest.App, c *apptest.Client, statuses chan<- int) {
	t.Helper()
	body, writer := io.Pipe()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, a.URL()+"/me/avatar", body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "image/png")
	r.Header.Set("Authorization", "Bearer "+c.AccessToken)
	go func() {
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Errorf("a slow upload: %v", err)
			statuses <- 0
			return
		}
		_ = response.Body.Close()
		statuses <- response.StatusCode
	}()
	_, _ = io.WriteString(writer, apptest.Pixel+strings.Repeat(" ", 64<<10)) // more than the client buffers; fails if the upload is refused
	t.Cleanup(func() { _ = writer.CloseWithError(io.ErrUnexpectedEOF) })
}

// TestSlowUploads checks that slow uploads end, that nobody can begin many of them, and that
// they do not stop others.
func TestSlowUploads(t *testing.T) {
	t.Parallel()
	a := apptest.New(t, db.SQLite, apptest.Setting("READ_TIMEOUT", "1s"))
	ann, bob := a.As("ann"), a.As("bob")
	statuses := make(chan int, 3)
	for range 3 {
		sendSlowly(t, a, ann, statuses)
	}
	if got := <-statuses; got != 429 {
		t.Errorf("the third upload at the same time: %d", got)
	}
	bob.Put("/me/avatar", apptest.Pixel).Want(200)
	bob.Get("/me").Want(200)
	for range 2 {
		if got := <-statuses; got != 400 {
			t.Errorf("a slow upload: %d", got)
		}
	}
	ann.Put("/me/avatar", apptest.Pixel).Want(200)
}

// TestPicturesInBucket runs the service with an S3 server.
func TestPicturesInBucket(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(gofakes3.New(s3mem.New(), gofakes3.WithV4Auth(map[string]string{"access": "very-secret-key"})).Server())
	t.Cleanup(server.Close)
	client, err := minio.New(strings.TrimPrefix(server.URL, "http://"),
		&minio.Options{Creds: credentials.NewStaticV4("access", "very-secret-key", ""), Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.MakeBucket(t.Context(), "pictures", minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today),
		apptest.Setting("MEDIA", "s3://access:very-secret-key@pictures?endpoint="+server.URL))
	ann := a.As("ann")
	url := ann.Put("/me/avatar", asPNG(t, painted(400, 200, red, blue))).Want(200).Text("image.url")
	whole := load(a, url).Want(200)
	part := a.Anonymous().With("Range", "bytes=2-9").Get(strings.TrimPrefix(url, apptest.BaseURL)).Want(206)
	if string(part.Body) != string(whole.Body[2:10]) {
		t.Errorf("a range has %d bytes", len(part.Body))
	}
	ann.Delete("/me/avatar").Want(204)
	a.Clock.Advance(2 * time.Hour)
	a.RunJobs()
	a.Clock.Advance(25 * time.Hour)
	a.RunJobs()
	load(a, url).WantError(404, "not_found")
	for object := range client.ListObjects(t.Context(), "pictures", minio.ListObjectsOptions{Recursive: true}) {
		t.Errorf("%s is left, %v", object.Key, object.Err)
	}
	server.Close()
	a.SignIn("bob@example.org").Allow5xx().Put("/me/avatar", apptest.Pixel).WantError(503, "service_unavailable")
	if strings.Contains(a.Log(), "very-secret-key") {
		t.Error("the log contains the secret")
	}
}
