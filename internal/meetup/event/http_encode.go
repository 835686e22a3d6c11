package event

import (
	"bytes"
	"context"
	"slices"

	"github.com/go-faster/jx"
	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/core/user"
)

// CardAPI returns a card as the contract describes it, with the address of one of these pages.
func CardAPI(c Card, pages address.Pages) gen.EventCard {
	return gen.EventCard{
		Event:            c.core(pages),
		Location:         c.location(),
		Organizer:        user.NullAPI(c.Organizer),
		ParticipantCount: int(c.ParticipantCount),
		SeatsLeft:        gen.OptionalInt(seatsLeft(c.Capacity, c.UsedSeats)),
		FeedContext:      c.context(),
		Group:            c.Group.optional(),
	}
}

func (c Card) core(pages address.Pages) gen.EventCore {
	return gen.EventCore{
		ID: uuid.UUID(c.ID), Title: c.Title, StartsAt: c.StartsAt, EndsAt: gen.NullDateTime(c.EndsAt), Timezone: c.Timezone,
		ImageURL: gen.NullString(c.ImageURL), ImageAlt: gen.OptionalString(c.ImageAlt), Status: gen.EventStatus(c.Status),
		Category: gen.NullString(c.Category),
		Price:    gen.EventPrice(c.Price), PriceAmount: gen.NullInt(c.PriceAmount), PriceCurrency: gen.NullString(c.PriceCurrency),
		Visibility: gen.EventVisibility(c.Visibility), DateMode: gen.EventDateMode(c.DateMode), OrganizerID: uuid.UUID(c.OrganizerID),
		SourceHost: gen.OptionalString(c.SourceHost), ExternalURL: gen.OptionalString(c.ExternalURL), ShareURL: pages.Event(c.Address()),
	}
}

func (c Card) location() gen.EventLocation {
	return gen.EventLocation{City: gen.NullString(c.City), Lat: gen.NullFloat64(c.Lat), Lng: gen.NullFloat64(c.Lng)}
}

// cardObjects are the objects of a card that are the same for every viewer, also encoded.
type cardObjects struct {
	event                   gen.EventCore
	location                gen.EventLocation
	group                   gen.OptGroupReference
	eventJSON, locationJSON []byte
	groupJSON               []byte // nil: none
}

func (c Card) objects(pages address.Pages) cardObjects {
	o := cardObjects{event: c.core(pages), location: c.location(), group: c.Group.optional()}
	if o.group.Set {
		o.groupJSON = gen.Marshal(&o.group.Value)
	}
	o.eventJSON, o.locationJSON = gen.Marshal(&o.event), gen.Marshal(&o.location)
	return o
}

// CardList returns the cards as the contract describes them. context returns
// the context of the card with an index. A deleted account has no profile.
func CardList(ctx context.Context, profiles *user.Profiles, cards []ShownCard,
	context func(int) gen.FeedContext) (list gen.List[gen.EventCard], err error) {
	organizers, err := profiles.Get(ctx, organizersOf(cards)...)
	if err != nil {
		return list, err
	}
	encode := func(e *jx.Encoder, i int) {
		cards[i].encode(e, cards[i].objects.eventJSON)
		if seats := cards[i].SeatsLeft; seats != nil {
			e.FieldStart("seats_left")
			e.Int64(*seats)
		}
		e.FieldStart("organizer")
		if organizers[i] == nil {
			e.Null()
		} else {
			e.Raw(organizers[i].JSON)
		}
		e.FieldStart("feed_context")
		own := context(i)
		own.Encode(e)
		if json := cards[i].objects.groupJSON; json != nil {
			e.FieldStart("group")
			e.Raw(json)
		}
	}
	value := func(i int) gen.EventCard {
		return gen.EventCard{
			Event: cards[i].objects.event, Location: cards[i].objects.location, Organizer: organizers[i].NullAPI(),
			ParticipantCount: int(cards[i].ParticipantCount), SeatsLeft: gen.OptionalInt(cards[i].SeatsLeft), FeedContext: context(i),
			Group: cards[i].objects.group,
		}
	}
	return gen.NewList(len(cards), encode, value), nil
}

// EncodeOnMap returns the cards as an array of the contract's EventMapItems.
func EncodeOnMap(cards []ShownCard) jx.Raw {
	return gen.Marshal(gen.NewList[gen.EventCard](len(cards), func(e *jx.Encoder, i int) {
		cards[i].encode(e, cards[i].eventOnMap())
		e.FieldStart("feed_context")
		e.ObjStart()
		e.FieldStart("viewer_going")
		e.Bool(cards[i].ViewerGoing)
		e.ObjEnd()
	}, nil))
}

