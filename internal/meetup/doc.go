// Package meetup has the features of meetups: what organizers publish (event, host, series, media, payment, datevote), who belongs
// together (group), how events are found (discovery, postings, feed, place, geocode), who comes (attendance, question, calendar, reminder),
// calendars of other services (importer), what people write (post, guestmessage, review, chat), images of other servers (imageproxy), and
// what happens to reported content and to deleted accounts (moderation, account).
//
// Its packages may import api, domain, platform, core and identity.
package meetup
