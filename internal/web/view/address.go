package view

import (
	"strings"

	"github.com/google/uuid"

	"moothall/api/gen"
)

// EventURL returns the address of an event by its id, or of a page below it, like "guests". The one of the event alone leads to its
// PagePath.
func EventURL(event uuid.UUID, below ...string) string {
	return strings.Join(append([]string{"/events", event.String()}, below...), "/")
}

// PagePath returns the path of an address that people share.
func PagePath(shareURL string) string {
	_, place, _ := strings.Cut(shareURL, "://")
	_, path, _ := strings.Cut(place, "/")
	return "/" + path
}

// UserURL returns the address of a user by the id, which leads to the PersonURL.
func UserURL(user uuid.UUID) string { return "/users/" + user.String() }

// GroupURL returns the address of a group by its id, or of a page below it, like "members". The one of the group alone leads to its
// PagePath.
func GroupURL(group uuid.UUID, below ...string) string {
	return strings.Join(append([]string{"/groups", group.String()}, below...), "/")
}

// groupPath returns the path of the page of a group, which people share.
func groupPath(slug string) string { return "/g/" + slug }

// PersonURL returns the path of the page of a user, which people share.
func PersonURL(u gen.PublicProfile) string { return personURL(u.Username) }

func personURL(username string) string { return "/p/" + username }
