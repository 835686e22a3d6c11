package event

import (
	"time"

	"moothall/api/gen"
	"moothall/internal/access"
)

// optNil is the shape of a generated field that may be absent, null or a value.
type optNil[T any] interface {
	Get() (T, bool)
	IsSet() bool
}

func nullable[T any](o optNil[T]) Opt[T] {
	return Opt[T]{Sent: o.IsSet(), Value: pointer(o.Get())}
}

func integer(o gen.OptNilInt) Opt[int64] {
	in := Opt[int64]{Sent: o.Set}
	if n, ok := o.Get(); ok {
		in.Value = new(int64(n))
	}
	return in
}

// named is nullable for enums, whose generated and own types differ.
func named[T, G ~string](value G, sent bool) Opt[T] {
	return Opt[T]{Sent: sent, Value: pointer(T(value), sent)}
}

func present[T any](value T) Opt[T] { return Opt[T]{Sent: true, Value: &value} }

func createInput(r *gen.CreateEventRequest) Input {
	return Input{
		Title: present(r.Title), StartsAt: present(r.StartsAt),
		EndsAt: nullable[time.Time](r.EndsAt), Timezone: nullable[string](r.Timezone),
		Description: nullable[string](r.Description), Category: nullable[string](r.Category),
		Visibility: named[access.Visibility](r.Visibility.Get()), DateMode: named[string](r.DateMode.Get()), Price: named[string](r.Price.Get()),
		PriceAmount: integer(r.PriceAmount), PriceCurrency: nullable[string](r.PriceCurrency), Capacity: integer(r.Capacity),
		City: nullable[string](r.City), LocationText: nullable[string](r.LocationText),
		Lat: nullable[float64](r.Lat), Lng: nullable[float64](r.Lng),
		ImageURL: nullable[string](r.ImageURL), ConferenceURL: nullable[string](r.ConferenceURL),
	}
}

func updateInput(r *gen.UpdateEventRequest) Input {
	return Input{
		Title: nullable[string](r.Title), StartsAt: nullable[time.Time](r.StartsAt),
		EndsAt: nullable[time.Time](r.EndsAt), Timezone: nullable[string](r.Timezone),
		Description: nullable[string](r.Description), Category: nullable[string](r.Category),
		Visibility: named[access.Visibility](r.Visibility.Get()), DateMode: named[string](r.DateMode.Get()), Price: named[string](r.Price.Get()),
		PriceAmount: integer(r.PriceAmount), PriceCurrency: nullable[string](r.PriceCurrency), Capacity: integer(r.Capacity),
		City: nullable[string](r.City), LocationText: nullable[string](r.LocationText),
		Lat: nullable[float64](r.Lat), Lng: nullable[float64](r.Lng),
		ImageURL: nullable[string](r.ImageURL), ConferenceURL: nullable[string](r.ConferenceURL),
	}
}
