package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"moothall/internal/ops/app"
)

// settings reads the environment and the file of --config. The error has a line for each
// invalid setting.
func (c *call) settings() (app.Settings, error) {
	lookup, err := c.lookup()
	if err != nil {
		return app.Settings{}, usageError{err}
	}
	s, err := app.LoadSettings(func(name string) (string, bool) {
		value, source := lookup(name)
		return value, source != ""
	})
	if err != nil {
		return s, usageError{err}
	}
	return s, nil
}

// environmentSource is the source of settings that are environment variables.
const environmentSource = "environment"

// lookup returns a function that returns the value and the source of a setting. The source is empty if
// the setting is not set. The environment takes precedence over the file.
func (c *call) lookup() (func(name string) (value, source string), error) {
	file, err := c.readConfig()
	if err != nil {
		return nil, err
	}
	return func(name string) (value, source string) {
		if text, set := file[name]; set {
			value, source = text, c.config
		}
		for _, variable := range c.environ {
			if text, is := strings.CutPrefix(variable, name+"="); is {
				value, source = text, environmentSource
			}
		}
		return value, source
	}, nil
}

// readConfig reads the file of --config. It returns an error for an unknown setting.
func (c *call) readConfig() (map[string]string, error) {
	if c.config == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.config)
	if err != nil {
		return nil, fmt.Errorf("--config: %w", err)
	}
	file, err := parseConfig(string(text), app.CheckName)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.config, err)
	}
	return file, nil
}

// exposedConfig returns the path of the file of --config if every user of the machine can read it and it has secret
// settings, else "".
func (c *call) exposedConfig() string {
	const readableByOthers = 0o004
	info, err := os.Stat(c.config)
	if err != nil || info.Mode()&readableByOthers == 0 || runtime.GOOS == "windows" { // Windows has no such modes
		return ""
	}
	file, err := c.readConfig()
	if err != nil { // LoadSettings returns it
		return ""
	}
	for _, v := range app.Values(func(name string) (string, bool) { value, is := file[name]; return value, is }) {
		if v.Secret && !v.Default {
			return c.config
		}
	}
	return ""
}

func (c *call) configCommand() *cobra.Command {
	return &cobra.Command{
		Use: "config", Short: "Print the settings in force and where they come from, and check them",
		Example: "moothall config --config /etc/moothall/moothall.env", Args: arguments(),
		RunE: func(*cobra.Command, []string) error { return c.printConfig() },
	}
}

func (c *call) printConfig() error {
	lookup, err := c.lookup()
	if err != nil {
		return usageError{err}
	}
	table := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, v := range app.Values(func(name string) (string, bool) { value, source := lookup(name); return value, source != "" }) {
		_, source := lookup(v.Name)
		if v.Default {
			source = "default"
		}
		_, _ = fmt.Fprintf(table, "%s=%s\t# %s\n", v.Name, v.Value, source) // Flush returns the error
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err = c.settings()
	return err
}
