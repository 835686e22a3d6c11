package faults

import (
	"bytes"
	"image/jpeg"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestKillsLeaveNoBrokenPicture kills the service while a user uploads one avatar after the
// other: what the profile shows afterwards is whole, and not older than the last avatar that
// was acknowledged.
func TestKillsLeaveNoBrokenPicture(t *testing.T) {
	t.Parallel()
	s := newService(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), map[string]string{"PUBLIC_BASE_URL": "http://pictures.test",
		"ACCESS_TOKEN_TTL": "24h"})
	s.start()
	c := newClient(t)
	ann := c.signIn(t, s.url(), 1)[0]
	kills, acknowledged, inDoubt := testutil.Rounds(3, 100), map[string]bool{}, 0
	for range kills {
		uploads := make(chan string)
		go c.uploadAvatars(s.url(), ann.token, uploads)
		last := <-uploads
		acknowledged[last] = true
		timer := time.AfterFunc(rand.N(100*time.Millisecond), func() { s.signal(syscall.SIGKILL) }) // at a random moment
		for url := range uploads {
			last = url
			acknowledged[last] = true
		}
		timer.Stop()
		s.kill()
		s.start()
		shown := c.mustCall(t, http.MethodGet, s.url()+"/me", ann.token, "").text("profile.avatar_url")
		switch {
		case shown == last:
		case acknowledged[shown]:
			t.Errorf("shows %s, which is older than %s", shown, last)
		default:
			inDoubt++ // its response was lost
		}
		for _, width := range []string{"-480", "-960", "-1600"} {
			path := strings.Replace(strings.TrimPrefix(shown, "http://pictures.test"), "-480", width, 1)
			got := c.mustCall(t, http.MethodGet, s.url()+path, "", "")
			if _, err := jpeg.Decode(bytes.NewReader(got.body)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	testutil.Fault(t, "kill -9 during uploads", "%d kills, %d uploads acknowledged, %d in doubt, no broken picture", kills, len(acknowledged),
		inDoubt)
}

// uploadAvatars uploads until the service ends, and sends the address of each acknowledged upload.
func (c *client) uploadAvatars(base, token string, uploads chan<- string) {
	defer close(uploads)
	for {
		a, err := c.callWith(http.MethodPut, base+"/me/avatar", token, apptest.Pixel, "image/png")
		if err != nil || a.status != http.StatusOK {
			return
		}
		uploads <- a.text("image.url")
	}
}
