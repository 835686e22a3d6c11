package moothall

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// set puts the values of a parameter into a query or a header, unless it is zero or nil.
func set[T any](target map[string][]string, name string, value T) {
	switch v := any(value).(type) {
	case []string:
		if len(v) > 0 {
			target[name] = v
		}
		return
	case time.Time:
		if !v.IsZero() {
			target[name] = []string{v.UTC().Format(time.RFC3339Nano)}
		}
		return
	case *float64:
		if v != nil {
			target[name] = []string{fmt.Sprint(*v)}
		}
		return
	}
	if v := reflect.ValueOf(value); !v.IsZero() { // a string, a number or a bool
		target[name] = []string{fmt.Sprint(value)}
	}
}

// Nullable is a field of a PATCH. An absent field changes nothing, and null clears the stored value. The zero value is absent;
// Set and Null return the others.
type Nullable[T any] struct {
	present bool
	value   *T
}

// Set returns a field with a value.
func Set[T any](value T) Nullable[T] { return Nullable[T]{true, &value} }

// Null returns a field that is null.
func Null[T any]() Nullable[T] { return Nullable[T]{present: true} }

// IsZero reports whether the field is absent.
func (n Nullable[T]) IsZero() bool { return !n.present }

// MarshalJSON implements json.Marshaler.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }
