package event

import (
	"fmt"
	"time"

	"github.com/go-faster/jx"

	"moothall/api/gen"
	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// properties is an object of the contract whose type has a method Property.
type properties interface{ Property(name string) any }

// body is the Input of a request. It has the properties with the names of columns.
type body struct{ properties }

// InputOf returns the Input of an object of the contract that has properties with the names of columns.
func InputOf(object interface{ Property(name string) any }) Input { return body{object} }

// Apply implements Input.
func (b body) Apply(f *Fields) map[string]bool {
	sent := map[string]bool{}
	for _, c := range fieldColumns {
		sent[c.Column] = read(b.Property(c.Column), c.Var(f))
	}
	if p, is := b.Property(untitled).(*gen.OptBool); is {
		sent[untitled] = p.Value
	}
	return sent
}

// read sets a variable to the value of a property, and reports whether the property was
// sent.
func read(property, to any) bool {
	switch p := property.(type) {
	case nil: // the object has no such property
		return false
	case *string:
		*to.(*string) = *p
		return true
	case *time.Time:
		*to.(*time.Time) = *p
		return true
	case *gen.OptString:
		return set(to.(*string), p.Value, p.Set)
	case *gen.OptDateTime:
		return set(to.(*time.Time), p.Value, p.Set)
	case *gen.OptEventVisibility:
		return set(to.(*access.Visibility), access.Visibility(p.Value), p.Set)
	case *gen.OptEventDateMode:
		return set(to.(*string), string(p.Value), p.Set)
	case *gen.OptEventPrice:
		return set(to.(*string), string(p.Value), p.Set)
	case *gen.OptEventJoinPolicy:
		return set(to.(*string), string(p.Value), p.Set)
	case *gen.OptEventWaitlist:
		return set(to.(*string), string(p.Value), p.Set)
	case *gen.OptNilString:
		return httpapi.Opt[string](p).SetOrClear(to.(**string))
	case *gen.OptNilFloat64:
		return httpapi.Opt[float64](p).SetOrClear(to.(**float64))
	case *gen.OptNilDateTime:
		return httpapi.Opt[time.Time](p).SetOrClear(to.(**time.Time))
	case *gen.OptNilInt:
		n := domain.Opt[int64]{Sent: p.Set}
		if !p.Null {
			n.Value = new(int64(p.Value))
		}
		return n.SetOrClear(to.(**int64))
	case *gen.OptInt:
		return set(to.(*int64), int64(p.Value), p.Set)
	case *gen.OptNilUUID:
		id := domain.Opt[domain.GroupID]{Sent: p.Set}
		if p.Set && !p.Null {
			id.Value = new(domain.GroupID(p.Value))
		}
		return id.SetOrClear(to.(**domain.GroupID))
	case *jx.Raw: // the operation refuses it
		return *p != nil
	}
	panic(fmt.Sprintf("event: a request has a property of type %T: add it to read in internal/meetup/event/http_fields.go", property))
}

func set[T any](to *T, value T, sent bool) bool {
	if sent {
		*to = value
	}
	return sent
}

// write sets the properties of details to the fields of an event.
func write(details *gen.EventDetails, f *Fields) {
	for _, c := range fieldColumns {
		switch p := details.Property(c.Column).(type) {
		case nil: // group_id: the details have the group, if the viewer sees it
		case *string:
			*p = *c.Var(f).(*string)
		case *time.Time:
			*p = *c.Var(f).(*time.Time)
		case *gen.EventVisibility:
			*p = gen.EventVisibility(f.Visibility)
		case *gen.EventDateMode:
			*p = gen.EventDateMode(f.DateMode)
		case *gen.EventPrice:
			*p = gen.EventPrice(f.Price)
		case *gen.EventJoinPolicy:
			*p = gen.EventJoinPolicy(f.JoinPolicy)
		case *gen.EventWaitlist:
			*p = gen.EventWaitlist(f.Waitlist)
		case *int:
			*p = int(*c.Var(f).(*int64))
		case *gen.OptString:
			*p = gen.OptionalString(*c.Var(f).(**string))
		case *gen.NilString:
			*p = gen.NullString(*c.Var(f).(**string))
		case *gen.NilInt:
			*p = gen.NullInt(*c.Var(f).(**int64))
		case *gen.NilFloat64:
			*p = gen.NullFloat64(*c.Var(f).(**float64))
		case *gen.NilDateTime:
			*p = gen.NullDateTime(*c.Var(f).(**time.Time))
		default:
			panic(fmt.Sprintf("event: the details have %s of type %T: add it to write in internal/meetup/event/http_fields.go", c.Column, p))
		}
	}
}
