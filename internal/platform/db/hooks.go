package db

import "context"

// Hooks are what a program adds to each transaction. Any of them may be nil. They say nothing to caches and
// subscribers: that is what Changed and Publish are for.
type Hooks struct {
	// Begin is called at the beginning of each InTx. It may queue statements, such as locks.
	Begin func(ctx context.Context, tx Tx)
	// Changed is called at the end of each InTx that has called Tx.Changed. It may queue statements.
	Changed func(ctx context.Context, tx Tx)
	// Committed is called after each InTx that has committed, except for a Preparation.
	Committed func(ctx context.Context)
}

func (h *Hooks) begin(ctx context.Context, tx Tx) {
	if h.Begin != nil {
		h.Begin(ctx, tx)
	}
}

func (h *Hooks) changed(ctx context.Context, tx Tx) {
	if h.Changed != nil {
		h.Changed(ctx, tx)
	}
}

func (h *Hooks) committed(ctx context.Context) {
	if h.Committed != nil && !isPreparation(ctx) {
		h.Committed(ctx)
	}
}
