// Package arch tests the architecture: import order, which feature writes which
// table, and that code, contract and documents agree. This file is the plan;
// changing it is a decision.
package arch_test

// order is the import order: a package may import only those above it.
var order = []string{
	"api/gen",
	"api",
	"api/derive",
	"sdk/realtime",
	"internal/domain",
	"internal/platform/text",
	"internal/platform/localize",
	"internal/platform/geo",
	"internal/platform/timezone",
	"internal/platform/durable",
	"internal/platform/db/dialect",
	"internal/platform/db",
	"internal/platform/clock",
	"internal/disktest",
	"internal/pgtest",
	"internal/dbtest",
	"internal/platform/ratelimit",
	"internal/platform/idempotency",
	"internal/platform/cache",
	"internal/platform/logging",
	"internal/platform/admission",
	"internal/platform/socket",
	"internal/platform/httpapi",
	"internal/platform/background",
	"internal/platform/job",
	"internal/platform/mail",
	"internal/platform/blob",
	"internal/platform/picture",
	"internal/platform/picture/picturetest",
	"internal/platform/artwork",
	"internal/platform/outbound",
	"internal/platform/outbound/outboundtest",
	"internal/platform/push",
	"internal/access",
	"internal/user",
	"internal/notify",
	"internal/webhook",
	"internal/relation",
	"internal/session",
	"internal/signin/telephony",
	"internal/signin/idp",
	"internal/signin",
	"internal/emailsignin",
	"internal/passkey",
	"internal/apikey",
	"internal/payment",
	"internal/postings",
	"internal/event",
	"internal/media",
	"internal/discovery",
	"internal/attendance",
	"internal/post",
	"internal/review",
	"internal/chat",
	"internal/datevote",
	"internal/reminder",
	"internal/webpush",
	"internal/calendar",
	"internal/deliver",
	"internal/feed",
	"internal/moderation",
	"internal/account",
	"internal/realtime",
	"internal/imageproxy",
	"internal/seed",
	"internal/web/ui",
	"internal/web/assets",
	"internal/web/basemap",
	"internal/web/card",
	"internal/web/view",
	"internal/web",
	"internal/app",
	"internal/apptest",
	"cmd/moothall",
	"cmd/moothall-bench/load",
	"cmd/moothall-bench/floor",
	"cmd/moothall-bench/plain",
	"cmd/moothall-bench/report",
	"cmd/moothall-bench",
}

// testOnly are the packages that only tests import.
var testOnly = []string{
	"internal/apptest",
	"internal/arch",
	"internal/dbtest",
	"internal/disktest",
	"internal/faulttest",
	"internal/pgtest",
	"internal/platform/outbound/outboundtest",
	"internal/platform/picture/picturetest",
	"internal/policytest",
	"internal/webtest",
}

// httpPackages may import httpapi and api/gen in every file. In the other packages
// only files named http*.go may.
var httpPackages = []string{
	"api",
	"cmd/moothall",
	"internal/app",
	"internal/apptest",
	"internal/platform/httpapi",
	"internal/web",
	"internal/web/view",
}

// webImports are the packages of the project that the web client may import: it is a client of
// the contract.
var webImports = []string{
	"api/gen",
	"internal/domain",
	"internal/platform/artwork",
	"internal/platform/localize",
	"internal/platform/text",
	"internal/web/assets",
	"internal/web/basemap",
	"internal/web/card",
	"internal/web/view",
}

// generators are the programs that go generate runs.
var generators = []string{
	"api/derive",
	"internal/web/ui",
}

// clockReaders are the files that may read the machine's clock, with the reason. All
// other code gets the time or a domain.Clock.
var clockReaders = map[string]string{
	"cmd/moothall/seed.go":                  "the day on which made-up events are placed",
	"cmd/moothall-bench/load/stopwatch.go":  "it measures time",
	"internal/platform/db/migrate.go":       "when a migration was applied, for people to read",
	"internal/platform/db/sqlite_writer.go": "how long a write group may grow",
	"internal/platform/job/run.go":          "how long a job has taken",
	"internal/domain/domain.go":             "the machine's clock, for tests and tools",
	"internal/platform/clock/clock.go":      "the clock of a running service",
	"internal/platform/db/sqlite.go":        "the server's time, which is the machine's",
	"internal/platform/db/version.go":       "how long ago the process knew all changes",
	"internal/seed/fill.go":                 "progress of a long import",
	"internal/platform/httpapi/observe.go":  "how long a request took",
	"internal/platform/httpapi/server.go":   "when a request began",
	"internal/platform/httpapi/stream.go":   "when a connection counts as stalled",
	"internal/platform/admission/lane.go":   "how long requests wait",
	"internal/platform/admission/adapt.go":  "how long a probe took",
	"internal/platform/httpapi/upload.go":   "when a body must have arrived",
	"sdk/realtime/client.go":                "it is no part of the service",
	"internal/platform/socket/socket.go":    "when a client counts as too slow or gone",
	"internal/platform/socket/stream.go":    "when a client counts as too slow",
	"internal/platform/socket/websocket.go": "when a client counts as gone",
}

// deletesNothing lists the periodic jobs that may run while the clock cannot be trusted.
var deletesNothing = map[string]string{
	"account.truncate_log": "it ends no data",
	"postings.recount":     "it counts",
}

// outside are the routes that are not part of the contract.
var outside = []string{
	"GET /api/asyncapi.yaml",
	"GET /api/openapi.yaml",
	"GET /assets/",
	"GET /basemap/places",
	"GET /basemap/{file}",
	"GET /cards/{file}",
	"GET /dev/calls",
	"GET /dev/mail",
	"GET /dev/mail/{id}",
	"GET /dev/mail/{id}/html",
	"GET /dev/mail/{id}/source",
	"GET /docs",
	"GET /docs/",
	"GET /feeds/events.atom",
	"GET /livez",
	"GET /login/confirm",
	"GET /media/",
	"GET /metrics",
	"GET /openapi.yaml",
	"GET /readyz",
	"GET /robots.txt",
	"GET /sitemap.xml",
	"GET /u/{token}",
	"GET /users/{user_id}/events.atom",
	"POST /auth/phone/callback/smsc",
	"POST /auth/phone/callback/smsru",
	"POST /dev/calls",
	"POST /do/{action}",
	"POST /login/confirm",
	"POST /u/{token}",
}
