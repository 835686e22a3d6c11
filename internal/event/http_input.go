package event

import (
	"time"

	"moothall/api/gen"
	"moothall/internal/access"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

func integer(o gen.OptNilInt) domain.Opt[int64] {
	in := domain.Opt[int64]{Sent: o.Set}
	if n, ok := o.Get(); ok {
		in.Value = new(int64(n))
	}
	return in
}

// named is nullable for enums, whose generated and own types differ.
func named[T, G ~string](value G, sent bool) domain.Opt[T] {
	return domain.Opt[T]{Sent: sent, Value: pointer(T(value), sent)}
}

func present[T any](value T) domain.Opt[T] { return domain.Opt[T]{Sent: true, Value: &value} }

func createInput(r *gen.CreateEventRequest) Input {
	return Input{
		Title: present(r.Title), StartsAt: present(r.StartsAt),
		EndsAt: httpapi.Opt[time.Time](r.EndsAt), Timezone: httpapi.Opt[string](r.Timezone),
		Description: httpapi.Opt[string](r.Description), Category: httpapi.Opt[string](r.Category),
		Visibility: named[access.Visibility](r.Visibility.Get()), DateMode: named[string](r.DateMode.Get()), Price: named[string](r.Price.Get()),
		PriceAmount: integer(r.PriceAmount), PriceCurrency: httpapi.Opt[string](r.PriceCurrency), Capacity: integer(r.Capacity),
		City: httpapi.Opt[string](r.City), LocationText: httpapi.Opt[string](r.LocationText),
		Lat: httpapi.Opt[float64](r.Lat), Lng: httpapi.Opt[float64](r.Lng),
		ImageURL: httpapi.Opt[string](r.ImageURL), ConferenceURL: httpapi.Opt[string](r.ConferenceURL),
	}
}

func updateInput(r *gen.UpdateEventRequest) Input {
	return Input{
		Title: httpapi.Opt[string](r.Title), StartsAt: httpapi.Opt[time.Time](r.StartsAt),
		EndsAt: httpapi.Opt[time.Time](r.EndsAt), Timezone: httpapi.Opt[string](r.Timezone),
		Description: httpapi.Opt[string](r.Description), Category: httpapi.Opt[string](r.Category),
		Visibility: named[access.Visibility](r.Visibility.Get()), DateMode: named[string](r.DateMode.Get()), Price: named[string](r.Price.Get()),
		PriceAmount: integer(r.PriceAmount), PriceCurrency: httpapi.Opt[string](r.PriceCurrency), Capacity: integer(r.Capacity),
		City: httpapi.Opt[string](r.City), LocationText: httpapi.Opt[string](r.LocationText),
		Lat: httpapi.Opt[float64](r.Lat), Lng: httpapi.Opt[float64](r.Lng),
		ImageURL: httpapi.Opt[string](r.ImageURL), ConferenceURL: httpapi.Opt[string](r.ConferenceURL),
	}
}
