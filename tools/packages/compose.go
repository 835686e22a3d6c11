package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
)

// checkCompose loads every file of a folder by the schema of Compose. It refuses unknown fields, and required
// variables that the examples in the files do not set.
func checkCompose(ctx context.Context, folder string) error {
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml")) // sorted
	if err != nil {
		return err
	}
	for _, path := range paths {
		options, err := cli.NewProjectOptions([]string{path}, cli.WithEnv([]string{
			"SECRET_KEY=0123456789abcdef0123456789abcdef", "POSTGRES_PASSWORD=secret", "PUBLIC_URL=https://meet.example.org",
		}), cli.WithName("moothall"))
		if err != nil {
			return err
		}
		project, err := options.LoadProject(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		fmt.Printf("%s: %v\n", filepath.Base(path), project.ServiceNames())
	}
	return nil
}
