package gen

import (
	"time"

	"github.com/google/uuid"
)

// Nullable response fields are made from pointers, because the zero value of a
// generated Nil type is not null.

// NullString is null for nil.
func NullString(p *string) NilString {
	if p == nil {
		return NilString{Null: true}
	}
	return NewNilString(*p)
}

// OptionalString is absent for nil.
func OptionalString(p *string) OptString {
	if p == nil {
		return OptString{}
	}
	return NewOptString(*p)
}

// OptionalFloat64 returns the value that a pointer points to, or none for nil.
func OptionalFloat64(p *float64) OptFloat64 {
	if p == nil {
		return OptFloat64{}
	}
	return NewOptFloat64(*p)
}

// OptionalInt is absent for nil.
func OptionalInt(p *int64) OptInt {
	if p == nil {
		return OptInt{}
	}
	return NewOptInt(int(*p))
}

// NullCursor is null for the empty cursor of a last page.
func NullCursor(next string) NilString { return NilString{Value: next, Null: next == ""} }

// NullTimeCursor is a cursor that is a date-time, with all its digits. It is null for nil.
func NullTimeCursor(next *time.Time) NilString {
	if next == nil {
		return NilString{Null: true}
	}
	return NewNilString(FormatTime(*next))
}

// NullInt is null for nil.
func NullInt(p *int64) NilInt {
	if p == nil {
		return NilInt{Null: true}
	}
	return NewNilInt(int(*p))
}

// NullFloat64 is null for nil.
func NullFloat64(p *float64) NilFloat64 {
	if p == nil {
		return NilFloat64{Null: true}
	}
	return NewNilFloat64(*p)
}

// NullDateTime is null for nil.
func NullDateTime(p *time.Time) NilDateTime {
	if p == nil {
		return NilDateTime{Null: true}
	}
	return NewNilDateTime(*p)
}

// NullUUID is null for nil.
func NullUUID[id ~[16]byte](p *id) NilUUID {
	if p == nil {
		return NilUUID{Null: true}
	}
	return NewNilUUID(uuid.UUID(*p))
}

// OptionalUUID is absent for nil.
func OptionalUUID[id ~[16]byte](p *id) OptUUID {
	if p == nil {
		return OptUUID{}
	}
	return NewOptUUID(uuid.UUID(*p))
}
