// Package delivery has the ways on which messages leave the service: mail and push (mail, webpush), and sockets
// (realtime).
//
// Its packages may import api, domain, platform, core, identity and meetup.
package delivery
