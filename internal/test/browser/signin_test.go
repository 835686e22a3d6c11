package browser

import (
	"context"
	"regexp"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"moothall/internal/test/apptest"
)

var codeInMail = regexp.MustCompile(`\b\d{6}\b`)

// signIn signs in by the code of a mail, on a page that asks for the address.
func (j *journey) signIn(email string) {
	j.Helper()
	j.Fill("E-mail address", email)
	j.Press("Send me a code")
	j.See("We have sent a code to " + email)
	j.Fill("Code", codeInMail.FindString(j.App.Mail(email).Text))
	j.Press("Continue")
}

// signInAs signs an actor in, without the pages for that.
func (j *journey) signInAs(name string) {
	j.Helper()
	j.signInWith(apptest.Email(name))
}

// signInWith signs the account with an address in, without the pages for that.
func (j *journey) signInWith(email string) {
	j.Helper()
	token := j.App.SignIn(email).RefreshToken
	j.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, network.SetCookie, network.SetCookieParams{Name: apptest.RefreshCookie, Value: token, URL: j.base})
		return err
	}))
}

func signInByMail(j *journey) {
	j.Open("/?city=Berlin")
	j.Press("Sign in")
	j.signIn(j.Email("ann"))
	j.At("/?city=Berlin")
	j.See("Sign out")
	j.Press("Sign out")
	j.See("Sign in")
	j.At("/")
}

func chooseLanguageAndTheme(j *journey) {
	j.Open("/?price=free")
	j.Press("Dark")
	j.See("Light")
	j.await("the dark theme", `document.documentElement.dataset.theme === "dark"`)
	j.At("/?price=free")
	j.Select("language", "de")
	j.Press("Apply")
	j.See("Was ist los?")
	j.Select("language", "ru")
	j.Press("Übernehmen")
	j.See("Куда сходить?")
}
