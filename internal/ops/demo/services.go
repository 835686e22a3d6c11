package demo

import (
	"bytes"
	"cmp"
	"context"
	"image"
	"image/png"
	"io"
	"time"

	"moothall/internal/core/access"
	"moothall/internal/core/address"
	"moothall/internal/core/notify"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/identity/relation"
	"moothall/internal/meetup/attendance"
	"moothall/internal/meetup/chat"
	"moothall/internal/meetup/datevote"
	"moothall/internal/meetup/event"
	"moothall/internal/meetup/group"
	"moothall/internal/meetup/guestmessage"
	"moothall/internal/meetup/host"
	"moothall/internal/meetup/media"
	"moothall/internal/meetup/post"
	"moothall/internal/meetup/question"
	"moothall/internal/meetup/review"
	"moothall/internal/meetup/series"
	"moothall/internal/platform/db"
	"moothall/internal/platform/picture"
	"moothall/internal/platform/recurrence"
)

// Services are the services that demo users call. They all read Clock.
type Services struct {
	DB            *db.DB
	Clock         *Clock
	Users         *user.Service
	Relations     *relation.Service
	Events        *event.Service
	Attendance    *attendance.Service
	Hosts         *host.Service
	Questions     *question.Service
	DateVotes     *datevote.Service
	Posts         *post.Service
	Messages      *guestmessage.Service
	Chats         *chat.Service
	Reviews       *review.Service
	Notifications *notify.Service
	Media         *media.Service
	Series        *series.Service
	Groups        *group.Service
}

func (p demoPerson) email() string { return p.username + "@example.org" }

// createAccount creates the account of user n, with its profile and portrait.
func (s Services) createAccount(ctx context.Context, n int, p demoPerson) error {
	email, err := user.ParseEmail(p.email())
	if err != nil {
		return err
	}
	err = s.DB.InTx(ctx, func(tx db.Tx) error {
		_, err := s.Users.FindOrCreateVerified(domain.WithID(ctx, userID(n)), tx, &email, p.displayName, s.Clock.Now())
		return err
	})
	if err != nil {
		return err
	}
	profile := user.Change{DisplayName: &p.displayName, Username: &p.username, City: some(demoCity), Interests: &[]string{p.interest}}
	if _, err := s.Users.Update(ctx, viewer(n), profile); err != nil {
		return err
	}
	portrait, err := upload(picture.DrawPortrait(uint64(n), 320))
	if err == nil {
		_, err = s.Media.SetAvatar(ctx, viewer(n), portrait)
	}
	return err
}

// createEvent creates an event with its dates to vote on, and publishes it unless it stays a draft. firstOption is the
// number of the first date. Two thirds of the events have a cover.
func (s Services) createEvent(ctx context.Context, e scheduled, firstOption int) error {
	v := viewer(e.by)
	if _, err := s.Events.Create(address.WithCode(domain.WithID(ctx, e.id()), eventCode(e.n)), v, e.input()); err != nil {
		return err
	}
	for i := range e.options {
		end := e.end().AddDate(0, 0, i)
		option := datevote.Input{StartsAt: e.start.AddDate(0, 0, i), EndsAt: &end}
		if _, err := s.DateVotes.Add(domain.WithID(ctx, optionID(firstOption+i)), v, e.id(), option); err != nil {
			return err
		}
	}
	if e.n%3 != 2 {
		cover, err := upload(picture.DrawCover(uint64(e.n), e.category, 960, 412))
		if err != nil {
			return err
		}
		if _, _, err := s.Media.SetCover(ctx, v, e.id(), "", cover); err != nil {
			return err
		}
	}
	if e.draft {
		return nil
	}
	if len(e.meals) > 0 {
		asked := question.Question{Kind: question.Choice, Label: "What do you eat?", Options: e.meals, Required: true, AppliesTo: question.Guest}
		if _, err := s.Questions.Set(ctx, v, e.id(), []question.Question{asked}); err != nil {
			return err
		}
	}
	_, err := s.Events.Publish(ctx, v, e.id())
	return err
}

