package main

import (
	"context"

	"github.com/spf13/cobra"

	"moothall/internal/ops/app"
	"moothall/internal/platform/checklist"
)

func (c *call) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check the settings, the database and everything around it, and say what to do",
		Example: "moothall doctor --config /etc/moothall/moothall.env", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error { return c.doctor(command.Context()) },
	}
}

// doctor prints the result of each check. It returns an error if a check fails.
func (c *call) doctor(ctx context.Context) error {
	s, err := c.settings()
	printer := checklist.Printer{To: c.stdout}
	app.Doctor{Settings: s, Invalid: err, Environ: c.environ, Exposed: c.exposedConfig()}.Run(ctx, printer.Print)
	return printer.Err("doctor")
}
