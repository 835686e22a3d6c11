package httpapi

import "moothall/internal/domain"

// optNil is the shape of a generated request field that may be absent, null
// or a value.
type optNil[T any] interface {
	Get() (T, bool)
	IsSet() bool
}

// Opt gives a generated request field as the rooms take it.
func Opt[T any](o optNil[T]) domain.Opt[T] {
	value, ok := o.Get()
	if !ok {
		return domain.Opt[T]{Sent: o.IsSet()}
	}
	return domain.Opt[T]{Sent: true, Value: &value}
}
