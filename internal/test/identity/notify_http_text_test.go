package identity_test

import (
	"cmp"
	"maps"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"moothall/api/gen"
	"moothall/internal/core/notify"
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

func TestLanguageFollowsAcceptLanguage(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	ann := a.As("ann")
	put(t, a, reports(userID(t, ann), "1")...)
	id := ids(ann.Get("/notifications"))[0]
	for _, c := range []struct{ accepted, want string }{
		{"", "en"}, {"en", "en"}, {"en-GB", "en"}, {"ru", "ru"}, {"ru-RU", "ru"}, {"RU-ru, en;q=0.5", "ru"},
		{"en;q=0.5, ru;q=0.9", "ru"}, {"en, ru", "en"}, {"ru;q=0, en", "en"}, {"ru;q=0", "en"},
		{"de", "de"}, {"fr, ru;q=0.3", "ru"}, {"de-AT, fr;q=0.9, *;q=0.1", "de"}, {"fr", "en"}, {"*", "en"},
		{"uk", "en"}, {"be, kk;q=0.9", "en"}, {"uk, ru;q=0.5", "ru"}, // relatives of Russian
		{"x;q=9,,;", "en"}, {"ru;q=nonsense", "en"}, {strings.Repeat("ru,", 400), "en"}, {strings.Repeat("a-", 300), "en"}, {"\xff", "en"},
	} {
		reader := ann.With("Accept-Language", c.accepted)
		for _, r := range []*apptest.Reply{reader.Get("/notifications").Want(200), reader.Post("/notifications/"+id+"/read", nil).Want(200)} {
			if got := r.Header.Get("Content-Language"); got != c.want || !strings.Contains(strings.Join(r.Header.Values("Vary"), ","),
				"Accept-Language") {
				t.Errorf("%q: response in %q, Vary %q", c.accepted, got, r.Header.Values("Vary"))
			}
			if russian := strings.Contains(string(r.Body), "жалоба"); russian != (c.want == "ru") {
				t.Errorf("%q: %s", c.accepted, r.Body)
			}
		}
	}
}

// olgasEvent publishes an event with an organizer called Olga.
func olgasEvent(t *testing.T, a *apptest.App, changes map[string]any) (organizer *apptest.Client, id domain.EventID) {
	t.Helper()
	organizer = a.As("org")
	organizer.Patch("/me/profile", map[string]any{"display_name": "Olga"}).Want(200)
	body := map[string]any{"title": "Go", "starts_at": "2026-06-05T16:00:00Z", "timezone": "Europe/Moscow", "location_text": "At the fountain"}
	maps.Copy(body, changes)
	id, err := domain.ParseID[domain.EventKind](organizer.Publish(body))
	if err != nil {
		t.Fatal(err)
	}
	return organizer, id
}

const post = "018f4c3e-0000-7000-8000-000000000001"

var (
	postStmt = db.SQL("test.post", `
		INSERT INTO posts (id, event_id, seq, author_id, kind, body, like_count, repost_count, comment_count, last_comment, commented_at,
			created_at, updated_at)
		VALUES ($1, $2, 1, $3, 'post', 'Bring a board', $4, $4, 1, 1, 0, 0, 0)
		ON CONFLICT (id) DO UPDATE SET like_count = excluded.like_count, repost_count = excluded.repost_count`)
	slotStmt = db.SQL("test.slot", `
		INSERT INTO event_slots (event_id, slot, n) VALUES ($1, 0, $2) ON CONFLICT (event_id, slot) DO UPDATE SET n = excluded.n`)
	reviewStmt = db.SQL("test.review", `
		INSERT INTO reviews (event_id, author_id, id, rating, created_at, updated_at) VALUES ($1, $2, $3, $4, 0, 0)
		ON CONFLICT (event_id, author_id) DO UPDATE SET rating = excluded.rating`)
)

func run(t *testing.T, a *apptest.App, s *db.Stmt, args ...any) {
	t.Helper()
	if _, err := a.DB.Exec(t.Context(), s, args...); err != nil {
		t.Fatal(err)
	}
}

// TestEveryKindIsRendered reads one notification of each kind of the contract in both
// languages.
func TestEveryKindIsRendered(t *testing.T) {
	const when, inRussian = "5 June 2026, 19:00 (Europe/Moscow), At the fountain", "5 июня 2026, 19:00 (Europe/Moscow), At the fountain"
	texts := map[notify.Kind]struct{ english, russian, body, inRussian, href string }{
		notify.EventInvitation:         {"Olga invites you to Go", "Olga приглашает вас на встречу «Go»", when, inRussian, "/events/{event}"},
		notify.EventInvitationResponse: {"Olga may come to Go", "Olga, возможно, придёт на встречу «Go»", "", "", "/events/{event}"},
		notify.EventJoined: {"Olga is coming to Go", "Olga идёт на встречу «Go»", "2 people are going.", "Идут 2 человека.",
			"/events/{event}"},
		notify.FollowedUserGoing: {"Olga is going to Go", "Olga собирается на встречу «Go»", when, inRussian, "/events/{event}"},
		notify.FollowedUserEvent: {"Olga invites everybody to Go", "Olga приглашает всех на встречу «Go»", when, inRussian,
			"/events/{event}"},
		notify.EventUpdated:  {"Go has a new time or place", "Новое время или место встречи «Go»", when, inRussian, "/events/{event}"},
		notify.EventCanceled: {"Go is canceled", "Встреча «Go» отменена", "", "", "/events/{event}"},
		notify.EventCompleted: {"How was Go? Write a review", "Как прошла встреча «Go»? Напишите отзыв", "2 people took part.",
			"Участвовали 2 человека.", "/events/{event}/reviews"},
		notify.EventDateOptionAdded: {"Another date to vote for: Go", "Ещё одна дата для голосования: встреча «Go»", "", "", "/events/{event}"},
		notify.EventDateSelected:    {"The date is set: Go", "Выбрана дата встречи «Go»", when, inRussian, "/events/{event}"},
		notify.EventAnnouncement: {"Announcement about Go", "Объявление о встрече «Go»", "Bring a board", "Bring a board",
			"/events/{event}/posts"},
		notify.EventPost: {"Olga writes about Go", "Olga пишет о встрече «Go»", "Bring a board", "Bring a board",
			"/events/{event}/posts"},
		notify.PostCommented: {"Olga comments on your post about Go", "Olga комментирует ваш пост о встрече «Go»", "Bring a board",
			"Bring a board", "/events/{event}/posts#" + post},
		notify.CommentReplied: {"Olga replies to your comment on Go", "Olga отвечает на ваш комментарий о встрече «Go»", "Bring a board",
			"Bring a board", "/events/{event}/posts#" + post},
		notify.PostLiked: {"Olga likes your post about Go", "Olga ставит «Нравится» вашему посту о встрече «Go»", "Bring a board",
			"Bring a board", "/events/{event}/posts"},
		notify.PostReposted: {"Olga reposts your post about Go", "Olga делится вашим постом о встрече «Go»", "Bring a board",
			"Bring a board", "/events/{event}/posts"},
		notify.UserFollowed: {"Olga follows you now", "Olga теперь среди ваших подписчиков", "", "", "/users/{actor}"},
		notify.CalendarInvite: {"Olga sends you a calendar invitation", "Olga присылает вам приглашение в календарь", "", "",
			"/calendar/invites/" + post},
		notify.CalendarInviteResponse: {"Olga may accept your calendar invitation", "Olga, возможно, примет ваше приглашение в календарь", "", "",
			"/calendar"},
		notify.EventReview:   {"Olga reviews Go", "Olga оставляет отзыв о встрече «Go»", "5 stars.", "5 звёзд.", "/events/{event}/reviews"},
		notify.ReportUpdated: {"Your report about a review was resolved", "Ваша жалоба на отзыв рассмотрена", "", "", ""},
		notify.ModerationWarning: {"The moderators warn you about your review", "Предупреждение модераторов: ваш отзыв", "Reason: harassment.",
			"Причина: травля.", ""},
		notify.PaymentSucceeded: {"Olga paid for Go", "Olga оплачивает участие во встрече «Go»", "", "", "/events/{event}"},
		notify.EventReminder:    {"Reminder: Go", "Напоминание: встреча «Go»", when, inRussian, "/events/{event}"},
		notify.PasskeyAdded: {"A passkey was added to your account", "К вашему аккаунту добавлен ключ доступа",
			"If it was not you, delete it in the settings and end all sessions.",
			"Если это были не вы, удалите его в настройках и завершите все сеансы.", ""},
		notify.APIKeyAdded: {"An API key was added to your account", "К вашему аккаунту добавлен ключ API",
			"If it was not you, delete it in the settings and end all sessions.",
			"Если это были не вы, удалите его в настройках и завершите все сеансы.", ""},
		notify.NewDevice: {"New sign-in to your account (Mac)", "Новый вход в ваш аккаунт (Mac)",
			"If it was not you, end all sessions in the settings.", "Если это были не вы, завершите все сеансы в настройках.", "/settings/security"},
		notify.WebhookAdded: {"A webhook sends messages about your events to a new address",
			"Вебхук отправляет сообщения о ваших встречах на новый адрес",
			"If it was not you, delete it in the settings and end all sessions.",
			"Если это были не вы, удалите его в настройках и завершите все сеансы.", ""},
		notify.WaitlistOffer: {"A seat is free for you: Go", "Для вас освободилось место: Go",
			"Accept it on the page of the event until 4 June, 12:00 (Europe/Moscow). After that, the next person gets it.",
			"Примите его на странице встречи до 4 июня, 12:00 (Europe/Moscow). Потом место получит следующий.", "/events/{event}"},
		notify.WaitlistJoined: {"You moved up from the waiting list: Go", "Вы прошли из списка ожидания: Go", when, inRussian,
			"/events/{event}"},
		notify.HostInvitation: {"Olga asks you to host Go", "Olga приглашает вас вести встречу «Go»", when, inRussian, "/events/{event}"},
		notify.HostJoined:     {"Olga hosts Go with you", "Olga ведёт с вами встречу «Go»", "", "", "/events/{event}"},
		notify.EventTransferred: {"Olga handed Go over to you", "Olga передаёт вам встречу «Go»", when, inRussian,
			"/events/{event}"},
		notify.SeriesDrafts: {"New dates stay drafts: Go", "Новые даты остаются черновиками: Go",
			"To publish the dates of a series automatically, verify your e-mail address or phone. Until then, publish each draft yourself.",
			"Чтобы даты серии публиковались сами, подтвердите адрес электронной почты или телефон. До этого публикуйте каждый черновик сами.",
			"/event-series/" + post},
		notify.GroupInvitation: {"Olga invites you to the group Chess club", "Olga приглашает вас в группу «Chess club»", "", "",
			"/groups/{group}"},
		notify.GroupRequested: {"Olga asks to join Chess club", "Olga просит принять в группу «Chess club»", "", "",
			"/groups/{group}/members"},
		notify.GroupApproved: {"You are a member of Chess club now", "Вас приняли в группу «Chess club»", "", "", "/groups/{group}"},
		notify.GroupRemoved:  {"You are no longer a member of Chess club", "Вы больше не состоите в группе «Chess club»", "", "", ""},
		notify.GroupTransferred: {"Olga handed Chess club over to you", "Olga передаёт вам группу «Chess club»", "", "",
			"/groups/{group}"},
		notify.GroupEvent: {"A new event of your group: Go", "Новая встреча вашей группы: Go", when, inRussian, "/events/{event}"},
		notify.GroupAnnouncement: {"News of Chess club", "Новости группы «Chess club»", "Bring a board", "Bring a board",
			"/groups/{group}"},
		notify.GroupSourceFailed: {"A calendar of Chess club has not been readable for a day",
			"Календарь группы «Chess club» не читается уже сутки",
			"", "", "/groups/{group}/edit"},
		notify.HostRemoved: {"You no longer host Go", "Вы больше не ведёте встречу «Go»", "", "", "/events/{event}"},
		notify.GuestMessage: {"Olga writes to you about Go", "Olga пишет вам о встрече «Go»", "Bring a board", "Bring a board",
			"/events/{event}/guest-messages"},
		notify.EventRequested:  {"Olga asks to join Go", "Olga хочет прийти на встречу «Go»", "", "", "/events/{event}/guests"},
		notify.RequestApproved: {"You are in: Go", "Вы участник встречи «Go»", when, inRussian, "/events/{event}"},
		notify.RequestDeclined: {"Your request was declined: Go", "Ваша заявка отклонена: Go", "", "", "/events/{event}"},
		notify.EventRemoved:    {"You are no longer a guest of Go", "Вы больше не гость встречи «Go»", "", "", "/events/{event}"},
		notify.WaitlistExpired: {"The waiting list has ended: Go", "Список ожидания закрыт: Go", "", "", "/events/{event}"},
		notify.WebhookDisabled: {"A webhook was disabled: its server accepted no message",
			"Вебхук отключён: его сервер не принял ни одного сообщения", "", "", ""},
		notify.EmailSuppressed: {"E-mails to your address came back, so no more are sent. Sign in by e-mail to receive them again",
			"Письма на ваш адрес возвращаются, поэтому мы их больше не отправляем. Чтобы снова получать письма, войдите по электронной почте", "",
			"", ""},
		notify.PaymentCanceled: {"Your payment for Go was canceled", "Оплата участия во встрече «Go» отменена", "", "", "/events/{event}"},
	}
	apptest.Rules(t, func(t *testing.T, a *apptest.App) {
		ann := a.As("ann")
		org, event := olgasEvent(t, a, nil)
		for _, guest := range []*apptest.Client{org, ann} {
			guest.Post("/events/"+event.String()+"/join", nil).Want(200)
		}
		run(t, a, reviewStmt, event, userID(t, org), domain.RandomID[any](), 5)
		id, _ := domain.ParseID[any](post)
		run(t, a, postStmt, id, event, userID(t, org), 1)

		group := org.Post("/groups", apptest.Fields{"name": "Chess club"}).Want(201).Text("id")
		news := org.Post("/groups/"+group+"/announcements", apptest.Fields{"body": "Bring a board"}).Want(201).Text("id")
		ann.Post("/groups/"+group+"/membership", nil).Want(200)
		subjects := map[notify.Kind]string{notify.GroupInvitation: group, notify.GroupRequested: group, notify.GroupApproved: group,
			notify.GroupRemoved: group, notify.GroupTransferred: group, notify.GroupAnnouncement: news,
			notify.GroupSourceFailed: group}
		a.Clock.Advance(time.Second)
		for _, contracted := range gen.NotificationKind("").AllValues() {
			if contracted == gen.NotificationKindEventCalendar || contracted == gen.NotificationKindChatUnread { // no notifications
				continue
			}
			kind := notify.Kind(contracted)
			want, known := texts[kind]
			if !known {
				t.Errorf("%s is not tested", kind)
				continue
			}
			put(t, a, notify.Notification{
				To: userID(t, ann), Kind: kind, Actor: userID(t, org), Event: event, Subject: cmp.Or(subjects[kind], post),
				Params: map[string]string{"status": "tentative", "target_type": "review", "reason": "harassment", notify.DeviceParam: "Mac",
					notify.UntilParam: "2026-06-04T09:00:00Z", notify.DraftsParam: notify.DraftsUnverified},
			})
			href := strings.NewReplacer("{event}", event.String(), "{actor}", org.UserID, "{group}", group).Replace(want.href)
			for language, words := range map[string][2]string{"en": {want.english, want.body}, "ru": {want.russian, want.inRussian}} {
				r := ann.With("Accept-Language", language).Get("/notifications?limit=1").Want(200)
				got := [3]any{r.Get("items.0.title"), orEmpty(r.Get("items.0.body")), orEmpty(r.Get("items.0.href"))}
				if got != [3]any{words[0], words[1], href} || r.Get("items.0.kind") != string(kind) {
					t.Errorf("%s in %s: %s", kind, language, r.Body)
				}
				if r.Text("items.0.event_id") != event.String() || r.Text("items.0.actor.display_name") != "Olga" {
					t.Errorf("%s: %s", kind, r.Body)
				}
			}
			a.Clock.Advance(time.Second)
		}
	}, apptest.StartAt(apptest.Today))
}

func orEmpty(v any) any {
	if v == nil {
		return ""
	}
	return v
}

// TestTitleFollowsStatus reads titles that depend on an RSVP or a decision.
func TestTitleFollowsStatus(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today))
	ann := a.As("ann")
	org, event := olgasEvent(t, a, nil)
	for _, c := range []struct {
		kind             notify.Kind
		status           string
		english, russian string
	}{
		{notify.EventInvitationResponse, "accepted", "Olga accepts your invitation to Go", "Olga принимает приглашение на встречу «Go»"},
		{notify.EventInvitationResponse, "declined", "Olga cannot come to Go", "Olga не сможет прийти на встречу «Go»"},
		{notify.EventInvitationResponse, "tentative", "Olga may come to Go", "Olga, возможно, придёт на встречу «Go»"},
		{notify.EventInvitationResponse, "", "Olga answers your invitation to Go", "Olga отвечает на приглашение на встречу «Go»"},
		{notify.CalendarInviteResponse, "accepted", "Olga accepts your calendar invitation", "Olga принимает ваше приглашение в календарь"},
		{notify.CalendarInviteResponse, "declined", "Olga declines your calendar invitation", "Olga отклоняет ваше приглашение в календарь"},
		{notify.CalendarInviteResponse, "", "Olga answers your calendar invitation", "Olga отвечает на ваше приглашение в календарь"},
		{notify.ReportUpdated, "resolved", "Your report about a person was resolved", "Ваша жалоба на пользователя рассмотрена"},
		{notify.ReportUpdated, "dismissed", "Your report about a person was dismissed", "Ваша жалоба на пользователя отклонена"},
	} {
		put(t, a, notify.Notification{To: userID(t, ann), Kind: c.kind, Actor: userID(t, org), Event: event,
			Params: map[string]string{"status": c.status}})
		wantTitles(t, ann, c.english, c.russian)
		a.Clock.Advance(time.Second)
	}
	put(t, a, notify.Notification{To: userID(t, ann), Kind: notify.PaymentSucceeded, Event: event})
	wantTitles(t, ann, "You paid for Go", "Вы оплатили участие во встрече «Go»")
}

