package domain

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"time"
)

// ID is a UUID of one kind of thing. IDs of different kinds have different types, so
// that swapping them does not compile. The zero ID means "none".
type ID[kind any] [16]byte

// The types of ids.
type (
	UserID             = ID[UserKind]
	SessionID          = ID[SessionKind]
	EventID            = ID[EventKind]
	ParticipantID      = ID[ParticipantKind]
	InvitationID       = ID[InvitationKind]
	InviteLinkID       = ID[InviteLinkKind]
	WaitlistEntryID    = ID[WaitlistEntryKind]
	SeriesID           = ID[SeriesKind]
	GroupID            = ID[GroupKind]
	AnnouncementID     = ID[AnnouncementKind]
	NotificationID     = ID[NotificationKind]
	DateOptionID       = ID[DateOptionKind]
	DateVoteID         = ID[DateVoteKind]
	MessageID          = ID[MessageKind]
	ReviewID           = ID[ReviewKind]
	ReportID           = ID[ReportKind]
	ModerationActionID = ID[ModerationActionKind]
	ChallengeID        = ID[ChallengeKind]
	JobID              = ID[JobKind]
	BlockID            = ID[BlockKind]
	PaymentID          = ID[PaymentKind]
	PostID             = ID[PostKind]
	CommentID          = ID[CommentKind]
	GuestMessageID     = ID[GuestMessageKind]
	EntryID            = ID[EntryKind]
	MailID             = ID[MailKind]
	PasskeyID          = ID[PasskeyKind]
	PictureID          = ID[PictureKind]
	APIKeyID           = ID[APIKeyKind]
	PushSubscriptionID = ID[PushSubscriptionKind]
	WebhookID          = ID[WebhookKind]
	WebhookMessageID   = ID[WebhookMessageKind]
	WebhookAttemptID   = ID[WebhookAttemptKind]
	ImportID           = ID[ImportKind]
	SourceID           = ID[SourceKind]
	QuestionID         = ID[QuestionKind]
)

// The type arguments of NewID and ParseID.
type (
	UserKind             struct{}
	SessionKind          struct{}
	EventKind            struct{}
	ParticipantKind      struct{}
	InvitationKind       struct{}
	InviteLinkKind       struct{}
	WaitlistEntryKind    struct{}
	SeriesKind           struct{}
	GroupKind            struct{}
	AnnouncementKind     struct{}
	NotificationKind     struct{}
	DateOptionKind       struct{}
	DateVoteKind         struct{}
	MessageKind          struct{}
	ReviewKind           struct{}
	ReportKind           struct{}
	ModerationActionKind struct{}
	ChallengeKind        struct{}
	JobKind              struct{}
	BlockKind            struct{}
	PaymentKind          struct{}
	PostKind             struct{}
	CommentKind          struct{}
	GuestMessageKind     struct{}
	EntryKind            struct{}
	MailKind             struct{}
	PasskeyKind          struct{}
	PictureKind          struct{}
	APIKeyKind           struct{}
	PushSubscriptionKind struct{}
	WebhookKind          struct{}
	WebhookMessageKind   struct{}
	WebhookAttemptKind   struct{}
	ImportKind           struct{}
	SourceKind           struct{}
	QuestionKind         struct{}
)

// NewID returns a UUIDv7 for the time now. Ids sort by time, to the millisecond, so that
// databases store rows next to each other that were written at the same time.
func NewID[kind any](now time.Time) ID[kind] {
	var id ID[kind]
	fillRandom(id[6:])
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(now.UnixMilli()))
	copy(id[:6], ms[2:])
	id[6] = id[6]&0x0f | 0x70
	id[8] = id[8]&0x3f | 0x80
	return id
}

// WithID returns a context in which NewIDIn returns the id. The demo thus has the ids of the examples in the contract.
func WithID[kind any](ctx context.Context, id ID[kind]) context.Context {
	return context.WithValue(ctx, idKey[kind]{}, id)
}

// NewIDIn returns the id of WithID for this kind, or else NewID.
func NewIDIn[kind any](ctx context.Context, now time.Time) ID[kind] {
	if id, ok := ctx.Value(idKey[kind]{}).(ID[kind]); ok {
		return id
	}
	return NewID[kind](now)
}

type idKey[kind any] struct{}

// RandomID returns a UUIDv4. Its 122 random bits cannot be guessed, so knowing the id
// can grant a right.
func RandomID[kind any]() ID[kind] {
	var id ID[kind]
	fillRandom(id[:])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return id
}

// LastID returns the greatest id. No id sorts after it.
func LastID[kind any]() (id ID[kind]) {
	for i := range id {
		id[i] = 0xff
	}
	return id
}

// fillRandom returns no error: crypto/rand.Read never fails.
func fillRandom(b []byte) { _, _ = rand.Read(b) }

// IsZero reports whether the id is "none".
func (id ID[kind]) IsZero() bool { return id == ID[kind]{} }

// Bytes returns a pointer to the bytes, to read and bind ids of any kind.
func (id *ID[kind]) Bytes() *[16]byte { return (*[16]byte)(id) }

// String returns the canonical form: lower case with dashes.
func (id ID[kind]) String() string {
	var text [36]byte
	at := 0
	for i, b := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			text[at] = '-'
			at++
		}
		hex.Encode(text[at:], []byte{b})
		at += 2
	}
	return string(text[:])
}

var errID = errors.New("not a canonical UUID")

// ParseID reads the canonical form: 36 characters with dashes, in any case. It refuses
// braces, "urn:uuid:" and the form without dashes.
func ParseID[kind any](text string) (ID[kind], error) {
	var id ID[kind]
	if !IsCanonicalUUID(text) {
		return id, errID
	}
	digits := text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	if _, err := hex.Decode(id[:], []byte(digits)); err != nil {
		return ID[kind]{}, errID
	}
	return id, nil
}

// MarshalText returns the canonical form, so that ids are strings in JSON.
func (id ID[kind]) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText parses the text as ParseID does.
func (id *ID[kind]) UnmarshalText(text []byte) (err error) {
	*id, err = ParseID[kind](string(text))
	return err
}

// IsCanonicalUUID reports whether text is a UUID in the form that the contract accepts:
// 8-4-4-4-12 hexadecimal digits in any case.
func IsCanonicalUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (text[i] == '-') || !dash && !isHex(text[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
