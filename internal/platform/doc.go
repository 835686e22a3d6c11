// Package platform is the layer below all features, and knows nothing of meetups: the database (db, dialect), stored
// files (files, blob, picture), HTTP around every operation (httpapi, admission, fairlimit, ratelimit, idempotency,
// form, cache), what leaves the service (smtp, push, socket, outbound), background work (job, background),
// texts and places (text, localize, ical, geo, timezone), logs, traces and measurements (observe),
// results of checks (checklist), time and secrets (clock, seal), and drawings (artwork).
//
// Its packages may import domain; httpapi may also import api.
package platform
