// Package architecture tests the architecture: layers, which feature writes which
// table, and that code, contract and documents agree. This file is the plan;
// changing it is a decision.
package architecture_test

// groups are the layers of the project: a package may import its own group and those before it. Each group in
// internal has a doc.go, which names its packages and the groups that they use.
var groups = []string{
	"api",
	"sdk",
	"internal/domain",
	"internal/platform",
	"internal/core",
	"internal/identity",
	"internal/meetup",
	"internal/delivery",
	"internal/web",
	"internal/ops",
	"internal/test",
	"cmd",
}

// httpPackages may import httpapi and api/gen in every file. In the other packages
// only files named http*.go may.
var httpPackages = []string{
	"api",
	"cmd/moothall",
	"internal/ops/app",
	"internal/test/apptest",
	"internal/test/contract",
	"internal/platform/httpapi",
	"internal/web",
	"internal/web/view",
}

// webImports are the packages of the project that the web client may import: it is a client of
// the contract.
var webImports = []string{
	"api/gen",
	"internal/domain",
	"internal/platform/form",
	"internal/platform/ical",
	"internal/platform/pmtiles",
	"internal/platform/picture",
	"internal/platform/text",
	"internal/web/assets",
	"internal/web/basemap", "internal/web/documents",
	"internal/web/preview",
	"internal/web/view",
}

// generators are the programs that go generate runs.
var generators = []string{
	"api/generate",
	"internal/web/ui",
	"sdk/generate",
}

// clockReaders are the files that may read the machine's clock, with the reason. All
// other code gets the time or a domain.Clock.
var clockReaders = map[string]string{
	"cmd/moothall/backup.go":                 "when a backup is made",
	"cmd/moothall/map.go":                    "the date of the newest map",
	"internal/platform/db/migrate/retry.go":  "how long a migration has waited",
	"internal/platform/db/sqlite/writer.go":  "how long a write group may grow",
	"internal/platform/db/migrate/apply.go":  "when a migration was applied, for people to read",
	"internal/platform/job/run.go":           "how long a job has taken",
	"internal/domain/domain.go":              "the machine's clock, for tests and tools",
	"internal/platform/clock/clock.go":       "the clock of a running service",
	"internal/platform/db/sqlite/store.go":   "the server's time, which is the machine's",
	"internal/platform/observe/uptime.go":    "how long the process has run",
	"internal/ops/backup/progress.go":        "progress of a long backup",
	"internal/platform/blob/bucket.go":       "when a connection counts as stalled",
	"internal/platform/blob/dir.go":          "the age of files, which have the time of the machine",
	"internal/platform/observe/calls.go":     "how long a call took",
	"internal/platform/observe/collector.go": "when the collector of traces accepts requests again",
	"internal/platform/httpapi/observe.go":   "how long a request took",
	"internal/platform/httpapi/request.go":   "when a request began",
	"internal/platform/httpapi/call.go":      "when a call began",
	"internal/platform/httpapi/stream.go":    "when a connection counts as stalled",
	"internal/platform/httpapi/bodies.go":    "when a sender must have stopped",
	"internal/delivery/mail/scheduler.go":    "how old the facts of a delivery are",
	"internal/platform/admission/lane.go":    "how long requests wait",
	"internal/platform/admission/adapt.go":   "how long a probe took",
	"internal/platform/httpapi/upload.go":    "when a body must have arrived",
	"internal/platform/socket/socket.go":     "when a client counts as too slow or gone",
	"internal/platform/socket/stream.go":     "when a client counts as too slow",
	"internal/platform/socket/websocket.go":  "when a client counts as gone",
}

// deletesNothing lists the periodic jobs that may run while the clock cannot be trusted.
var deletesNothing = map[string]string{
	"account.truncate_log": "it ends no data",
	"secretkey.renew":      "it depends on no time",
	"postings.recount":     "it counts",
	"event.codes":          "it ends no data",
	"series.due":           "it makes drafts and events, which can be canceled",
	"source.due":           "it reads calendars that are due; events end by their content",
	"attendance.deal_kept": "it depends on no time",
}

// outside are the routes that are not part of the contract.
var outside = []string{
	"GET /api/asyncapi.yaml",
	"GET /api/openapi.yaml",
	"GET /assets/",
	"GET /basemap/{file}",
	"GET /cards/{file}",
	"GET /debug/pprof/",
	"GET /debug/pprof/profile",
	"GET /debug/pprof/symbol",
	"GET /debug/pprof/trace",
	"GET /dev/calls",
	"GET /dev/mail",
	"GET /dev/mail/gallery",
	"GET /dev/mail/{id}",
	"GET /dev/mail/{id}/html",
	"GET /dev/mail/{id}/source",
	"GET /docs",
	"GET /docs/",
	"GET /embed/events",
	"GET /feeds/events.atom",
	"GET /feeds/events.ics",
	"GET /groups/{group_id}/events.atom",
	"GET /groups/{group_id}/events.ics",
	"GET /i/mail/{token}",
	"GET /i/mail/{token}/never",
	"GET /livez",
	"GET /login/confirm",
	"GET /manifest.webmanifest",
	"GET /media/",
	"GET /metrics",
	"GET /oembed",
	"GET /openapi.yaml",
	"GET /readyz",
	"GET /robots.txt",
	"GET /sitemap-groups.xml",
	"GET /sitemap.xml",
	"GET /sw.js",
	"GET /u/{token}",
	"GET /users/{user_id}/events.atom",
	"GET /users/{user_id}/events.ics",
	"POST /auth/phone/callback/smsc",
	"POST /auth/phone/callback/smsru",
	"POST /dev/calls",
	"POST /dev/violations",
	"POST /do/{action}",
	"POST /i/mail/{token}",
	"POST /i/mail/{token}/never",
	"POST /login/confirm",
	"POST /u/{token}",
}
