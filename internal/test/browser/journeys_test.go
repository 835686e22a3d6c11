// Package browser tests the web client in a real browser: each journey is what a visitor does
// to reach a goal.
package browser

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// journeys are what visitors do.
var journeys = []journeyRow{
	{name: "sign in by mail", plain: true, run: signInByMail},
	{name: "find, join and leave", bothEngines: true, run: findJoinLeave},
	{name: "join with an e-mail address", run: joinWithEmail},
	{name: "find on the map", needsScripts: true, run: findOnMap},
	{name: "look around an event", plain: true, run: lookAround},
	{name: "find beside the map", needsScripts: true, run: findBesideMap},
	{name: "answer a calendar invite", run: answerInvite},
	{name: "use the calendar feed", run: useCalendarFeed},
	{name: "read notifications", run: readNotifications},
	{name: "see changes live", needsScripts: true, run: seeChangesLive},
	{name: "wait for a seat", run: waitForSeat},
	{name: "chat together", bothEngines: true, needsScripts: true, run: chatTogether},
	{name: "post, reply, like and repost", plain: true, run: postAndReply},
	{name: "join quickly", needsScripts: true, run: joinQuickly},
	{name: "join by an invitation link", run: joinByLink},
	{name: "organize an event", plain: true, run: organize},
	{name: "import a calendar", run: importCalendar},
	{name: "approve guests on a phone", run: approveOnPhone},
	{name: "answer questions", plain: true, run: answerQuestions},
	{name: "share an event", run: shareEvent},
	{name: "host together", run: hostTogether},
	{name: "message guests", run: messageGuests},
	{name: "repeat an event", plain: true, run: repeatEvent},
	{name: "run a group", plain: true, run: runGroup},
	{name: "organize before signing in", needsScripts: true, run: organizeFirst},
	{name: "vote on a date", run: voteOnDate},
	{name: "choose language and theme", plain: true, run: chooseLanguageAndTheme},
	{name: "follow and block", run: followAndBlock},
	{name: "revoke the other browser", run: revokeOtherBrowser},
	{name: "read right to left", needsScripts: true, run: readRightToLeft},
	{name: "install the client", needsScripts: true, run: installClient},
	{name: "open the pages for developers", needsScripts: true, run: openDeveloperPages},
	{name: "export and delete", run: exportAndDelete},
	{name: "report and moderate", run: reportAndModerate},
}

type journeyRow struct {
	name         string
	bothEngines  bool
	needsScripts bool
	plain        bool // also without scripts on SQLite: its forms and pages stand for those of the others
	run          func(j *journey)
}

// in runs the journey with a service.
func (row journeyRow) in(t *testing.T, a *apptest.App, scripts bool) {
	t.Helper()
	t.Run(row.name, func(t *testing.T) { runJourney(t, a, row.name, scripts, row.run) })
}

// newService starts a service for journeys.
func newService(t *testing.T, engine db.Engine, instances int) *apptest.App {
	t.Helper()
	return apptest.New(t, engine, apptest.Instances(instances), apptest.OwnOrigin(),
		apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")),
		apptest.Setting("ACCESS_TOKEN_TTL", "24h")) // the machine may be slow
}

// TestJourneys runs each journey with scripts on SQLite, and some without. Those on both engines also run on PostgreSQL with two
// instances, without scripts unless they need them: each step is then two requests, to different instances. LONG_TESTS runs
// all journeys there, and all that need no scripts also without them on SQLite.
func TestJourneys(t *testing.T) {
	t.Run("with scripts", func(t *testing.T) {
		t.Parallel()
		a := newService(t, db.SQLite, 1)
		for _, row := range journeys {
			row.in(t, a, true)
		}
	})
	t.Run("without scripts", func(t *testing.T) {
		t.Parallel()
		a := newService(t, db.SQLite, 1)
		for _, row := range journeys {
			if row.plain || testutil.Long() && !row.needsScripts {
				row.in(t, a, false)
			}
		}
	})
	t.Run("postgresql", func(t *testing.T) {
		t.Parallel()
		a := newService(t, db.PostgreSQL, 2)
		for _, row := range journeys {
			if row.bothEngines || testutil.Long() {
				row.in(t, a, row.needsScripts)
			}
		}
	})
}

// TestJourneysOnSlowDevice runs the journeys with a CPU six times slower and responses that arrive late: after the service
// has told the same through the socket. Only LONG_TESTS runs it.
func TestJourneysOnSlowDevice(t *testing.T) {
	testutil.OnlyLong(t)
	a := newService(t, db.SQLite, 1)
	for _, c := range journeys {
		t.Run(c.name, func(t *testing.T) {
			for _, scripts := range []bool{true, false} {
				if scripts || !c.needsScripts {
					runJourney(t, a, fmt.Sprintf("%s slowly %t", c.name, scripts), scripts, func(j *journey) {
						j.do(slowDevice(), preferences())
						c.run(j)
					})
				}
			}
		})
	}
}

func slowDevice() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 6}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Latency: 300, DownloadThroughput: -1, UploadThroughput: -1}},
		})
		return err
	})
}
