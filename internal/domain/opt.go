package domain

// Opt is one field of a PATCH: absent, null or a value (contract §0).
type Opt[T any] struct {
	Sent  bool
	Value *T // nil when null was sent, or nothing
}

// Set lays a value over what stands and reports whether there was one; null
// and absence leave it as it is.
func (o Opt[T]) Set(to *T) bool {
	if !o.Sent || o.Value == nil {
		return false
	}
	*to = *o.Value
	return true
}

// SetOrClear lays a value or null over what stands and reports whether either
// was sent.
func (o Opt[T]) SetOrClear(to **T) bool {
	if o.Sent {
		*to = o.Value
	}
	return o.Sent
}
