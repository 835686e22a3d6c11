package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/cli"
)

// checkCompose loads every file of a folder by the schema of Compose. It refuses unknown fields, required variables
// that the comments of the files do not name, and two files with one project: they would share its volumes.
func checkCompose(ctx context.Context, folder string) error {
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml")) // sorted
	if err != nil {
		return err
	}
	projects := map[string]string{} // name → file
	for _, path := range paths {
		options, err := cli.NewProjectOptions([]string{path}, cli.WithEnv([]string{
			"SECRET_KEY=0123456789abcdef0123456789abcdef", "POSTGRES_PASSWORD=secret", "PUBLIC_URL=https://meet.example.org",
		}))
		if err != nil {
			return err
		}
		project, err := options.LoadProject(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if other, taken := projects[project.Name]; taken {
			return fmt.Errorf("%s: has the project name of %s: %s", path, other, project.Name)
		}
		projects[project.Name] = path
		fmt.Printf("%s: %s: %v\n", filepath.Base(path), project.Name, project.ServiceNames())
	}
	return nil
}
