package httpapi

import (
	"context"
	"net/http"

	"moothall/internal/domain"
)

// As returns a context for work of a viewer outside of a request, such as a frame of a
// socket: Viewer returns the viewer.
func As(ctx context.Context, v domain.Viewer) context.Context {
	return context.WithValue(ctx, stateKey{}, &requestState{viewer: v, responseHeader: http.Header{}})
}
