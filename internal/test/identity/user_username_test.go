package identity_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"moothall/internal/test/apptest"
)

const ninetyDays = 90 * 24 * time.Hour

func rename(c *apptest.Client, name string) *apptest.Reply {
	return c.Patch("/me/profile", apptest.Fields{"username": name})
}

// TestEarlierUsernames changes usernames and follows the earlier ones, by the clock of the service.
func TestEarlierUsernames(t *testing.T) {
	apptest.Each(t, func(t *testing.T, a *apptest.App) {
		ann, ben, anonymous := a.As("ann"), a.As("ben"), a.Anonymous()
		leadsTo := func(name, want string) {
			t.Helper()
			if got := anonymous.Get("/users/by-username/" + name).Want(http.StatusOK).Text("username"); got != want {
				t.Errorf("%s leads to %s, want %s", name, got, want)
			}
		}
		rename(ann, "anna").Want(http.StatusOK)
		leadsTo("anna", "anna")
		leadsTo("ANNA", "anna")
		rename(ann, "hannah").Want(http.StatusOK)
		leadsTo("anna", "hannah")
		rename(ben, "anna").WantError(http.StatusConflict, "username_taken")
		rename(ann, "anna").Want(http.StatusOK) // back
		leadsTo("anna", "anna")
		leadsTo("hannah", "anna")
		rename(ann, "anne").Want(http.StatusOK)
		leadsTo("anna", "anne")
		a.Clock.Advance(ninetyDays - time.Second)
		ann, ben = a.SignIn(apptest.Email("ann")), a.SignIn(apptest.Email("ben"))
		leadsTo("anna", "anne")
		rename(ben, "anna").WantError(http.StatusConflict, "username_taken")
		a.Clock.Advance(time.Second)
		anonymous.Get("/users/by-username/anna").Want(http.StatusNotFound)
		rename(ben, "anna").Want(http.StatusOK)
		leadsTo("anna", "anna")
		rename(ann, "anna").WantError(http.StatusConflict, "username_taken")
		a.RunJobs()
		leadsTo("anna", "anna")
	}, apptest.StartAt(apptest.Today))
}

// TestUsernamesOfHiddenUsers checks that the name of a user whom the viewer does not see is as good as none.
func TestUsernamesOfHiddenUsers(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann, ben := a.As("ann"), a.As("ben")
		rename(ann, "anna").Want(http.StatusOK)
		rename(ann, "hannah").Want(http.StatusOK)
		ann.Block(ben)
		for _, name := range []string{"anna", "hannah"} {
			ben.Get("/users/by-username/" + name).Want(http.StatusNotFound)
			a.Anonymous().Get("/users/by-username/" + name).Want(http.StatusOK)
		}
		if former := ann.Get("/me/export").Want(http.StatusOK).Text("account.former_usernames.1.username"); former != "anna" {
			t.Errorf("the export has %s", former)
		}
		ann.Delete("/me").Want(http.StatusNoContent)
		for _, name := range []string{"anna", "hannah"} { // both are free at once: nothing of the account is left
			a.Anonymous().Get("/users/by-username/" + name).Want(http.StatusNotFound)
			rename(ben, name).Want(http.StatusOK)
		}
		for _, name := range []string{"nobody.has.it", "x", "-", "%C3%A4nna", "%00"} {
			a.Anonymous().Get("/users/by-username/" + name).Want(http.StatusNotFound)
		}
	})
}

// TestUsernamesAreNotHoarded changes a username again and again.
func TestUsernamesAreNotHoarded(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		for i := range 10 {
			rename(ann, fmt.Sprint("anna", i)).Want(http.StatusOK)
		}
		refused := rename(ann, "anna10").WantError(http.StatusTooManyRequests, "rate_limited")
		if wait := refused.Header.Get("Retry-After"); wait != fmt.Sprint(int(ninetyDays.Seconds())) {
			t.Errorf("Retry-After %s", wait)
		}
		ann.Patch("/me/profile", apptest.Fields{"city": "Berlin"}).Want(http.StatusOK)
		a.Clock.Advance(ninetyDays)
		rename(a.SignIn(apptest.Email("ann")), "anna10").Want(http.StatusOK)
	}, apptest.StartAt(apptest.Today))
}

// TestEarlierUsernameIsReservedAtOnce takes a username while its user gives it up.
func TestEarlierUsernameIsReservedAtOnce(t *testing.T) {
	apptest.EachConcurrent(t, func(t *testing.T, a *apptest.App) {
		ann, ben := a.As("ann"), a.As("ben")
		for i := range 8 {
			now, next := fmt.Sprint("anna", i), fmt.Sprint("anna", i+1)
			if i == 0 {
				rename(ann, now).Want(http.StatusOK)
			}
			apptest.Concurrently(2, func(j int) {
				if j == 0 {
					rename(ann, next).Want(http.StatusOK)
				} else {
					rename(ben, now).WantError(http.StatusConflict, "username_taken")
				}
			})
		}
	})
}
