package web

import "moothall/internal/meet"

// optNil is the shape of a generated request field that may be absent, null
// or a value.
type optNil[T any] interface {
	Get() (T, bool)
	IsSet() bool
}

// Opt gives a generated request field as the rooms take it.
func Opt[T any](o optNil[T]) meet.Opt[T] {
	value, ok := o.Get()
	if !ok {
		return meet.Opt[T]{Sent: o.IsSet()}
	}
	return meet.Opt[T]{Sent: true, Value: &value}
}
