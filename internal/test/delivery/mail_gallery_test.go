package delivery_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestGalleryShowsEveryMail reads each mail of the gallery, in each language and in dark colours.
func TestGalleryShowsEveryMail(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today), apptest.Setting("NOTIFICATIONS", "mail"))
	c := a.Anonymous()
	for language, want := range map[string][]string{
		"en": {"Tomorrow, ", "Somebody invites you to “Board games”", "Canceled: “Board games”", "123456 is your sign-in code", ", and 2 more"},
		"de": {"Morgen, ", "Abgesagt: „Board games“", "123456 ist dein Anmeldecode", ", und noch 2 Neuigkeiten"},
		"ru": {"Завтра, ", "«Board games»", "123456 — ваш код для входа", " и ещё 2"},
	} {
		page := string(c.Get("/dev/mail/gallery?language=" + language).Want(http.StatusOK).Body)
		for _, text := range want {
			if !strings.Contains(page, text) {
				t.Errorf("%s: the gallery has no %q", language, text)
			}
		}
		mails := strings.Count(page, "<h2")
		if mails < 30 {
			t.Errorf("%s: %d mails", language, mails)
		}
		for i := range mails {
			path := "/dev/mail/gallery?language=" + language + "&mail=" + strconv.Itoa(i)
			light, dark := c.Get(path).Want(http.StatusOK), c.Get(path+"&theme=dark").Want(http.StatusOK)
			for _, html := range []string{string(light.Body), string(dark.Body)} {
				if !strings.Contains(html, `<html lang="`+language) || !strings.Contains(html, "Moothall</a>") || strings.Contains(html, "ZgotmplZ") {
					t.Errorf("%s, mail %d: %s", language, i, html)
				}
			}
			if strings.Contains(string(light.Body), "@media all") || !strings.Contains(string(dark.Body), "@media all") {
				t.Errorf("%s, mail %d: the colours", language, i)
			}
		}
	}
	for _, number := range []string{"-1", "1000", "x", ""} {
		c.Get("/dev/mail/gallery?mail=" + number).Want(http.StatusNotFound)
	}
}
