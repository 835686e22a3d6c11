package browser

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

func TestEditProfile(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	visitor(t, a).open("/profile").redirects(t, "/login?return_to=%2Fprofile")
	ann, page := signedIn(t, a, "ann"), "/profile"
	fields := url.Values{"display_name": {"Änne"}, "username": {"aenne"}, "city": {"Ulm"}, "interests": {" chess, oud ,,"}}
	ann.submit("updateMyProfile", page, fields).redirects(t, page)
	ann.open(page).want(t, http.StatusOK, `value="Änne"`, `value="aenne"`, `value="Ulm"`, `value="chess, oud"`)
	fields.Set("city", "")
	fields.Set("interests", "")
	ann.submit("updateMyProfile", page, fields).redirects(t, page)
	ann.open(page).want(t, http.StatusOK, "not", "Ulm", "oud")
	fields.Set("username", "a b")
	ann.submit("updateMyProfile", page, fields).want(t, http.StatusUnprocessableEntity, `value="a b"`, "3 to 30 letters")
	fields.Set("username", "aenne")
	signedIn(t, a, "ben").submit("updateMyProfile", page, fields).want(t, http.StatusUnprocessableEntity, "This username is taken.")
}

// upload sends a picture as a browser does, before the fields of a profile.
func (b *webBrowser) upload(action, page, contentType string, picture []byte) answer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("page", page) // a buffer does not fail
	part, err := form.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="picture"; filename="me"`},
		"Content-Type": {contentType}})
	if err != nil {
		b.t.Fatal(err)
	}
	_, _ = part.Write(picture)
	for name, value := range map[string]string{"display_name": "Änne", "username": "aenne"} {
		_ = form.WriteField(name, value)
	}
	_ = form.Close()
	return b.send(http.MethodPost, "/do/"+action, body.String(), []string{"Accept", "text/html", "Content-Type", form.FormDataContentType(),
		"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "same-origin"})
}

func TestUploadAvatar(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 300, 300))); err != nil {
		t.Fatal(err)
	}
	ann := signedIn(t, a, "ann")
	if form := between(ann.open("/profile").Body, `action="/do/updateMyProfile"`, "</form>"); !strings.Contains(form, `name="picture"`) ||
		!strings.Contains(form, `name="username"`) {
		t.Errorf("another form has the picture: %s", form)
	}
	ann.upload("updateMyProfile", "/profile", "image/png", picture.Bytes()).redirects(t, "/profile")
	ann.open("/profile").want(t, http.StatusOK, `src="/media/`, "Remove the picture", `value="Änne"`)
	ann.upload("updateMyProfile", "/profile", "text/plain", picture.Bytes()).redirects(t, "/profile") // the content counts
	ann.upload("updateMyProfile", "/profile", "image/png", []byte("no picture")).want(t, http.StatusUnprocessableEntity,
		"This type of file does not work.", `value="Änne"`)
	ann.upload("updateMyProfile", "/profile", "image/png", append(picture.Bytes(), make([]byte, 11<<20)...)).want(t,
		http.StatusRequestEntityTooLarge, "That is too large")
	ann.upload("followUser", "/profile", "image/png", picture.Bytes()).want(t, http.StatusUnprocessableEntity)
	ann.submit("deleteAvatar", "/profile", nil).redirects(t, "/profile")
	ann.open("/profile").want(t, http.StatusOK, "not", `src="/media/`)
}

func TestRevokeSessions(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		other, ann, page := signedIn(t, a, "ann"), signedIn(t, a, "ann"), "/settings/security"
		ann.open(page).want(t, http.StatusOK, "This browser", "revokeOtherSessions")
		ann.submit("revokeOtherSessions", page, nil).redirects(t, page)
		ann.open(page).want(t, http.StatusOK, "This browser", "not", "revokeSession", "revokeOtherSessions")
		other.open("/") // asks once more
		other.open("/").want(t, http.StatusOK, "Sign in")
	}, settings...)
}

func TestExportAndDeleteAccount(t *testing.T) {
	a := apptest.New(t, db.SQLite, settings...)
	page := "/users/" + a.As("ann").ID().String()
	ann := signedIn(t, a, "ann")
	ann.open("/settings").want(t, http.StatusOK, `href="/api/me/export"`)
	if r := ann.open("/api/me/export"); r.StatusCode != http.StatusOK || !strings.Contains(r.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%d %v", r.StatusCode, r.Header)
	}
	ann.submit("deleteMe", "/settings", nil).want(t, http.StatusUnprocessableEntity, "Confirm that you want to delete everything")
	ann.submit("deleteMe", "/settings", url.Values{"confirm": {"yes"}}).redirects(t, "/")
	ann.open("/").want(t, http.StatusOK, "Sign in")
	visitor(t, a).open(page).want(t, http.StatusNotFound)
}
