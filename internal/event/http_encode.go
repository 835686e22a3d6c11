package event

import (
	"bytes"
	"slices"

	"github.com/go-faster/jx"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/access"
	"moothall/internal/user"
)

// CardAPI returns a card as the contract describes it.
func CardAPI(c Card) gen.EventCard {
	return gen.EventCard{
		Event:            c.core(),
		Location:         c.location(),
		Organizer:        user.NullAPI(c.Organizer),
		ParticipantCount: int(c.ParticipantCount),
		FeedContext:      c.context(),
	}
}

func (c Card) core() gen.EventCore {
	return gen.EventCore{
		ID: uuid.UUID(c.ID), Title: c.Title, StartsAt: c.StartsAt, EndsAt: gen.NullDateTime(c.EndsAt), Timezone: c.Timezone,
		ImageURL: gen.NullString(c.ImageURL), Status: gen.EventStatus(c.Status), Category: gen.NullString(c.Category),
		Price: gen.EventPrice(c.Price), PriceAmount: gen.NullInt(c.PriceAmount), PriceCurrency: gen.NullString(c.PriceCurrency),
		Visibility: gen.EventVisibility(c.Visibility), DateMode: gen.EventDateMode(c.DateMode), OrganizerID: uuid.UUID(c.OrganizerID),
	}
}

func (c Card) location() gen.EventLocation {
	return gen.EventLocation{City: gen.NullString(c.City), Lat: gen.NullFloat64(c.Lat), Lng: gen.NullFloat64(c.Lng)}
}

// encode returns the objects of a listed card.
func (c Card) encode() (event, location []byte) {
	core, at := c.core(), c.location()
	return gen.Marshal(&core), gen.Marshal(&at)
}

// Encode writes an EventCard of the contract. organizer may be nil.
func (c *ListedCard) Encode(e *jx.Encoder, organizer *user.CachedProfile, context gen.FeedContext) {
	e.ObjStart()
	e.FieldStart("event")
	e.Raw(c.event)
	e.FieldStart("location")
	e.Raw(c.location)
	e.FieldStart("organizer")
	if organizer == nil {
		e.Null()
	} else {
		e.Raw(organizer.JSON)
	}
	e.FieldStart("participant_count")
	e.Int64(c.ParticipantCount)
	e.FieldStart("feed_context")
	context.Encode(e)
	e.ObjEnd()
}

// EncodeOnMap writes an EventMapItem of the contract: its event has some of the fields of
// a card's, which are encoded next to each other.
func (c *ListedCard) EncodeOnMap(e *jx.Encoder, viewerGoing bool) {
	first, rest, _ := bytes.Cut(c.event, []byte(`,"ends_at":`))
	_, second, _ := bytes.Cut(rest, []byte(`,"image_url":`))
	second, _, _ = bytes.Cut(second, []byte(`,"price_amount":`))
	e.ObjStart()
	e.FieldStart("event")
	e.Raw(slices.Concat(first, []byte(`,"image_url":`), second, []byte(`}`)))
	e.FieldStart("location")
	e.Raw(c.location)
	e.FieldStart("participant_count")
	e.Int64(c.ParticipantCount)
	e.FieldStart("feed_context")
	context := gen.EventMapContext{ViewerGoing: viewerGoing}
	context.Encode(e)
	e.ObjEnd()
}

func (c Card) context() gen.FeedContext {
	return gen.FeedContext{ViewerGoing: c.ViewerGoing, Reasons: []gen.FeedReason{}}
}

func (d Details) toAPI() gen.EventDetails {
	return gen.EventDetails{
		Event: gen.EventDetailsCore{
			ID: uuid.UUID(d.ID), Title: d.Title, Description: gen.NullString(d.Description), StartsAt: d.StartsAt,
			EndsAt: gen.NullDateTime(d.EndsAt), Timezone: d.Timezone, ImageURL: gen.NullString(d.ImageURL),
			Status: gen.EventStatus(d.Status), Category: gen.NullString(d.Category), Price: gen.EventPrice(d.Price),
			PriceAmount: gen.NullInt(d.PriceAmount), PriceCurrency: gen.NullString(d.PriceCurrency),
			Visibility: gen.EventVisibility(d.Visibility), DateMode: gen.EventDateMode(d.DateMode), OrganizerID: uuid.UUID(d.OrganizerID),
			Capacity: gen.NullInt(d.Capacity), SelectedDateOptionID: gen.NullUUID(d.SelectedDateOptionID),
			ConferenceURL: gen.NullString(d.ConferenceURL), CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
			PublishedAt: gen.NullDateTime(d.PublishedAt), CanceledAt: gen.NullDateTime(d.CanceledAt), CompletedAt: gen.NullDateTime(d.CompletedAt()),
		},
		Location: gen.EventDetailsLocation{
			City: gen.NullString(d.City), LocationText: gen.NullString(d.LocationText), Lat: gen.NullFloat64(d.Lat), Lng: gen.NullFloat64(d.Lng),
		},
		Organizer:                     d.Organizer.NullAPI(),
		ParticipantCount:              int(d.ParticipantCount),
		FeedContext:                   gen.FeedContext{ViewerGoing: d.viewer.Going, Reasons: []gen.FeedReason{}},
		ViewerParticipationStatus:     participationStatus(d.viewer.participation),
		ViewerParticipationVisibility: participationVisibility(d.viewer.visibility),
		ViewerInvitationStatus:        invitationStatus(d.viewer.Invitation),
		ViewerIsOrganizer:             d.viewer.Organizer,
		ViewerCanJoin:                 d.CanJoin(),
		SocialProof:                   d.socialProof(),
	}
}

func (d Details) socialProof() gen.SocialProof {
	proof := gen.SocialProof{
		FollowedGoingCount: int(d.viewer.followedCount), FollowedGoing: user.CachedAPI(d.FollowedGoing),
		ParticipantsPreview: user.CachedAPI(d.Participants), AverageRating: gen.NullFloat64(d.Rating.Average()),
		ReviewCount: int(d.Rating.Reviews),
	}
	if n := d.viewer.incognitoCount; n != nil {
		proof.IncognitoCount = gen.NewOptInt(int(*n))
	}
	return proof
}

func participationStatus(p *string) gen.NilParticipationStatus {
	if p == nil {
		return gen.NilParticipationStatus{Null: true}
	}
	return gen.NewNilParticipationStatus(gen.ParticipationStatus(*p))
}

func participationVisibility(p *string) gen.NilParticipationVisibility {
	if p == nil {
		return gen.NilParticipationVisibility{Null: true}
	}
	return gen.NewNilParticipationVisibility(gen.ParticipationVisibility(*p))
}

func invitationStatus(i access.Invitation) gen.NilInvitationStatus {
	if i == access.NotInvited {
		return gen.NilInvitationStatus{Null: true}
	}
	return gen.NewNilInvitationStatus(gen.InvitationStatus(i))
}
