package web

import (
	"context"
	"net/url"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/view"
)

// notificationsPerPage is the number of notifications before "Older".
const notificationsPerPage = 30

// notifications lists the notifications of the viewer by day.
func (s *Site) notifications(ctx context.Context, v *visit) (templ.Component, error) {
	v.page.Title = v.page.T("nav.notifications")
	cursor := optional(v.page.URL.Query(), "cursor")
	list, err := s.api.ListNotifications(ctx, gen.ListNotificationsParams{Limit: gen.NewOptInt(notificationsPerPage), Cursor: cursor})
	if err != nil {
		return nil, err
	}
	zone, err := s.zone(ctx)
	if err != nil {
		return nil, err
	}
	return view.Notifications(v.page, view.NotificationsData{
		Days: view.NotificationsByDay(list.Response.Items, zone), Unread: list.Response.UnreadCount, Continues: cursor.Set,
		Older: v.more("cursor", list.Response.NextCursor),
	}), nil
}

// zone returns the time zone of the viewer.
func (s *Site) zone(ctx context.Context) (string, error) {
	preferences, err := s.api.GetNotificationPreferences(ctx)
	if err != nil {
		return "", err
	}
	return preferences.Timezone, nil
}

// readNotification marks a notification as read. If the visitor opens it, its page follows.
func (s *Site) readNotification(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	id := "notification_id"
	if form.Has("open") {
		id = "open"
	}
	read, err := s.api.ReadNotification(ctx, gen.ReadNotificationParams{NotificationID: formID(form, id)})
	if err != nil {
		return outcome{}, err
	}
	if href := read.Response.Href; form.Has("open") && !href.Null {
		return outcome{to: localPath(href.Value)}, nil
	}
	return back(form), nil
}

func (s *Site) readAllNotifications(ctx context.Context, _ *visit, form url.Values) (outcome, error) {
	_, err := s.api.ReadAllNotifications(ctx)
	return back(form), err
}
