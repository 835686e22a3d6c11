package user

import "strings"

// withoutSeparators makes "ad.min" look like the "admin" that it imitates.
var withoutSeparators = strings.NewReplacer(".", "", "_", "")

// reserved are usernames that would pass for the service, its staff or one of
// its pages. Compared without dots and underscores.
var reserved = setOf(`
	admin administrator root superuser sysadmin system owner staff team crew official
	moderator moderators moderation mod mods support help helpdesk helpcenter security abuse trust safety
	moothall service idp bot robot daemon info contact press legal billing sales
	api auth oauth login logout signin signout signup register password token session sessions
	me my self you user users profile profiles account accounts settings preferences
	event events feed calendar notifications notification messages chat post posts comment comments
	review reviews report reports payment payments webhook webhooks invitation invitations invite invites
	map search explore discover home index about terms privacy cookies imprint docs doc status
	image images static assets media files upload uploads download downloads public private
	healthz readyz livez metrics openapi www web mail email smtp ftp host localhost
	postmaster hostmaster webmaster mailerdaemon noreply nobody
	anonymous everyone everybody all here channel deleted unknown guest test
	null nil none undefined true false nan
`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
