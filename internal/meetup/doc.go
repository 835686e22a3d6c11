// Package meetup has the features of meetups: publishing (event, host, series, media, payment, datevote), groups (group), search
// (discovery, postings, feed, place, geocode), attendance (attendance, question, calendar, reminder), imports from other services
// (importer, source), messages and texts (post, guestmessage, review, chat), images of other servers (imageproxy), moderation and the
// deletion of accounts (moderation, account).
//
// Its packages may import api, domain, platform, core and identity.
package meetup