// wantTitles reads the newest notification in both languages.
func wantTitles(t *testing.T, c *apptest.Client, english, russian string) {
	t.Helper()
	for language, want := range map[string]string{"en": english, "ru": russian} {
		if got := c.With("Accept-Language", language).Get("/notifications?limit=1").Text("items.0.title"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestPluralForms reads counts in titles and bodies.
func TestPluralForms(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today))
	ann := a.As("ann")
	org, event := olgasEvent(t, a, nil)
	id, _ := domain.ParseID[any](post)
	newest := func(language, field string) string {
		return a.As("ann").With("Accept-Language", language).Get("/notifications?limit=1").Text("items.0." + field)
	}
	for n, want := range map[int64][4]string{
		1:   {"Olga and 1 other like your post about Go", "Olga и ещё 1 человек ставят", "1 person is going.", "Идёт 1 человек."},
		2:   {"Olga and 2 others like your post about Go", "Olga и ещё 2 человека ставят", "2 people are going.", "Идут 2 человека."},
		5:   {"Olga and 5 others like your post about Go", "Olga и ещё 5 человек ставят", "5 people are going.", "Идут 5 человек."},
		11:  {"Olga and 11 others like your post about Go", "Olga и ещё 11 человек ставят", "11 people are going.", "Идут 11 человек."},
		21:  {"Olga and 21 others like your post about Go", "Olga и ещё 21 человек ставят", "21 people are going.", "Идёт 21 человек."},
		102: {"Olga and 102 others like your post about Go", "Olga и ещё 102 человека ставят", "102 people are going.", "Идут 102 человека."},
	} {
		run(t, a, postStmt, id, event, userID(t, ann), n+1)
		run(t, a, slotStmt, event, n)
		put(t, a, notify.Notification{To: userID(t, ann), Kind: notify.PostLiked, Actor: userID(t, org), Event: event, Subject: post})
		if english, russian := newest("en", "title"), newest("ru", "title"); english != want[0] || !strings.HasPrefix(russian, want[1]) {
			t.Errorf("%d likes: %q, %q", n, english, russian)
		}
		a.Clock.Advance(time.Second)
		put(t, a, notify.Notification{To: userID(t, ann), Kind: notify.PostReposted, Actor: userID(t, org), Event: event, Subject: post})
		if english, russian := newest("en", "title"), newest("ru", "title"); english != strings.Replace(want[0], "like", "repost", 1) ||
			!strings.HasPrefix(russian, strings.Replace(want[1], "ставят", "делятся", 1)) {
			t.Errorf("%d reposts: %q, %q", n, english, russian)
		}
		a.Clock.Advance(time.Second)
		put(t, a, notify.Notification{To: userID(t, ann), Kind: notify.EventJoined, Actor: userID(t, org), Event: event})
		if english, russian := newest("en", "body"), newest("ru", "body"); english != want[2] || russian != want[3] {
			t.Errorf("%d going: %q, %q", n, english, russian)
		}
		a.Clock.Advance(time.Second)
	}
	for n, want := range map[int]string{1: "1 звезда.", 2: "2 звезды.", 5: "5 звёзд."} {
		run(t, a, reviewStmt, event, userID(t, org), domain.RandomID[any](), n)
		put(t, a, notify.Notification{To: userID(t, ann), Kind: notify.EventReview, Actor: userID(t, org), Event: event})
		if got := newest("ru", "body"); got != want {
			t.Errorf("%d stars: %q", n, got)
		}
		a.Clock.Advance(time.Second)
	}
}

// TestLongTextsAreCutBetweenGraphemes reads long titles and bodies.
func TestLongTextsAreCutBetweenGraphemes(t *testing.T) {
	a := apptest.New(t, db.SQLite, apptest.StartAt(apptest.Today))
	ann := a.As("ann")
	const family = "👨‍👩‍👧‍👦" // one grapheme, seven code points
	for title, start := range map[string]string{
		strings.Repeat("я", 120):     "Olga приглашает вас на встречу «" + strings.Repeat("я", 120) + "»",
		strings.Repeat("é", 120):     "Olga приглашает вас на встречу «" + strings.Repeat("é", 120) + "»",
		strings.Repeat(family, 60):   "Olga приглашает вас на встречу «" + strings.Repeat(family, 20),
		strings.Repeat("a\u0301", 1): "Olga приглашает вас на встречу «á»",
	} {
		org, event := olgasEvent(t, a, map[string]any{"title": title, "location_text": strings.Repeat("x ", 140)})
		put(t, a, notify.Notification{To: userID(t, ann), Kind: notify.EventInvitation, Actor: userID(t, org), Event: event})
		r := ann.With("Accept-Language", "ru").Get("/notifications?limit=1").Want(200)
		got := r.Text("items.0.title")
		if !strings.HasPrefix(got, start) || utf8.RuneCountInString(got) > 200 || uniseg.GraphemeClusterCount(got) > 200 ||
			!utf8.ValidString(got) {
			t.Errorf("%d code points: %s", utf8.RuneCountInString(got), got)
		}
		if cut := strings.TrimSuffix(got, "…"); cut != got && !strings.HasSuffix(cut, family) {
			t.Errorf("cut in the middle: %q", cut)
		}
		a.Clock.Advance(time.Second)
	}
}

// TestUnknownKindIsRendered reads a row that a newer version has written.
func TestUnknownKindIsRendered(t *testing.T) {
	a := apptest.New(t, db.SQLite)
	ann := a.As("ann")
	id := domain.RandomID[domain.NotificationKind]()
	run(t, a, newerKindStmt, userID(t, ann), id, a.Clock.Now())
	for tag, want := range map[string]string{"en": "Something new", "de": "Etwas Neues", "ru": "Есть новости"} {
		items, err := notify.Render(t.Context(), a.DB, []notify.Reading{{User: userID(t, ann), ID: id, Language: notify.LanguageOf(tag)}})
		if err != nil || items[0].Title != want || items[0].Href != nil || items[0].Body != nil {
			t.Errorf("%s: %+v, %v", tag, items, err)
		}
	}
}

var newerKindStmt = db.SQL("test.newer_kind", `
	INSERT INTO notifications (user_id, id, kind, subject, params, created_at) VALUES ($1, $2, 'event_burnt', '', '{}', $3)`)
