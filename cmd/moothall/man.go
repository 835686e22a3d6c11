package main

import (
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"moothall/internal/ops/app"
)

func (c *call) manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man FOLDER", Short: "Write the man pages into a folder",
		Example: "moothall man /usr/local/share/man/man1", Args: arguments("FOLDER"),
		RunE: func(command *cobra.Command, args []string) error { return writeMan(command.Root(), args[0]) },
	}
}

// writeMan writes a page for each command. The pages of one build are always the same.
func writeMan(root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // everybody may read the pages
		return err
	}
	b := app.ThisBuild()
	date, err := time.Parse(time.RFC3339, b.Date)
	if err != nil { // unknown
		date = time.Unix(0, 0).UTC()
	}
	root.DisableAutoGenTag = true // it would name the day
	return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "Moothall " + b.Version, Manual: "Moothall", Date: &date}, folder)
}
