package main

import (
	"context"

	"moothall/internal/app"
	"moothall/internal/platform/checklist"
)

// doctor runs the subcommand doctor. It fails if one of the checks does.
func doctor(ctx context.Context, c *call) error {
	if err := c.parse(); err != nil {
		return err
	}
	s, err := c.settings()
	printer := checklist.Printer{To: c.stdout}
	app.Doctor{Settings: s, Invalid: err, Environ: c.environ}.Run(ctx, printer.Print)
	return printer.Err("doctor")
}
