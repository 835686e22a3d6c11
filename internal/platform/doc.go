// Package platform is the layer below all features, and knows nothing of meetups: the database (db, dialect, change, driver, sqlite,
// postgres, migrations, migrate), stored
// files (files, blob), pictures (picture), HTTP around every operation (httpapi, admission, ratelimit, idempotency,
// form, cache), what leaves the service (smtp, mailtemplate, push, socket, courier, outbound), background work (job), texts and places
// (text, ical, spreadsheet, geo), tiles of maps (pmtiles), logs, traces and measurements (observe), results of checks (checklist), time
// (clock) and secrets (seal).
//
// Its packages may import domain; httpapi may also import api.
package platform
