package ratelimit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Rule is one row of contract §11, or a budget of ours.
type Rule struct {
	Name    string // in the answer's headers and, in upper case, in its setting
	What    string // who may do what, for docs/settings.md
	Default Quota
	Open    bool // lets through when the store does not answer
}

// Setting is the name of the environment variable that changes the quota.
func (r Rule) Setting() string { return "RATE_LIMIT_" + strings.ToUpper(r.Name) }

// The rules. Those of signing in are never open: guessing must not become free
// by bringing the store down.
var (
	DevStartPerEmail             = Rule{"dev_start_per_email", "codes sent to one e-mail address", Quota{5, 10 * time.Minute}, false}
	DevStartPerAddress           = Rule{"dev_start_per_address", "codes asked for from one client address", Quota{20, time.Hour}, false}
	DevVerifyPerAddress          = Rule{"dev_verify_per_address", "codes tried from one client address", Quota{30, 10 * time.Minute}, false}
	PhoneStartPerPhone           = Rule{"phone_start_per_phone", "calls started for one phone", Quota{3, 10 * time.Minute}, false}
	PhoneStartPerPhoneDay        = Rule{"phone_start_per_phone_day", "calls started for one phone", Quota{10, day}, false}
	PhoneStartPerAddress         = Rule{"phone_start_per_address", "calls started from one client address", Quota{20, time.Hour}, false}
	PhoneStartsPerDay            = Rule{"phone_starts_per_day", "calls started by everybody together: what the provider may cost", Quota{2000, day}, false}
	PhoneStatusPerChallenge      = Rule{"phone_status_per_challenge", "questions about one call", Quota{60, time.Minute}, false}
	IdpPerAddress                = Rule{"idp_per_address", "sign-ins by identity provider from one client address", Quota{30, time.Minute}, false}
	ImagesPerAddress             = Rule{"images_per_address", "images asked for from one client address, kept ones too", Quota{240, time.Minute}, true}
	RefreshPerSession            = Rule{"refresh_per_session", "refreshes of one session", Quota{60, time.Minute}, false}
	WritesPerUser                = Rule{"writes_per_user", "changes of any kind by one user", Quota{120, time.Minute}, true}
	MessagesPerUser              = Rule{"messages_per_user", "chat messages of one user", Quota{30, time.Minute}, true}
	CommentsPerUser              = Rule{"comments_per_user", "comments of one user", Quota{20, time.Minute}, true}
	PostsPerUserHour             = Rule{"posts_per_user_hour", "posts and announcements of one organizer: each tells every participant", Quota{30, time.Hour}, true}
	EventsPerUserDay             = Rule{"events_per_user_day", "events created by one user", Quota{30, day}, true}
	ReportsPerUserDay            = Rule{"reports_per_user_day", "reports of one user", Quota{20, day}, true}
	FollowsPerUserDay            = Rule{"follows_per_user_day", "follows of one user", Quota{200, day}, true}
	InvitationsPerUser           = Rule{"invitations_per_user", "invitations to events by one organizer", Quota{100, time.Hour}, true}
	InvitationMissesPerOrganizer = Rule{"invitation_misses_per_organizer", "invitations of one organizer to a phone or e-mail address that nobody has here", Quota{20, time.Hour}, false}
)

// Rules is every rule there is.
var Rules = []Rule{
	DevStartPerEmail, DevStartPerAddress, DevVerifyPerAddress,
	PhoneStartPerPhone, PhoneStartPerPhoneDay, PhoneStartPerAddress, PhoneStartsPerDay, PhoneStatusPerChallenge,
	IdpPerAddress, ImagesPerAddress, RefreshPerSession,
	WritesPerUser, MessagesPerUser, CommentsPerUser, PostsPerUserHour, EventsPerUserDay, ReportsPerUserDay, FollowsPerUserDay,
	InvitationsPerUser, InvitationMissesPerOrganizer,
}

const day = 24 * time.Hour

// Quota is N operations at once, then one more every Window/N.
type Quota struct {
	N      int
	Window time.Duration
}

const (
	mostN      = 1_000_000
	longestDay = 31 * day
)

var errQuota = errors.New("must be a number of times per duration like 5/10m, at most 1000000 and from 1s to 744h")

// ParseQuota reads "5/10m".
func ParseQuota(text string) (Quota, error) {
	number, window, _ := strings.Cut(text, "/")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > mostN {
		return Quota{}, errQuota
	}
	d, err := time.ParseDuration(window)
	if err != nil || d < time.Second || d > longestDay {
		return Quota{}, errQuota
	}
	return Quota{n, d}, nil
}

// String is what ParseQuota reads.
func (q Quota) String() string {
	window := q.Window.String()
	for _, unit := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(window, unit) {
			window = window[:len(window)-2]
		}
	}
	return fmt.Sprintf("%d/%s", q.N, window)
}

// step is the time that one operation takes from the quota, to the precision
// that is stored.
func (q Quota) step() time.Duration {
	return (q.Window / time.Duration(q.N)).Truncate(time.Microsecond)
}

// full is the time that the whole quota takes.
func (q Quota) full() time.Duration { return q.step() * time.Duration(q.N) }
