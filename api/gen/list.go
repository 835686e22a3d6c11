package gen

import "github.com/go-faster/jx"

// List has the items of a response in two forms, which say the same: features that keep items encoded copy them into
// responses, and calls get values. Only the form that is needed is made. The zero List is empty.
type List[T any] struct {
	n      int
	encode func(e *jx.Encoder, i int)
	value  func(i int) T
}

// NewList returns a list of n items. encode writes the fields of the item with an index, and value returns it.
func NewList[T any](n int, encode func(e *jx.Encoder, i int), value func(i int) T) List[T] {
	return List[T]{n, encode, value}
}

// Encode writes the items as an array of objects.
func (l List[T]) Encode(e *jx.Encoder) {
	e.ArrStart()
	for i := range l.n {
		e.ObjStart()
		l.encode(e, i)
		e.ObjEnd()
	}
	e.ArrEnd()
}

// Len returns the number of items.
func (l List[T]) Len() int { return l.n }

// Values returns the items.
func (l List[T]) Values() []T {
	items := make([]T, l.n)
	for i := range items {
		items[i] = l.value(i)
	}
	return items
}
