package meetup_test

import (
	"slices"
	"testing"

	"moothall/internal/test/apptest"
)

// TestHostsDecideOnOpenRequests lets a host approve, decline and remove those who ask openly. The host neither learns of an incognito
// request nor acts on it.
func TestHostsDecideOnOpenRequests(t *testing.T) {
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		path, org, host := approving(a, nil), a.As("org"), a.As("host")
		newHost(org, host, path[len("/events/"):])
		before := len(kinds(host))
		hidden := ask(a.As("hidden"), path, apptest.Fields{"participation_visibility": "incognito"})
		if n := len(kinds(host)); n != before {
			t.Errorf("an incognito request makes %d notifications of the host", n-before)
		}
		ann, ben := ask(a.As("ann"), path, nil), ask(a.As("ben"), path, nil)
		if !slices.Contains(kinds(host), "event_requested") {
			t.Errorf("an open request makes no notification: %q", kinds(host))
		}
		if n := host.Get(path + "/participants?status=requested").Want(200).Len("items"); n != 2 {
			t.Errorf("the host sees %d requests, want 2", n)
		}
		host.Post(ann+"/approve", nil).Want(200)
		host.Post(ben+"/decline", nil).Want(200)
		host.Delete(ann).Want(204)
		host.Post(hidden+"/approve", nil).Want(404)
		host.Post(hidden+"/decline", nil).Want(404)
		org.Post(hidden+"/approve", nil).Want(200)
		host.Delete(hidden).Want(404)
		if left := host.Post(path+"/participants/approve", nil).Want(200); left.Number("left") != 0 {
			t.Errorf("left for the host: %s", left.Body)
		}
	}, apptest.StartAt(apptest.Today))
}
