package apptest

import (
	"maps"
	"time"
)

// Fields is a JSON object: the body of a request.
type Fields = map[string]any

// Today is the time at which StartAt usually stops the clock.
var Today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// Draft creates a public, free event that starts four days after Today, with
// some fields changed, and returns its id.
func (c *Client) Draft(changes Fields) string {
	c.t.Helper()
	body := Fields{"title": "Chess in the park", "starts_at": "2026-06-05T16:00:00Z"}
	maps.Copy(body, changes)
	return c.Post("/events", body).Want(201).Text("event.id")
}

// Publish creates the event of Draft, publishes it and returns its id.
func (c *Client) Publish(changes Fields) string {
	c.t.Helper()
	id := c.Draft(changes)
	c.Post("/events/"+id+"/publish", nil).Want(200)
	return id
}

// Join lets the client join an event publicly.
func (c *Client) Join(event string) {
	c.t.Helper()
	c.Post("/events/"+event+"/join", nil).Want(200)
}

// Follow lets the client follow another one.
func (c *Client) Follow(other *Client) {
	c.t.Helper()
	c.Post("/users/"+other.UserID+"/follow", nil).Want(200)
}

// Block lets the client block another one.
func (c *Client) Block(other *Client) {
	c.t.Helper()
	c.Post("/users/"+other.UserID+"/block", nil).Want(200)
}
