package httpapi

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"moothall/api/gen"
	"moothall/internal/domain"
)

// TestContractNamesLanes finds lanes that do not exist, and ways to sign in that would share the lane of everything else.
func TestContractNamesLanes(t *testing.T) {
	for _, op := range gen.Operations {
		if _, known := laneNames[op.Lane]; !known {
			t.Errorf("%s: there is no lane %q", op.ID, op.Lane)
		}
		if strings.HasPrefix(op.Route, "/auth/") && op.Lane != "sign_in" {
			t.Errorf("%s needs x-lane: sign_in", op.ID)
		}
	}
}

func TestCallersAreToldApart(t *testing.T) {
	c := newCallers()
	ann, bob := domain.UserID{1}, domain.UserID{2}
	c.remember(credential{hasHeader: true, bearer: "ann"}, ann)
	c.remember(credential{cookie: "ann too"}, ann)
	c.remember(credential{hasHeader: true, bearer: "bob"}, bob)
	type sender struct {
		credential credential
		connection string
		address    string
	}
	anonymous := sender{connection: "10.0.0.1:1", address: "10.0.0.1"}
	by := func(token string) sender {
		s := anonymous
		s.credential = credential{hasHeader: true, bearer: token}
		return s
	}
	for _, row := range []struct {
		name              string
		a, b              sender
		sameID, sameGroup bool
	}{
		{"one user by two tokens", by("ann"), sender{credential{cookie: "ann too"}, "10.9.0.1:1", "10.9.0.1"}, true, true},
		{"two users on one connection", by("ann"), by("bob"), false, false},
		{"a user and an anonymous caller", by("ann"), anonymous, false, false},
		{"two connections of one network", anonymous, sender{connection: "10.0.0.2:1", address: "10.0.0.2"}, false, true},
		{"two networks", anonymous, sender{connection: "10.0.1.1:1", address: "10.0.1.1"}, false, false},
		{"two clients of one proxy", anonymous, sender{connection: "10.0.0.1:1", address: "192.0.2.1"}, false, false},
		{"two invented tokens", by("invented"), by("invented too"), true, true},
		{"an invented token and an anonymous caller", by("invented"), anonymous, true, false},
	} {
		of := func(s sender) (id, group uint64) {
			st := &requestState{credential: s.credential, client: ClientInfo{Address: netip.MustParseAddr(s.address)}}
			caller := c.of(&http.Request{RemoteAddr: s.connection}, st)
			return caller.ID, caller.Group
		}
		id, group := of(row.a)
		otherID, otherGroup := of(row.b)
		if (id == otherID) != row.sameID || (group == otherGroup) != row.sameGroup {
			t.Errorf("%s: one caller: %t, one group: %t", row.name, id == otherID, group == otherGroup)
		}
	}
}
