package browser

import (
	"bufio"
	"bytes"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// formPart is the beginning of a form with a file, and the name of its page.
const formPart = "--b\r\nContent-Disposition: form-data; name=\"page\"\r\n\r\n/profile\r\n--b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"me.png\"\r\n\r\n"

// unfinished sends a form of an action that lacks its end, and returns the connection.
func (b *webBrowser) unfinished(action, body string) (net.Conn, *bufio.Reader) {
	b.t.Helper()
	u, err := url.Parse(b.base)
	if err != nil {
		b.t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = conn.Close() })
	request := "POST /do/" + action + " HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nReferer: " + b.base +
		"/profile?a=b\r\n" +
		"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 10000000\r\n"
	for _, c := range b.client.Jar.Cookies(u) {
		request += "Cookie: " + c.Name + "=" + c.Value + "\r\n"
	}
	if body == "" {
		request += "Expect: 100-continue\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"+body); err != nil {
		b.t.Fatal(err)
	}
	return conn, bufio.NewReader(conn)
}

// statusOf reads a response, or an interim one, and returns its status and Location.
func statusOf(t *testing.T, r *bufio.Reader) (status int, location string) {
	t.Helper()
	response, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode, response.Header.Get("Location")
}

// TestFormsAreReadAfterTheSession sends only the header of a form: without a session, nothing of the form is read.
func TestFormsAreReadAfterTheSession(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	for _, action := range []string{"updateEvent", "updateMyProfile"} {
		_, r := visitor(t, a).unfinished(action, "")
		if got, to := statusOf(t, r); got != http.StatusSeeOther || to != "/login?return_to=%2Fprofile%3Fa%3Db" {
			t.Errorf("%s without a session: %d %s", action, got, to)
		}
	}
	_, r := signedIn(t, a, "ann").unfinished("updateMyProfile", "")
	if got, _ := statusOf(t, r); got != http.StatusContinue {
		t.Errorf("with a session: %d", got)
	}
}

// TestUnfinishedForms checks that forms that never end store no file without an upload permit, and are no failure of the service.
func TestUnfinishedForms(t *testing.T) {
	files := t.TempDir()
	t.Setenv("TMPDIR", files)
	a := apptest.New(t, db.SQLite, settings...)
	ann := signedIn(t, a, "ann")
	content := formPart + apptest.Pixel + strings.Repeat(" ", 256<<10)
	var open []net.Conn
	statuses := make(chan int, 3)
	for range 3 {
		conn, r := ann.unfinished("updateMyProfile", content)
		open = append(open, conn)
		go func() {
			status := 0
			if response, err := http.ReadResponse(r, nil); err == nil {
				status = response.StatusCode
				_ = response.Body.Close()
			}
			statuses <- status
		}()
	}
	if got := <-statuses; got != http.StatusUnprocessableEntity {
		t.Errorf("the third upload at the same time: %d", got)
	}
	if stored, err := filepath.Glob(files + "/multipart-*"); err != nil || len(stored) > 0 {
		t.Errorf("files of forms: %v %v", stored, err)
	}
	for _, conn := range open {
		_ = conn.(*net.TCPConn).CloseWrite()
	}
	var picture bytes.Buffer
	_ = png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 30, 30))) // a buffer does not fail
	testutil.Until(t, "a free permit", func() bool {
		return ann.upload("updateMyProfile", "/profile", "image/png", picture.Bytes()).StatusCode == http.StatusSeeOther
	})
	for _, body := range []string{"-", "--b\r\nContent-Disp", formPart[:80]} {
		conn, r := visitor(t, a).unfinished("chooseTheme", body)
		_ = conn.(*net.TCPConn).CloseWrite()
		if got, _ := statusOf(t, r); got != http.StatusBadRequest {
			t.Errorf("%q: %d", body, got)
		}
	}
	ann.open("/profile").want(t, http.StatusOK, `src="/media/`)
	for _, word := range []string{"panic", "stack", `"status":500`, `"level":"ERROR"`} {
		if strings.Contains(a.Log(), word) {
			t.Errorf("the log contains %s: %s", word, a.Log())
		}
	}
}

// TestFormsHaveLimits checks how much of a form is read.
func TestFormsHaveLimits(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	b, long := visitor(t, a), strings.Repeat("x", 40<<10)
	b.submit("chooseTheme", "/", url.Values{"theme": {"dark"}, "a": {long}, "b": {long}}).want(t, http.StatusRequestEntityTooLarge)
	b.submit("chooseTheme", "/", url.Values{"theme": {"dark"}, "a": {long}}).redirects(t, "/")
	ann := signedIn(t, a, "ann")
	ann.upload("updateMyProfile", "/"+long+long, "image/png", []byte(apptest.Pixel)).want(t, http.StatusRequestEntityTooLarge)
}
