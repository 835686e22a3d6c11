package db

import (
	"context"
	"errors"
	"fmt"
)

type preparationKey struct{}

// Preparation returns a context for transactions whose effect the caller cannot see unless
// the operation goes on: a reservation, or a count of a limiter. If the operation then fails,
// nothing was done for the caller. So a commit in doubt is ErrUnavailable.
func Preparation(ctx context.Context) context.Context {
	return context.WithValue(ctx, preparationKey{}, true)
}

func isPreparation(ctx context.Context) bool { return ctx.Value(preparationKey{}) != nil }

// preparationError returns err, with ErrUnavailable instead of ErrInDoubt in a Preparation.
func preparationError(ctx context.Context, err error) error {
	if isPreparation(ctx) && errors.Is(err, ErrInDoubt) {
		return fmt.Errorf("%w: %v", ErrUnavailable, err) //nolint:errorlint // without ErrInDoubt
	}
	return err
}
