package event

import (
	"time"

	"moothall/api/gen"
	"moothall/internal/access"
	"moothall/internal/meet"
	"moothall/internal/web"
)

func integer(o gen.OptNilInt) meet.Opt[int64] {
	in := meet.Opt[int64]{Sent: o.Set}
	if n, ok := o.Get(); ok {
		in.Value = new(int64(n))
	}
	return in
}

// named is nullable for enums, whose generated and own types differ.
func named[T, G ~string](value G, sent bool) meet.Opt[T] {
	return meet.Opt[T]{Sent: sent, Value: pointer(T(value), sent)}
}

func present[T any](value T) meet.Opt[T] { return meet.Opt[T]{Sent: true, Value: &value} }

func createInput(r *gen.CreateEventRequest) Input {
	return Input{
		Title: present(r.Title), StartsAt: present(r.StartsAt),
		EndsAt: web.Opt[time.Time](r.EndsAt), Timezone: web.Opt[string](r.Timezone),
		Description: web.Opt[string](r.Description), Category: web.Opt[string](r.Category),
		Visibility: named[access.Visibility](r.Visibility.Get()), DateMode: named[string](r.DateMode.Get()), Price: named[string](r.Price.Get()),
		PriceAmount: integer(r.PriceAmount), PriceCurrency: web.Opt[string](r.PriceCurrency), Capacity: integer(r.Capacity),
		City: web.Opt[string](r.City), LocationText: web.Opt[string](r.LocationText),
		Lat: web.Opt[float64](r.Lat), Lng: web.Opt[float64](r.Lng),
		ImageURL: web.Opt[string](r.ImageURL), ConferenceURL: web.Opt[string](r.ConferenceURL),
	}
}

func updateInput(r *gen.UpdateEventRequest) Input {
	return Input{
		Title: web.Opt[string](r.Title), StartsAt: web.Opt[time.Time](r.StartsAt),
		EndsAt: web.Opt[time.Time](r.EndsAt), Timezone: web.Opt[string](r.Timezone),
		Description: web.Opt[string](r.Description), Category: web.Opt[string](r.Category),
		Visibility: named[access.Visibility](r.Visibility.Get()), DateMode: named[string](r.DateMode.Get()), Price: named[string](r.Price.Get()),
		PriceAmount: integer(r.PriceAmount), PriceCurrency: web.Opt[string](r.PriceCurrency), Capacity: integer(r.Capacity),
		City: web.Opt[string](r.City), LocationText: web.Opt[string](r.LocationText),
		Lat: web.Opt[float64](r.Lat), Lng: web.Opt[float64](r.Lng),
		ImageURL: web.Opt[string](r.ImageURL), ConferenceURL: web.Opt[string](r.ConferenceURL),
	}
}
