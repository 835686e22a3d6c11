package view

import (
	"strings"

	"github.com/google/uuid"
)

// EventURL returns the address of an event, or of a page below it, like "guests".
func EventURL(event uuid.UUID, below ...string) string {
	return strings.Join(append([]string{"/events", event.String()}, below...), "/")
}

// UserURL returns the address of a user.
func UserURL(user uuid.UUID) string { return "/users/" + user.String() }
