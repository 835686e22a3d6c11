package notify

import "moothall/internal/platform/httpapi"

// Checks returns the checks of the operations.
func (h *Handler) Checks() map[string]httpapi.Check {
	return map[string]httpapi.Check{"listNotifications": httpapi.CursorCheck(readCursor)}
}
