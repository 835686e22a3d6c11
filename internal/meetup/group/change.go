package group

import (
	"moothall/internal/core/access"
	"moothall/internal/domain"
	"moothall/internal/meetup/event"
	"moothall/internal/platform/text"
)

// Change is the body of a request that creates or changes a group. Nil fields were not sent.
type Change struct {
	Name        *string
	Slug        *string
	Description domain.Opt[string]
	City        domain.Opt[string]
	Lat, Lng    domain.Opt[float64]
	Visibility  *access.Visibility
	JoinPolicy  *string
	MemberList  *string
}

// create returns the fields of a new group, or all invalid fields in one error.
func (c Change) create() (Fields, error) {
	return c.update(Fields{Visibility: access.Public, JoinPolicy: JoinOpen, MemberList: ListMembers})
}

// update returns the fields of a changed group, or all invalid fields in one error.
func (c Change) update(f Fields) (Fields, error) {
	var wrong domain.Problems
	text.Clean(&wrong, "/name", &c.Name, text.Line(1, 80))
	text.Clean(&wrong, "/description", &c.Description.Value, text.Block(0, 5000))
	text.Clean(&wrong, "/city", &c.City.Value, text.Line(1, 200))
	c.Description.SetOrClear(&f.Description)
	c.City.SetOrClear(&f.City)
	c.Lat.SetOrClear(&f.Lat)
	c.Lng.SetOrClear(&f.Lng)
	setIf(&f.Name, c.Name)
	setIf(&f.Slug, c.Slug)
	setIf(&f.Visibility, c.Visibility)
	setIf(&f.JoinPolicy, c.JoinPolicy)
	setIf(&f.MemberList, c.MemberList)
	event.CheckPoint(&wrong, f.Lat, f.Lng)
	return f, wrong.Err()
}

func setIf[T any](to, value *T) {
	if value != nil {
		*to = *value
	}
}
