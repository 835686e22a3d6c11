package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"moothall/internal/ops/app"
)

func (c *call) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version, its commit, and the versions of the schema and the contract",
		Example: "moothall version", Args: arguments(),
		RunE: func(*cobra.Command, []string) error { return c.printVersion() },
	}
}

func (c *call) printVersion() error {
	b := app.ThisBuild()
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(table, "moothall\t%s\ncommit\t%s\n", b.Version, b.Commit) // Flush returns the error
	if b.Date != "" {
		_, _ = fmt.Fprintf(table, "date\t%s\n", b.Date)
	}
	_, _ = fmt.Fprintf(table, "go\t%s\nschema\t%d\ncontract\t%s\n", b.Go, b.Schema, b.Contract)
	return table.Flush()
}
