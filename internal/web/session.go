package web

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"time"

	"moothall/api/gen"
	"moothall/internal/platform/text"
	"moothall/internal/web/view"
)

// The cookies of the web client. None of them identifies anybody.
const (
	languageCookie  = "language"    // chosen by the visitor
	themeCookie     = "theme"       // chosen by the visitor
	refreshedCookie = "refreshed"   // the session was extended today
	keyCookie       = "session_key" // Idempotency-Key of the refreshes of this browser
	retryCookie     = "retry"       // the page was loaded again, because the session was not valid
)

const (
	extendEvery = 24 * time.Hour
	chosenFor   = 365 * 24 * time.Hour
	retryWithin = 10 * time.Second
)

// newCookie returns a cookie that scripts cannot read.
func (s *Site) newCookie(name, value string, lasts time.Duration) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // Secure where there is https
		Name: name, Value: value, Path: "/", MaxAge: int(lasts / time.Second), HttpOnly: true, Secure: s.HTTPS, SameSite: http.SameSiteLaxMode,
	}
}

func (s *Site) dropCookie(name string) *http.Cookie { return s.newCookie(name, "", -time.Second) }

// clearBrowser makes the browser delete everything that it has stored for the service.
func (s *Site) clearBrowser(v *visit) {
	v.setCookie(s.dropCookie(refreshedCookie))
	v.setCookie(s.dropCookie(keyCookie))
	v.w.Header().Set("Clear-Site-Data", `"cache", "storage"`)
}

func languageOf(r *http.Request) text.Language {
	if c, err := r.Cookie(languageCookie); err == nil {
		if c.Value == pseudo.String() {
			return pseudo
		}
		if i := languageIndex(c.Value); i >= 0 {
			return text.BestLanguage(languages[i:i+1], r.Header.Get("Accept-Language"))
		}
	}
	return text.BestLanguage(languages, r.Header.Get("Accept-Language"))
}

// languageIndex returns the index of a language of the pages, or -1 for any other text.
func languageIndex(name string) int {
	return slices.IndexFunc(languages, func(l text.Language) bool { return l.String() == name })
}

func themeOf(r *http.Request) string {
	if c, err := r.Cookie(themeCookie); err == nil && isTheme(c.Value) {
		return c.Value
	}
	return ""
}

func isTheme(name string) bool { return name == "light" || name == "dark" }

// extendSession extends the session once a day, when the visitor opens a page. The key of the
// browser makes the refreshes of several tabs at once return the same tokens (contract §11).
// A browser without a key gets one, and extends the session at its next page. If the database is busy, the next page tries again.
func (s *Site) extendSession(ctx context.Context, v *visit) {
	if v.r.Header.Get("Sec-Fetch-Dest") != "document" || v.r.Method != http.MethodGet || v.cookie(refreshedCookie) != "" {
		return
	}
	key := v.cookie(keyCookie)
	if key == "" {
		v.setCookie(s.newCookie(keyCookie, rand.Text(), chosenFor))
		return
	}
	_, err := s.brief.RefreshSession(ctx, gen.OptRefreshTokenRequest{}, gen.RefreshSessionParams{IdempotencyKey: gen.NewOptString(key)})
	if err == nil {
		v.setCookie(s.newCookie(refreshedCookie, "1", extendEvery))
	} // otherwise identify finds out whether the session is valid
}

// countReports sets the number of open reports that the navigation of a moderator shows.
func (s *Site) countReports(ctx context.Context, v *visit) {
	if v.page.Viewer.User.IsModerator {
		if count, err := s.api.CountOpenReports(ctx); err == nil { // pages do without it
			v.page.Reports = count.OpenCount
		}
	}
}

// isDocument reports whether the visitor opens a page, and not the worker or a script. It is true for browsers that do not say so.
func (v *visit) isDocument() bool {
	destination := v.r.Header.Get("Sec-Fetch-Dest")
	return destination == "" || destination == "document"
}

// identify sets the viewer of the page. A session that is not valid may just have been
// extended by another request: the browser then loads the page once more, with the new cookie.
// identify returns false if it has written that response, or an error. Only a page that the visitor opens
// may end the session of the browser: the worker and scripts send requests beside it.
func (s *Site) identify(ctx context.Context, v *visit) (goesOn bool, err error) {
	var unread int
	err = s.together(func() (err error) {
		v.page.Viewer, err = s.api.GetMe(ctx)
		return err
	}, func() error {
		if count, err := s.api.CountUnreadNotifications(ctx); err == nil {
			unread = count.UnreadCount
		}
		return nil // pages do without it
	})
	problem, refused := errors.AsType[*view.Problem](err)
	switch {
	case err == nil:
		v.page.Unread = unread
		s.countReports(ctx, v)
	case refused && problem.Status == http.StatusUnauthorized && !v.isDocument():
		v.w.Header().Set("Refresh", "0.5") // the worker does not store the page
	case refused && problem.Status == http.StatusUnauthorized && v.cookie(retryCookie) == "" && v.r.Method == http.MethodGet:
		v.setCookie(s.newCookie(retryCookie, "1", retryWithin))
		v.w.Header().Set("Refresh", "0.5")
		v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		v.w.WriteHeader(http.StatusOK)
		return false, nil
	case refused && problem.Status == http.StatusUnauthorized:
		v.setCookie(s.dropCookie(refreshCookie))
		v.setCookie(s.dropCookie(keyCookie))
	case refused:
		return false, s.writeProblem(ctx, v, problem)
	default:
		return false, err
	}
	return true, nil
}
