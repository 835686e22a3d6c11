package view

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"time"

	"moothall/api/gen"
)

// MyEventsData is what the home of the viewer shows.
type MyEventsData struct {
	Role  gen.MyEventsRole // "": coming events, attended or organized
	Lists map[gen.MyEventsRole]EventList

	Series     []gen.EventSeries // that the viewer organizes, with the role hosting
	MoreSeries string            // the address of further ones; empty: none
}

// myRoles are the roles that the page offers.
var myRoles = []gen.MyEventsRole{"", gen.MyEventsRoleHosting, gen.MyEventsRoleDraft, gen.MyEventsRoleInvited, gen.MyEventsRoleWaiting,
	gen.MyEventsRolePast}

// IsMyRole reports whether the page can show the events of a role.
func IsMyRole(role gen.MyEventsRole) bool {
	return role == gen.MyEventsRoleGoing || slices.Contains(myRoles, role)
}

func myEventsURL(role gen.MyEventsRole) string {
	if role == "" {
		return "/my"
	}
	return "/my?" + url.Values{"role": {string(role)}}.Encode()
}

// badge counts the events that wait for the viewer; "" if there are none.
func (d MyEventsData) badge(role gen.MyEventsRole) string {
	if role != gen.MyEventsRoleDraft && role != gen.MyEventsRoleInvited || d.Role == role {
		return ""
	}
	list := d.Lists[role]
	switch count := len(list.Cards); {
	case count == 0:
		return ""
	case list.More != "":
		return strconv.Itoa(count) + "+"
	default:
		return strconv.Itoa(count)
	}
}

// events are the events of the chosen role. The coming ones are those of two lists, up to the last one of a list that goes on.
func (d MyEventsData) events() []gen.EventCard {
	if d.Role != "" {
		return d.Lists[d.Role].Cards
	}
	var all []gen.EventCard
	until := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, role := range []gen.MyEventsRole{gen.MyEventsRoleGoing, gen.MyEventsRoleHosting} {
		list := d.Lists[role]
		all = append(all, list.Cards...)
		if last := len(list.Cards) - 1; list.More != "" && list.Cards[last].Event.StartsAt.Before(until) {
			until = list.Cards[last].Event.StartsAt
		}
	}
	slices.SortFunc(all, func(a, b gen.EventCard) int {
		return cmp.Or(a.Event.StartsAt.Compare(b.Event.StartsAt), slices.Compare(a.Event.ID[:], b.Event.ID[:]))
	})
	all = slices.CompactFunc(all, func(a, b gen.EventCard) bool { return a.Event.ID == b.Event.ID })
	return slices.DeleteFunc(all, func(c gen.EventCard) bool { return c.Event.StartsAt.After(until) })
}

// more is the address of further events; "" if there are none.
func (d MyEventsData) more() string {
	switch {
	case d.Role != "":
		return d.Lists[d.Role].More
	case d.Lists[gen.MyEventsRoleGoing].More != "":
		return myEventsURL(gen.MyEventsRoleGoing)
	case d.Lists[gen.MyEventsRoleHosting].More != "":
		return myEventsURL(gen.MyEventsRoleHosting)
	}
	return ""
}

// name returns the text of a role.
func (d MyEventsData) name(p *Page, role gen.MyEventsRole) string {
	return p.T("my." + cmp.Or(string(role), "coming"))
}

// ChatsData is what the list of chats shows.
type ChatsData struct {
	Items     []gen.ChatItem
	More      string // address of older chats; "" if there are none
	Continues bool   // the list begins after the newest chats
}

// maxUnread is the number that means so many unread messages or more.
const maxUnread = 100

// unreadIn returns how many messages of a chat are unread; "" if none are.
func (p *Page) unreadIn(c gen.ChatItem) string {
	switch {
	case c.UnreadCount == 0:
		return ""
	case c.UnreadCount >= maxUnread:
		return p.Number(maxUnread-1) + "+"
	}
	return p.Number(c.UnreadCount)
}
