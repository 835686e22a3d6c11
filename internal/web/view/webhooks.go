package view

import (
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"moothall/api/gen"
)

// WebhooksData is the webhooks of the viewer.
type WebhooksData struct {
	Webhooks []gen.Webhook
	Events   []gen.EventCard // that the viewer organizes
	Zone     string          // of the viewer
}

// WebhookData is a webhook and the attempts to send its messages, the newest first.
type WebhookData struct {
	gen.Webhook
	Zone     string // of the viewer
	Attempts []gen.WebhookDelivery
	Failed   bool   // only failed attempts are listed
	Older    string // address of older attempts; "" if there are none
}

// webhookKinds are what messages of webhooks can be about, in the order of the contract.
var webhookKinds = []gen.WebhookKind{
	"event.created", "event.published", "event.updated", "event.canceled", "event.completed", "attendance.joined", "attendance.left",
	"attendance.requested",
	"waitlist.entered", "waitlist.offered", "waitlist.ended", "host.invited", "host.joined", "host.left",
	"invitation.answered", "post.created", "comment.created", "review.created", "date.selected", "post.deleted",
}

// webhookURL is the address of the page of a webhook.
func webhookURL(w gen.Webhook) templ.SafeURL {
	return templ.SafeURL("/settings/webhooks/" + w.ID.String())
}

// webhookStatus is the class of a chip with the status of a webhook.
func webhookStatus(w gen.Webhook) string {
	if w.Status == gen.WebhookStatusActive && w.FailingSince.Null {
		return "good"
	}
	return "accent"
}

// ticks reports whether a kind is ticked in the form of a webhook.
func (p *Page) ticks(action string, kind gen.WebhookKind, stored []gen.WebhookKind) bool {
	if p.Form.Action == action && p.Form.Values.Has("url") {
		return slices.Contains(p.Form.Values["kind"], string(kind))
	}
	return slices.Contains(stored, kind)
}

// result says how an attempt ended, like "200" or why there was no response.
func (p *Page) result(d gen.WebhookDelivery) string {
	if !d.StatusCode.Null {
		return strconv.Itoa(d.StatusCode.Value)
	}
	return p.T("webhooks.no_response")
}

// queued is the number of messages that a form has asked to send again; -1 if none has.
func (f Form) queued() int {
	if f.Step != StepSent || !f.Values.Has("queued") {
		return -1
	}
	n, _ := strconv.Atoi(f.Values.Get("queued")) // the action has set it
	return n
}