// encode writes the fields that are the same for every viewer.
func (c *ListedCard) encode(e *jx.Encoder, event []byte) {
	e.FieldStart("event")
	e.Raw(event)
	e.FieldStart("location")
	e.Raw(c.objects.locationJSON)
	e.FieldStart("participant_count")
	e.Int64(c.ParticipantCount)
}

// eventOnMap returns the event as an EventMapCore: it has the fields of an EventCore up to
// ends_at, those from timezone up to price_amount, and the last one.
func (c *ListedCard) eventOnMap() []byte {
	event := c.objects.eventJSON
	start, _, _ := bytes.Cut(event, []byte(`,"ends_at":`))
	second := bytes.Index(event, []byte(`,"timezone":`))
	rest := bytes.Index(event, []byte(`,"price_amount":`))
	last := bytes.LastIndex(event, []byte(`,"share_url":`))
	return slices.Concat(start, event[second:rest], event[last:])
}

func (c Card) context() gen.FeedContext {
	return gen.FeedContext{ViewerGoing: c.ViewerGoing, Reasons: []gen.FeedReason{}}
}

// toAPI returns the details without the fields of the event.
func (d Details) toAPI(pages address.Pages) gen.EventDetails {
	return gen.EventDetails{
		Event: gen.EventDetailsCore{
			ID: uuid.UUID(d.ID), Status: gen.EventStatus(d.Status), OrganizerID: uuid.UUID(d.OrganizerID),
			ImageAspect:          gen.OptionalFloat64(d.ImageAspect),
			SelectedDateOptionID: gen.NullUUID(d.SelectedDateOptionID), CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
			PublishedAt: gen.NullDateTime(d.PublishedAt), CanceledAt: gen.NullDateTime(d.CanceledAt), CompletedAt: gen.NullDateTime(d.CompletedAt()),
			ShareURL: pages.Event(d.Address()),
			SeriesID: gen.OptionalUUID(d.Series), OccurrenceAt: occurrenceAPI(d.OccurrenceAt),
			SeriesDetached: gen.OptBool{Value: d.Detached, Set: d.Series != nil},
			SourceHost:     gen.OptionalString(d.SourceHost), ExternalURL: gen.OptionalString(d.ExternalURL),
		},
		Organizer:                     d.Organizer.NullAPI(),
		ParticipantCount:              int(d.ParticipantCount),
		SeatsLeft:                     gen.OptionalInt(d.SeatsLeft()),
		FeedContext:                   gen.FeedContext{ViewerGoing: d.viewer.Going, Reasons: []gen.FeedReason{}},
		ViewerParticipationStatus:     participationStatus(d.viewer.participation),
		ViewerParticipationVisibility: participationVisibility(d.viewer.visibility),
		ViewerInvitationStatus:        invitationStatus(d.viewer.Invitation),
		ViewerIsOrganizer:             d.viewer.Owns(),
		ViewerCanJoin:                 d.CanJoin(),
		SocialProof:                   d.socialProof(),
		ViewerPartySize:               gen.NullInt(d.viewer.party),
		WaitlistCount:                 int(d.Waiting),
		ViewerWaitlist:                waitlistEntry(d.viewer.entry),
		ViewerCanWait:                 d.CanWaitNow,
		Hosts:                         user.CachedAPI(d.Hosts),
		HostCount:                     d.HostCount,
		ViewerRole:                    viewerRole(d.viewer.Role),
		HasQuestions:                  d.HasQuestions,
		Group:                         d.GroupRef.nullable(),
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

func occurrenceAPI(local *string) (o gen.OptLocalDateTime) {
	if local != nil {
		o.SetTo(gen.LocalDateTime(*local))
	}
	return o
}

func waitlistEntry(w *WaitlistEntry) gen.NilWaitlistEntry {
	if w == nil {
		return gen.NilWaitlistEntry{Null: true}
	}
	return gen.NewNilWaitlistEntry(w.API())
}

func viewerRole(r access.Role) gen.NilViewerRole {
	if r == access.NoRole {
		return gen.NilViewerRole{Null: true}
	}
	return gen.NewNilViewerRole(gen.ViewerRole(r))
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

func (g *GroupRef) optional() (o gen.OptGroupReference) {
	if g != nil {
		o.SetTo(gen.GroupReference{ID: uuid.UUID(g.ID), Slug: g.Slug, Name: g.Name})
	}
	return o
}

func (g *GroupRef) nullable() gen.NilGroupReference {
	o := g.optional()
	return gen.NilGroupReference{Value: o.Value, Null: !o.Set}
}
