package view

import (
	"strings"
	"time"

	"moothall/api/gen"
)

// NotificationsData is what the list of notifications shows.
type NotificationsData struct {
	Days      []NotificationDay
	Unread    int    // of all notifications
	Older     string // address of older notifications; "" if there are none
	Continues bool   // the list begins after the newest ones
}

// NotificationDay is the notifications of one day.
type NotificationDay struct {
	At    time.Time // some time on the day, in the zone of the viewer
	Items []NotificationItem
}

// NotificationItem is a notification, and when it came in the zone of the viewer.
type NotificationItem struct {
	gen.Notification
	At time.Time
}

// NotificationsByDay groups notifications, which are in the order of their time, by the day
// in a zone.
func NotificationsByDay(items []gen.Notification, zone string) []NotificationDay {
	var days []NotificationDay
	for _, n := range items {
		at := In(n.CreatedAt, zone)
		if last := len(days) - 1; last < 0 || !sameDay(days[last].At, at) {
			days = append(days, NotificationDay{At: at})
		}
		last := &days[len(days)-1]
		last.Items = append(last.Items, NotificationItem{n, at})
	}
	return days
}

// notificationIcons are the icons of kinds by the beginning of their names, the longest first.
var notificationIcons = []struct{ prefix, icon string }{
	{"event_invitation", "mail"}, {"event_canceled", "x"}, {"event_date", "calendar"}, {"event_review", "star"}, {"event_completed", "star"},
	{"event_reminder", "clock"}, {"event_announcement", "message-circle"}, {"event_post", "message-circle"}, {"event_joined", "user-plus"},
	{"event_", "calendar"}, {"followed_user", "calendar"}, {"post_liked", "heart"}, {"post_reposted", "repeat-2"}, {"post_", "message-circle"},
	{"comment_", "message-circle"}, {"user_followed", "user-plus"}, {"calendar_", "calendar-plus"}, {"payment_", "ticket"},
	{"report_", "flag"},
	{"group_", "users"}, {"moderation_", "shield"}, {"passkey_", "key-round"}, {"api_key_", "key-round"}, {"email_", "mail"},
}

// icon returns the icon of the kind of a notification.
func (n NotificationItem) icon() string {
	for _, i := range notificationIcons {
		if strings.HasPrefix(string(n.Kind), i.prefix) {
			return i.icon
		}
	}
	return "bell"
}