func (e scheduled) input() event.Fields {
	lat, lng := fromCentre(e.north, e.east)
	in := event.Fields{
		Title: e.title, Description: &e.about, Category: &e.category,
		StartsAt: e.start, EndsAt: new(e.end()), Timezone: berlin().String(),
		City: new(cmp.Or(e.city, demoCity)), LocationText: &e.place, Lat: &lat, Lng: &lng,
	}
	if e.capacity > 0 {
		in.Capacity = new(int64(e.capacity))
		in.MaxPartySize = int64(max(e.maxParty, 1))
		if len(e.waiting) > 0 {
			in.Waitlist = event.WaitlistAutomatic
		}
	}
	if len(e.asking) > 0 {
		in.JoinPolicy = event.JoinApproval
	}
	if e.price > 0 {
		in.Price, in.PriceAmount, in.PriceCurrency = event.Paid, &e.price, new("EUR")
	}
	if e.private {
		in.Visibility = access.Private
	}
	if e.options > 0 {
		in.DateMode = event.DateVote
	}
	return in
}

// some returns the value of a field that was sent.
func some[T any](value T) domain.Opt[T] { return domain.Opt[T]{Sent: true, Value: &value} }

// upload encodes a picture in the format that is encoded fastest.
func upload(drawn image.Image) (media.Upload, error) {
	var file bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.NoCompression}
	err := encoder.Encode(&file, drawn)
	return media.Upload{Data: io.NewSectionReader(bytes.NewReader(file.Bytes()), 0, int64(file.Len())), Type: "image/png"}, err
}

func (s Services) joinEvent(ctx context.Context, e scheduled, g guest) error {
	visibility := attendance.Public
	if g.incognito {
		visibility = attendance.Incognito
	}
	terms := attendance.Terms{Visibility: visibility}
	if len(e.meals) > 0 {
		asked, err := s.Questions.List(ctx, viewer(g.user), e.id())
		if err != nil {
			return err
		}
		terms.Answers = []question.Answer{{QuestionID: asked[0].ID, Type: question.String, Values: []string{e.meals[g.user%len(e.meals)]}}}
	}
	_, err := s.Attendance.Join(ctx, viewer(g.user), e.id(), terms)
	return err
}

// approve approves all who have asked to join.
func (s Services) approve(ctx context.Context, e scheduled) error {
	_, _, err := s.Attendance.ApproveAll(ctx, viewer(e.by), e.id())
	return err
}

func (s Services) wait(ctx context.Context, e scheduled, n int) error {
	_, err := s.Attendance.EnterWaitlist(ctx, viewer(n), e.id(), attendance.Terms{Party: int64(max(e.maxParty, 1))})
	return err
}

// share makes a user a host.
func (s Services) share(ctx context.Context, e scheduled, n int) error {
	if _, err := s.Hosts.Invite(ctx, viewer(e.by), e.id(), userID(n)); err != nil {
		return err
	}
	_, err := s.Hosts.Accept(ctx, viewer(n), e.id(), userID(n))
	return err
}

// message writes to those who go to an event.
func (s Services) message(ctx context.Context, e scheduled, body string) error {
	_, err := s.Messages.Send(ctx, viewer(e.by), e.id(), access.AudienceGoing, body)
	return err
}

func (s Services) invite(ctx context.Context, e scheduled, n int) error {
	if n == anna {
		ctx = domain.WithID(ctx, invitationID())
	}
	email := people[n].email()
	_, err := s.Attendance.Invite(ctx, viewer(e.by), e.id(), attendance.Invitee{Email: &email})
	return err
}

