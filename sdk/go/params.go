package moothall

import (
	"encoding/json"
	"fmt"
	"time"
)

// set adds the values of a parameter to a query or a header, unless it is zero or nil.
func set[T any](target map[string][]string, name string, value T) {
	var values []string
	switch v := any(value).(type) {
	case string:
		values = []string{v}
	case []string:
		values = v
	case time.Time:
		if !v.IsZero() {
			values = []string{v.UTC().Format(time.RFC3339Nano)}
		}
	case *float64:
		if v != nil {
			values = []string{fmt.Sprint(*v)}
		}
	case int:
		if v != 0 {
			values = []string{fmt.Sprint(v)}
		}
	case bool:
		if v {
			values = []string{"true"}
		}
	default: // the named strings of the contract
		values = []string{fmt.Sprint(v)}
	}
	for _, text := range values {
		if text != "" {
			target[name] = append(target[name], text)
		}
	}
}

// Ptr returns a pointer to a value, for optional fields.
func Ptr[T any](value T) *T { return &value }

// Nullable is a field of a PATCH, of which absent and null differ: absent changes nothing, null clears it. The zero value is
// absent; Set and Null return the others.
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
