package gen

import "cmp"

// Property returns a pointer to the property of the event or its location that has a name,
// nil if there is none.
func (s *EventDetails) Property(name string) any {
	return cmp.Or(s.Event.Property(name), s.Location.Property(name))
}
