// Package ops has what an operator runs: settings, wiring, start and end (app), backups (backup), the streets of the map
// (mapfetch), and generated users and events for the demo (demo).
//
// Its packages may import api, domain, platform, core, identity, meetup, delivery and web.
package ops
