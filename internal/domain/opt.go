package domain

// Opt is a field of a PATCH request: absent, null or a value (contract §0).
type Opt[T any] struct {
	Sent  bool
	Value *T // nil if the field is null or absent
}

// Set assigns the value, if there is one, and reports whether there was. Null and
// absence change nothing.
func (o Opt[T]) Set(to *T) bool {
	if !o.Sent || o.Value == nil {
		return false
	}
	*to = *o.Value
	return true
}

// SetOrClear assigns the value, or nil for null, and reports whether the field was
// sent.
func (o Opt[T]) SetOrClear(to **T) bool {
	if o.Sent {
		*to = o.Value
	}
	return o.Sent
}