// inviteByLink makes an invitation link, and some people use it.
func (s Services) inviteByLink(ctx context.Context, e scheduled) error {
	l, err := s.Attendance.CreateInviteLink(domain.WithID(ctx, inviteLinkID()), viewer(e.by), e.id(),
		attendance.InviteLinkLimits{MaxUses: &e.link})
	for _, n := range e.linked {
		if err == nil {
			_, err = s.Attendance.AcceptInviteLink(ctx, viewer(n), s.Attendance.InviteToken(l.ID), attendance.RSVP{Status: access.Accepted})
		}
	}
	return err
}

func (s Services) writePost(ctx context.Context, e scheduled, n int, p demoPost) error {
	kind := post.Plain
	if p.announcement {
		kind = post.Announcement
	}
	_, err := s.Posts.Write(domain.WithID(ctx, postID(e.n, n)), viewer(e.by), e.id(), kind, p.body)
	return err
}

func (s Services) like(ctx context.Context, e scheduled, n, by int) error {
	_, err := s.Posts.Like(ctx, viewer(by), e.id(), postID(e.n, n))
	return err
}

func (s Services) repost(ctx context.Context, e scheduled, n, by int) error {
	_, err := s.Posts.Repost(ctx, viewer(by), e.id(), postID(e.n, n))
	return err
}

// comment adds comment n to a post.
func (s Services) comment(ctx context.Context, e scheduled, to, n int, c demoComment) error {
	reply := post.Reply{Body: c.body}
	if c.reply {
		previous := commentID(e.n, n-1)
		reply.Parent = &previous
	}
	_, err := s.Posts.Comment(domain.WithID(ctx, commentID(e.n, n)), viewer(c.by), e.id(), postID(e.n, to), reply)
	return err
}

func (s Services) writeReview(ctx context.Context, e scheduled, author int, r demoReview) error {
	draft := review.Draft{Rating: r.rating}
	if r.body != "" {
		draft.Body = &r.body
	}
	_, err := s.Reviews.Write(ctx, viewer(author), e.id(), draft)
	return err
}

// createSeries creates the reading circle of Anna, on the weekday of its first date, and some people join it.
func (s Services) createSeries(ctx context.Context, start time.Time) error {
	d := readingCircle
	lat, lng := fromCentre(d.north, d.east)
	fields := event.Fields{Title: d.title, Description: &d.about, Category: &d.category, City: some(demoCity).Value, LocationText: &d.place,
		Lat: &lat, Lng: &lng, Capacity: new(int64(d.capacity)), Group: new(groupID())}
	_, err := s.Series.Create(domain.WithID(ctx, seriesID()), viewer(d.by), series.New{Rule: "FREQ=WEEKLY",
		StartsAt: start.Format(recurrence.Layout), Timezone: berlin().String(), Minutes: new(int64(120)), Publish: series.Automatic,
		Horizon: 56, Template: fields})
	for _, n := range d.going {
		if err == nil {
			_, err = s.Series.Join(ctx, viewer(n), seriesID(), series.Terms{Visibility: attendance.Public})
		}
	}
	return err
}

// createGroup creates the group of Anna, to which her series belongs. Ben hosts it with her.
func (s Services) createGroup(ctx context.Context) error {
	lat, lng := fromCentre(0.5, 1.1)
	_, err := s.Groups.Create(domain.WithID(ctx, groupID()), viewer(anna), group.Change{
		Name:        new("Readers of Berlin"),
		Description: some("One book a month, one evening a week. Read it all, some of it, or just come to listen."),
		City:        some(demoCity), Lat: some(lat), Lng: some(lng), MemberList: new(group.ListPublic),
	})
	for n := ben; err == nil && n < len(demoPeople); n++ {
		_, err = s.Groups.Join(ctx, viewer(n), groupID(), "")
	}
	if err == nil {
		_, err = s.Groups.SetMember(ctx, viewer(anna), groupID(), userID(ben), group.MemberChange{Role: access.Host})
	}
	return err
}

// readNotifications marks the notifications of all users as read.
func (s Services) readNotifications(ctx context.Context) error {
	for n := range people {
		if _, err := s.Notifications.ReadAll(ctx, viewer(n)); err != nil {
			return err
		}
	}
	return nil
}
