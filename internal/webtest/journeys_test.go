// Package webtest tests the web client in a real browser: each journey is what a visitor does
// to reach a goal.
package webtest

import (
	"testing"

	"moothall/internal/apptest"
	"moothall/internal/platform/db"
)

// journeys are what visitors do. Each one runs with and without scripts, on SQLite; those on
// both engines also on PostgreSQL with two instances.
var journeys = []struct {
	name         string
	bothEngines  bool
	needsScripts bool
	run          func(j *journey)
}{
	{name: "sign in by mail", bothEngines: true, run: signInByMail},
	{name: "find, join and leave", bothEngines: true, run: findJoinLeave},
	{name: "join with an e-mail address", run: joinWithEmail},
	{name: "find on the map", needsScripts: true, run: findOnMap},
	{name: "answer a calendar invite", run: answerInvite},
	{name: "use the calendar feed", run: useCalendarFeed},
	{name: "read notifications", run: readNotifications},
	{name: "see changes live", bothEngines: true, needsScripts: true, run: seeChangesLive},
	{name: "chat together", bothEngines: true, needsScripts: true, run: chatTogether},
	{name: "post, reply, like and repost", run: postAndReply},
	{name: "organize an event", bothEngines: true, run: organize},
	{name: "vote on a date", run: voteOnDate},
	{name: "use the keyboard alone", needsScripts: true, run: useKeyboard},
	{name: "choose language and theme", run: chooseLanguageAndTheme},
	{name: "follow and block", run: followAndBlock},
	{name: "revoke the other browser", run: revokeOtherBrowser},
	{name: "read right to left", needsScripts: true, run: readRightToLeft},
	{name: "open the pages for developers", needsScripts: true, run: openDeveloperPages},
	{name: "export and delete", run: exportAndDelete},
	{name: "report and moderate", run: reportAndModerate},
}

// origin is that of the service in tests: cookies are not restricted to https.
const origin = "http://localhost"

func TestJourneys(t *testing.T) {
	for _, engine := range []db.Engine{db.SQLite, db.PostgreSQL} {
		t.Run(engine.String(), func(t *testing.T) {
			t.Parallel()
			instances := 1
			if engine == db.PostgreSQL {
				instances = 2
			}
			a := apptest.New(t, engine, apptest.Instances(instances), apptest.Setting("WEB_ORIGIN", origin), apptest.Setting("PUBLIC_BASE_URL", origin), apptest.Setting("MODERATION_ADMIN_EMAILS", apptest.Email("mod")))
			for _, j := range journeys {
				if engine == db.SQLite || j.bothEngines {
					t.Run(j.name, func(t *testing.T) {
						runJourney(t, a, j.name+" with scripts", true, j.run)
						if !j.needsScripts {
							runJourney(t, a, j.name+" without scripts", false, j.run)
						}
					})
				}
			}
		})
	}
}
