package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/rclone/gofakes3"
	"github.com/rclone/gofakes3/s3mem"

	"moothall/internal/platform/blob"
)

// locations returns a new location of each kind of store. TEST_S3 names a further S3 server,
// such as http://127.0.0.1:5000, that accepts the credentials "access" and "secret-key".
func locations(t *testing.T) map[string]blob.Location {
	t.Helper()
	server := httptest.NewServer(gofakes3.New(s3mem.New(), gofakes3.WithV4Auth(map[string]string{"access": "secret-key"})).Server())
	t.Cleanup(server.Close)
	all := map[string]blob.Location{
		"directory": {Dir: filepath.Join(t.TempDir(), "media")},
		"bucket":    bucketAt(t, server.URL),
	}
	if url := os.Getenv("TEST_S3"); url != "" {
		all["bucket of another server"] = bucketAt(t, url)
	}
	return all
}

// bucketAt creates a bucket.
func bucketAt(t *testing.T, url string) blob.Location {
	t.Helper()
	name := strings.ToLower("pictures-" + strings.ReplaceAll(time.Now().Format("150405.000000"), ".", ""))
	l, err := blob.ParseLocation("s3://access:secret-key@" + name + "/some/prefix?endpoint=" + url)
	if err != nil {
		t.Fatal(err)
	}
	client, err := minio.New(l.Endpoint, &minio.Options{Creds: credentials.NewStaticV4(l.AccessKey, l.SecretKey, ""), Region: l.Region})
	if err != nil {
		t.Fatal(err)
	}
	if err := client.MakeBucket(t.Context(), name, minio.MakeBucketOptions{}); err != nil {
		t.Fatal(err)
	}
	return l
}

func open(t *testing.T, l blob.Location) blob.Store {
	t.Helper()
	s, err := blob.Open(l, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// read returns an object, nil if there is none.
func read(t *testing.T, s blob.Store, key string) []byte {
	t.Helper()
	object, err := s.Open(t.Context(), key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = object.Close() }()
	data, err := io.ReadAll(object)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// testWrite writes objects in pieces, and lists them. An object whose writer fails does not exist.
func testWrite(t *testing.T, s blob.Store, data []byte) {
	t.Helper()
	failure := errors.New("no more data")
	for key, fails := range map[string]error{"b": nil, "a": nil, "c": failure} {
		err := s.Write(t.Context(), key, func(to io.Writer) error {
			for piece := range slices.Chunk(data, 300_000) {
				if _, err := to.Write(piece); err != nil {
					return err
				}
			}
			return fails
		})
		if !errors.Is(err, fails) {
			t.Errorf("%s: %v", key, err)
		}
	}
	all, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].Key != "a" || all[1].Key != "b" || all[0].Size != int64(len(data)) || time.Since(all[0].At) > time.Hour {
		t.Errorf("listed %v", all)
	}
	if got := read(t, s, "a"); !bytes.Equal(got, data) {
		t.Errorf("%d bytes", len(got))
	}
}

// TestStores checks the guarantees of Store for every kind of store.
func TestStores(t *testing.T) {
	t.Parallel()
	for name, l := range locations(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, l)
			large := bytes.Repeat([]byte("0123456789"), 200_000)
			for key, data := range map[string][]byte{"ab/empty.jpg": {}, "ab/small.jpg": []byte("x"), "cd/large.jpg": large} {
				if err := s.Put(t.Context(), key, data); err != nil {
					t.Fatal(err)
				}
				if got := read(t, s, key); !bytes.Equal(got, data) {
					t.Errorf("%s: %d bytes, want %d", key, len(got), len(data))
				}
			}
			testWrite(t, s, large)
			if got := read(t, s, "ab/missing.jpg"); got != nil {
				t.Errorf("a missing object has %d bytes", len(got))
			}
			object, err := s.Open(t.Context(), "cd/large.jpg")
			if err != nil {
				t.Fatal(err)
			}
			part := make([]byte, 10)
			end, err := object.Seek(0, io.SeekEnd)
			if err != nil || end != int64(len(large)) {
				t.Errorf("the end is at %d: %v", end, err)
			}
			if _, err := object.Seek(1_000_005, io.SeekStart); err != nil {
				t.Error(err)
			}
			if _, err := io.ReadFull(object, part); err != nil || string(part) != "5678901234" {
				t.Errorf("after seeking: %q %v", part, err)
			}
			if err := object.Close(); err != nil {
				t.Error(err)
			}
			for range 2 { // the second time it is missing
				if err := s.Delete(t.Context(), "cd/large.jpg"); err != nil {
					t.Error(err)
				}
			}
			if read(t, s, "cd/large.jpg") != nil || read(t, s, "ab/small.jpg") == nil {
				t.Error("Delete removed another object")
			}
			if again := open(t, l); string(read(t, again, "ab/small.jpg")) != "x" {
				t.Error("the object is gone after the store was opened again")
			}
		})
	}
}

