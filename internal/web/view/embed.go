package view

import "moothall/api/gen"

// EmbedData is what a page in a frame of another site shows.
type EmbedData struct {
	Cards []gen.EventCard
	All   string // address of all events; empty for a single event
}

// CardOf returns the card of an event, for an anonymous viewer.
func CardOf(d *gen.EventDetails) gen.EventCard {
	e := d.Event
	return gen.EventCard{
		Event: gen.EventCore{
			ID: e.ID, Title: e.Title, StartsAt: e.StartsAt, EndsAt: e.EndsAt, Timezone: e.Timezone, ImageURL: e.ImageURL, ImageAlt: e.ImageAlt,
			Status: e.Status, Category: e.Category, Price: e.Price, PriceAmount: e.PriceAmount, PriceCurrency: e.PriceCurrency,
			Visibility: e.Visibility, DateMode: e.DateMode, OrganizerID: e.OrganizerID, ShareURL: e.ShareURL,
			SourceHost: e.SourceHost, ExternalURL: e.ExternalURL,
		},
		Location:  gen.EventLocation{City: d.Location.City, Lat: d.Location.Lat, Lng: d.Location.Lng},
		Organizer: d.Organizer, ParticipantCount: d.ParticipantCount, SeatsLeft: d.SeatsLeft,
		Group: gen.OptGroupReference{Value: d.Group.Value, Set: !d.Group.Null},
	}
}
