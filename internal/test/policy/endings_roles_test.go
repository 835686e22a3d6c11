package policy

import "moothall/internal/test/apptest"

// hosting makes bob a host of an event of ann.
func hosting(p *trial) {
	private(p)
	askHost(p).Want(200)
	acceptHost(p).Want(200)
}

func askedHost(p *trial) { private(p); askHost(p).Want(200) }

func askHost(p *trial) *apptest.Reply {
	return p.ann.On(p.round+1).Post(p.event()+"/hosts", apptest.Fields{"user_id": p.bob.UserID})
}

func acceptHost(p *trial) *apptest.Reply {
	return p.bob.On(p.round).Patch(p.event()+"/hosts/"+p.bob.UserID, apptest.Fields{"status": "active"})
}

// The requests about the hosts of an event.
var (
	removing = act{"removal of a host", "ann", hosting, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round).Delete(p.event() + "/hosts/" + p.bob.UserID)
	}, "host.set_status"}
	handingOver = act{"transfer", "ann", hosting, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round).Post(p.event()+"/transfer", apptest.Fields{"user_id": p.bob.UserID})
	}, "host.put_former"}
	askingHost    = act{"invitation of a host", "ann", private, askHost, "host.invite"}
	acceptingHost = act{"new host", "bob", askedHost, acceptHost, "host.set_status"}
	editing       = act{"change of an event", "bob", hosting, func(p *trial) *apptest.Reply {
		return p.bob.On(p.round+1).Patch(p.event(), apptest.Fields{"description": "Bring tea"})
	}, "event.update"}
	announcing = act{"post", "bob", hosting, func(p *trial) *apptest.Reply {
		return p.bob.On(p.round+1).Post(p.event()+"/posts", apptest.Fields{"body": "News"})
	}, "post.insert"}
	askingThird = act{"invitation of a third", "ann", func(p *trial) { hosting(p); p.ids["third"] = p.a.As("third").UserID },
		func(p *trial) *apptest.Reply {
			return p.ann.On(p.round+1).Post(p.event()+"/hosts", apptest.Fields{"user_id": p.ids["third"]})
		}, "host.invite"}
)

// club creates a group of ann, once.
func club(p *trial) {
	if p.ids["group"] == "" {
		p.ids["group"] = p.ann.Post("/groups", apptest.Fields{"name": "Club"}).Want(201).Text("id")
	}
}

func (p *trial) group() string { return "/groups/" + p.ids["group"] }

func joinGroup(p *trial) *apptest.Reply {
	return p.bob.On(p.round+1).Post(p.group()+"/membership", nil)
}

// member makes bob a member of a group of ann that has an event for members.
func member(p *trial) {
	club(p)
	joinGroup(p).Want(200)
	p.ids["event"] = p.ann.Publish(apptest.Fields{"visibility": "members", "group_id": p.ids["group"]})
}

// asksGroup lets bob ask to join a group of ann.
func asksGroup(p *trial) {
	club(p)
	p.ann.Patch(p.group(), apptest.Fields{"join_policy": "approval"}).Want(200)
	joinGroup(p).Want(200)
}

// hostsGroup makes bob a host of a group of ann.
func hostsGroup(p *trial) {
	club(p)
	joinGroup(p).Want(200)
	p.ann.Patch(p.group()+"/members/"+p.bob.UserID, apptest.Fields{"role": "host"}).Want(200)
}

func (p *trial) membership() string { return p.group() + "/members/" + p.bob.UserID }

// The requests about groups of ann.
var (
	banning = act{"ban", "ann", member, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round).Patch(p.membership(), apptest.Fields{"status": "banned"})
	}, "group.put_member"}
	joiningMembers = act{"join for members", "bob", nil, func(p *trial) *apptest.Reply { return p.bob.Post(p.event()+"/join", nil) },
		"attendance.join"}
	joiningGroup  = act{"new member", "bob", club, joinGroup, "group.put_member"}
	approvingInto = act{"approval of a member", "ann", asksGroup, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Patch(p.membership(), apptest.Fields{"status": "active"})
	}, "group.put_member"}
	invitingInto = act{"invitation of a member", "ann", club, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Post(p.group()+"/invitations", apptest.Fields{"user_id": p.bob.UserID})
	}, "group.put_member"}
	founding = act{"group", "ann", nil, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Post("/groups", apptest.Fields{"name": "Club"})
	}, "group.insert"}
	handingGroup = act{"transfer of a group", "ann", hostsGroup, func(p *trial) *apptest.Reply {
		return p.ann.On(p.round+1).Post(p.group()+"/transfer", apptest.Fields{"user_id": p.bob.UserID})
	}, "group.set_owner"}
)

// The rows that rules forbid.
