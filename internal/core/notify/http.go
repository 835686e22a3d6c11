package notify

import (
	"context"

	"github.com/google/uuid"

	"moothall/api/gen"
	"moothall/internal/core/user"
	"moothall/internal/domain"
	"moothall/internal/platform/httpapi"
)

// Handler serves the operations on notifications.
type Handler struct{ service *Service }

// NewHandler returns the handler of a service.
func NewHandler(s *Service) *Handler { return &Handler{service: s} }

// ListNotifications serves GET /notifications.
func (h *Handler) ListNotifications(ctx context.Context, params gen.ListNotificationsParams) (*gen.NotificationsResponseHeaders, error) {
	l := languageOf(ctx)
	page, err := h.service.List(ctx, httpapi.Viewer(ctx), Query{
		UnreadOnly: params.UnreadOnly.Or(false), Limit: params.Limit.Or(shortPage), Cursor: params.Cursor.Or(""),
	}, l)
	if err != nil {
		return nil, err
	}
	items := make([]gen.Notification, len(page.Items))
	for i, n := range page.Items {
		items[i] = n.toAPI()
	}
	return &gen.NotificationsResponseHeaders{
		ContentLanguage: l.String(),
		Response:        gen.NotificationsResponse{Items: items, UnreadCount: page.Unread, NextCursor: gen.NullCursor(page.Next)},
	}, nil
}

// CountUnreadNotifications serves GET /notifications/unread-count.
func (h *Handler) CountUnreadNotifications(ctx context.Context) (*gen.UnreadCountResponse, error) {
	count, err := h.service.Unread(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	return &gen.UnreadCountResponse{UnreadCount: count}, nil
}

// ReadAllNotifications serves POST /notifications/read-all.
func (h *Handler) ReadAllNotifications(ctx context.Context) (*gen.ReadAllNotificationsResult, error) {
	count, err := h.service.ReadAll(ctx, httpapi.Viewer(ctx))
	if err != nil {
		return nil, err
	}
	return &gen.ReadAllNotificationsResult{UpdatedCount: count}, nil
}

// ReadNotification serves POST /notifications/{notification_id}/read.
func (h *Handler) ReadNotification(ctx context.Context, params gen.ReadNotificationParams) (*gen.NotificationHeaders, error) {
	l := languageOf(ctx)
	n, err := h.service.Read(ctx, httpapi.Viewer(ctx), domain.NotificationID(params.NotificationID), l)
	if err != nil {
		return nil, err
	}
	return &gen.NotificationHeaders{ContentLanguage: l.String(), Response: n.toAPI()}, nil
}

// languageOf returns the language of the response, which varies with Accept-Language.
func languageOf(ctx context.Context) Language {
	httpapi.ResponseHeader(ctx).Add("Vary", "Accept-Language")
	return BestLanguage(httpapi.Client(ctx).Languages)
}

func (n Item) toAPI() gen.Notification {
	return gen.Notification{
		ID: uuid.UUID(n.ID), Kind: gen.NotificationKind(n.Kind), Title: n.Title, Body: gen.NullString(n.Body), Href: gen.NullString(n.Href),
		ReadAt: gen.NullDateTime(n.ReadAt), CreatedAt: n.CreatedAt, Actor: user.NullAPI(n.Actor), EventID: gen.NullUUID(n.EventID),
	}
}
