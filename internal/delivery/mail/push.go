package mail

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"unicode/utf8"

	"moothall/internal/core/notify"
	"moothall/internal/delivery/webpush"
	"moothall/internal/platform/db"
	"moothall/internal/platform/push"
)

// Pusher is the Sender of web push.
type Pusher struct {
	DB     *db.DB
	Client *push.Client
	Key    []byte // of the HMAC that makes tags unpredictable
}

// Channel implements Sender.
func (p *Pusher) Channel() Channel { return Push }

// Parallel implements Sender.
func (p *Pusher) Parallel() int { return push.MaxParallel }

var (
	errEnded        = UnwantedError{"the browser has unsubscribed"}
	errSubscription = errors.New("cannot remove the subscription")
)

// Send implements Sender. It removes a subscription that the push service no longer knows.
func (p *Pusher) Send(ctx context.Context, m Message) error {
	tag, urgency := p.tag(m), push.Normal
	if policyOf[m.Kind].prompt {
		urgency = push.High
	}
	err := p.Client.Send(ctx, m.Push.Subscription, push.Message{Payload: payload(m.Items[0], tag, m.Push.Unread), TTL: m.Expires.Sub(m.At),
		Urgency: urgency, Topic: tag})
	var later *push.LaterError
	var refused *push.RefusedError
	switch {
	case errors.Is(err, push.ErrGone):
		if err := webpush.Remove(context.WithoutCancel(ctx), p.DB, m.User, m.Push.ID); err != nil {
			return errSubscription
		}
		return errEnded
	case errors.As(err, &later):
		return PostponedError{Err: err, After: later.After, NotTried: later.NotSent}
	case errors.As(err, &refused):
		return PermanentError{err}
	case errors.Is(err, context.Canceled): // the service stops
		return PostponedError{Err: err, NotTried: true}
	}
	return err
}

// tag returns the same text for messages of the same kind about the same event (if there is none:
// about the same item). In a browser, and in the queue of the push service, a newer message replaces
// an older one with the same tag.
func (p *Pusher) tag(m Message) string {
	about := m.Items[0].ID.Bytes()
	if event := m.Items[0].EventID; event != nil {
		about = event.Bytes()
	}
	mac := hmac.New(sha256.New, p.Key)
	mac.Write([]byte("push tag\n" + string(m.Kind) + "\n"))
	mac.Write(m.User[:])
	mac.Write(about[:])
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:24]) // 32 characters are allowed
}

// pushed is the payload of a message.
type pushed struct {
	Title  string  `json:"title"`
	Body   *string `json:"body"`
	Href   *string `json:"href"`
	Page   string  `json:"page,omitempty"`
	Tag    string  `json:"tag"`
	Unread int     `json:"unread_count"`
}

// payload returns the payload of a message. If it is too long, it shortens the body, then the title.
func payload(item notify.Item, tag string, unread int) []byte {
	p := pushed{Title: item.Title, Body: item.Body, Href: item.Href, Page: item.Page, Tag: tag, Unread: unread}
	encoded := p.encode()
	if excess := len(encoded) - push.MaxPayload; excess > 0 && p.Body != nil {
		body := shorten(*p.Body, excess)
		p.Body = &body
		encoded = p.encode()
	}
	if excess := len(encoded) - push.MaxPayload; excess > 0 {
		p.Title = shorten(p.Title, excess)
		encoded = p.encode()
	}
	return encoded
}

func (p pushed) encode() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(p) // never fails for these types
	return bytes.TrimRight(b.Bytes(), "\n")
}

// shorten removes at least n bytes from the end of a text.
func shorten(text string, n int) string {
	const ellipsis = "…"
	end := len(text) - n - len(ellipsis)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if end <= 0 {
		return ""
	}
	return text[:end] + ellipsis
}
