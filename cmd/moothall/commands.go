package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"

	"moothall/internal/ops/app"
)

// rootCommand returns the tree of all commands.
func (c *call) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "moothall",
		Short: "Find meetups near you, join them, or organize your own",
		Long: `Moothall: find meetups near you, join them, or organize your own.

Settings are environment variables, or lines of the file of --config; docs/settings.md lists them.`,
		Example:       "moothall serve --demo",
		Version:       app.Version,
		Args:          cobra.ArbitraryArgs, // for needsCommand
		RunE:          needsCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetVersionTemplate("moothall {{.Version}}\n")
	root.SetIn(c.stdin)
	root.SetOut(c.stdout)
	root.SetErr(c.stderr)
	root.PersistentFlags().StringVar(&c.config, "config", "",
		"`file` with settings, a NAME=value on each line; variables of the environment win")
	root.SetFlagErrorFunc(explainFlagError)
	root.AddCommand(
		c.serveCommand(), c.migrateCommand(),
		c.configCommand(), c.doctorCommand(), c.healthcheckCommand(), c.versionCommand(), c.manCommand(),
		c.backupCommand(), c.verifyCommand(), c.restoreCommand(), c.mapCommand(),
		c.jobsCommand(), c.deliveriesCommand(), c.mailCommand(), c.paymentsCommand(), c.userCommand(), c.groupCommand(), c.importCommand(),
		c.clockCommand(),
	)
	addCompletion(root)
	c.trackStart(root)
	return root
}

// addCompletion adds the command of cobra, which prints scripts for shells.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"}) // it was just added
	completion.Args, completion.RunE, completion.Example = cobra.ArbitraryArgs, needsCommand, "moothall completion bash"
	for _, shell := range completion.Commands() {
		shell.Example = "moothall completion " + shell.Name()
	}
}

// trackStart makes a command and its subcommands set started when they run. By then, the arguments are checked. It also
// indents their examples, as cobra indents the rest of --help.
func (c *call) trackStart(command *cobra.Command) {
	if command.Example != "" {
		command.Example = "  " + command.Example
	}
	if run := command.RunE; run != nil {
		command.RunE = func(command *cobra.Command, args []string) error {
			c.started = true
			return run(command, args)
		}
	}
	for _, child := range command.Commands() {
		c.trackStart(child)
	}
}

// needsCommand is the run function of a command that only has subcommands. It returns an error that lists them.
func needsCommand(command *cobra.Command, args []string) error {
	problem := "no command given"
	if len(args) > 0 {
		problem = fmt.Sprintf("unknown command %q%s", args[0], suggestion(command, args[0]))
	}
	var names []string
	for _, child := range command.Commands() {
		if child.IsAvailableCommand() {
			names = append(names, child.Name())
		}
	}
	return usageError{fmt.Errorf("%s: %s; the commands are %s; \"%s --help\" describes them",
		command.CommandPath(), problem, strings.Join(names, ", "), command.CommandPath())}
}

// explainFlagError returns the error of needsCommand if a word before the unknown flag is no command, as in "serv --demo".
func explainFlagError(command *cobra.Command, err error) error {
	if args := command.Flags().Args(); command.HasAvailableSubCommands() && len(args) > 0 {
		return needsCommand(command, args)
	}
	return err
}

// maxTypos is the largest distance of a misspelt word from the command that is meant.
const maxTypos = 2

// suggestion returns a question for the command with the nearest name; empty if none is near.
func suggestion(command *cobra.Command, word string) string {
	nearest, least := "", maxTypos+1
	for _, child := range command.Commands() {
		distance := levenshtein.ComputeDistance(word, child.Name())
		if strings.HasPrefix(child.Name(), word) {
			distance = min(distance, maxTypos)
		}
		if child.IsAvailableCommand() && distance < least {
			nearest, least = child.Name(), distance
		}
	}
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", nearest)
}

// arguments checks the number of arguments and names them in the error.
func arguments(names ...string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return fmt.Errorf("needs %s", strings.Join(names, " "))
		case len(args) > len(names):
			return fmt.Errorf("unexpected argument %q%s", args[len(names)], suggestion(command, args[len(names)]))
		}
		return nil
	}
}

// fileArgument checks that the only argument is the path of a backup.
func fileArgument(_ *cobra.Command, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return errors.New("needs the path of the backup, or -")
	}
	return nil
}