// TestConcurrentPuts stores one object many times at once: a reader sees all of it or none.
func TestConcurrentPuts(t *testing.T) {
	t.Parallel()
	data := bytes.Repeat([]byte("x"), 100_000)
	for name, l := range locations(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, l)
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					for range 5 {
						if err := s.Put(t.Context(), "ab/same.jpg", data); err != nil {
							t.Error(err)
						}
					}
				})
				all.Go(func() {
					for range 5 {
						if got := read(t, s, "ab/same.jpg"); got != nil && !bytes.Equal(got, data) {
							t.Errorf("%d bytes", len(got))
						}
					}
				})
			}
			all.Wait()
		})
	}
}

func TestUnreachableBucketFails(t *testing.T) {
	t.Parallel()
	s := open(t, blob.Location{Bucket: "pictures", Endpoint: "127.0.0.1:1", Insecure: true, Region: "us-east-1", AccessKey: "access",
		SecretKey: "secret-key"})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Put(ctx, "ab/x.jpg", nil); err == nil {
		t.Error("Put succeeded")
	}
	if _, err := s.Open(ctx, "ab/x.jpg"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open: %v", err)
	}
}

// files lists the files of a directory, at any depth.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

// TestAbandonedFilesAreRemoved checks that a start removes the files of a crash, but not the
// files that another instance may be writing.
func TestAbandonedFilesAreRemoved(t *testing.T) {
	t.Parallel()
	l := blob.Location{Dir: t.TempDir()}
	open(t, l)
	for name, age := range map[string]time.Duration{"old": 2 * time.Hour, "new": time.Minute} {
		path, then := filepath.Join(l.Dir, "incoming", name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, then, then)); err != nil {
			t.Fatal(err)
		}
	}
	open(t, l)
	if got := files(t, l.Dir); !slices.Equal(got, []string{"incoming/new"}) {
		t.Errorf("files %q", got)
	}
}

// TestKeysCannotLeaveDirectory uses keys that lead out of the directory.
func TestKeysCannotLeaveDirectory(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	l := blob.Location{Dir: filepath.Join(outside, "media")}
	s := open(t, l)
	if err := errors.Join(os.WriteFile(filepath.Join(outside, "secret"), []byte("x"), 0o600),
		os.Symlink("../secret", filepath.Join(l.Dir, "link"))); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"../secret", "ab/../../secret", "/etc/passwd", "link"} {
		if object, err := s.Open(t.Context(), key); err == nil {
			_ = object.Close()
			t.Errorf("%s was opened", key)
		}
	}
	if err := s.Put(t.Context(), "../put", nil); err == nil {
		t.Error("an object was stored outside")
	}
	if err := s.Delete(t.Context(), "../secret"); err == nil {
		t.Error("a file outside was deleted")
	}
}

func TestParseLocation(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]blob.Location{
		"data/media": {Dir: "data/media"},
		"s3://k:s@b-1?endpoint=https://s3.example.org": {Bucket: "b-1", Endpoint: "s3.example.org", Region: "us-east-1",
			AccessKey: "k", SecretKey: "s"},
		"s3://k%40:a%2Fb+c=@b.2/a/?endpoint=http://localhost:9&region=x": {Bucket: "b.2", Prefix: "a/", Endpoint: "localhost:9",
			Insecure: true, Region: "x", AccessKey: "k@", SecretKey: "a/b+c="},
	} {
		if got, err := blob.ParseLocation(address); err != nil || got != want {
			t.Errorf("%s: %+v %v", address, got, err)
		}
	}
	for _, address := range []string{
		"file:///var/media", "s3:", "s3://", "s3://k:s@", "s3://k:s@bbb", "s3://k:s@bbb?endpoint=", "s3://k:s@bbb?endpoint=s3.example.org",
		"s3://k:s@bbb?endpoint=ftp://x", "s3://k:s@bbb?endpoint=https://x/path", "s3://k:s@bbb?endpoint=https://key:secret@x",
		"s3://k:s@bbb?endpoint=https://x&other=1", "s3://k:s@bbb?endpoint=https://x#f",
		"s3://bbb?endpoint=https://x", "s3://k@bbb?endpoint=https://x", "s3://:s@bbb?endpoint=https://x", "s3://k:@bbb?endpoint=https://x",
		"s3://k:a/b@bbb?endpoint=https://x", "s3://k:100%@bbb?endpoint=https://x",
	} {
		if got, err := blob.ParseLocation(address); err == nil {
			t.Errorf("%s: %+v", address, got)
		}
	}
}

// TestMissingBucketIsFound asks a server for its buckets. A server that does not answer may have any.
func TestMissingBucketIsFound(t *testing.T) {
	t.Parallel()
	l := locations(t)["bucket"]
	if err := blob.Check(t.Context(), l); err != nil {
		t.Error(err)
	}
	missing := l
	missing.Bucket += "-2"
	if err := blob.Check(t.Context(), missing); err == nil || !strings.Contains(err.Error(), "has no bucket "+missing.Bucket) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	missing.Endpoint = "127.0.0.1:1"
	if err := blob.Check(ctx, missing); err != nil {
		t.Errorf("no server: %v", err)
	}
	if err := blob.Check(ctx, blob.Location{Dir: "missing"}); err != nil {
		t.Error(err)
	}
}
