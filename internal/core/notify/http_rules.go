package notify

import "moothall/internal/platform/httpapi"

// Rules returns the rules of the operations.
func (h *Handler) Rules() map[string]httpapi.Rule {
	return map[string]httpapi.Rule{"listNotifications": httpapi.CursorRule(readCursor)}
}
