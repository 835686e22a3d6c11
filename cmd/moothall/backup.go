package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"filippo.io/age"
	"github.com/spf13/cobra"

	"moothall/internal/domain"
	"moothall/internal/ops/app"
	"moothall/internal/ops/backup"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/migrate"
)

// standard in place of a file name means standard input or output.
const standard = "-"

func (c *call) backupCommand() *cobra.Command {
	var recipients []age.Recipient
	command := &cobra.Command{
		Use: "backup FILE", Short: "Write everything into a file, while the service runs",
		Example: "moothall backup --recipient age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p moothall.backup", Args: fileArgument,
		RunE: func(command *cobra.Command, args []string) error {
			ctx := command.Context()
			return c.withDB(ctx, func(s app.Settings, d *db.DB) error { return c.writeBackup(ctx, s, d, args[0], recipients) })
		},
	}
	command.Flags().Func("recipient", "public `key` of age that can decrypt the backup (age1...); can be repeated", func(text string) error {
		r, err := age.ParseX25519Recipient(text)
		recipients = append(recipients, r)
		return err
	})
	return command
}

func (c *call) writeBackup(ctx context.Context, s app.Settings, d *db.DB, path string, recipients []age.Recipient) error {
	source, err := app.BackupSource(s, d, time.Now())
	if err != nil {
		return err
	}
	source.Progress = c.stderr
	var contents backup.Contents
	if path == standard {
		contents, err = backup.WriteEncrypted(ctx, c.stdout, recipients, source)
	} else {
		contents, err = backup.WriteFile(ctx, path, recipients, source)
	}
	if err := errors.Join(err, source.Store.Close()); err != nil {
		return err
	}
	if len(recipients) == 0 && len(contents.Keys) > 0 {
		_, _ = fmt.Fprintln(c.stderr, "The backup is not encrypted and contains secret keys. --recipient encrypts it.")
	}
	return c.reportContents(c.stderr, contents)
}

func (c *call) verifyCommand() *cobra.Command {
	var identity string
	command := &cobra.Command{
		Use: "verify FILE", Short: "Read a backup and check that it is complete",
		Example: "moothall verify --identity key.txt moothall.backup", Args: fileArgument,
		RunE: func(command *cobra.Command, args []string) error {
			return c.verifyBackup(command.Context(), args[0], identity)
		},
	}
	addIdentityFlag(command, &identity)
	return command
}

func (c *call) verifyBackup(ctx context.Context, path, identity string) error {
	return c.withBackup(path, identity, func(from io.Reader) error {
		m, contents, err := backup.Verify(ctx, from, c.stderr)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(c.stdout, "The backup is complete: %s, written %s by Moothall %s.\n", m.Engine, m.CreatedAt.Format(time.RFC3339),
			m.Program)
		return c.reportContents(c.stdout, contents)
	})
}

// restoreFlags are the flags of the command restore.
type restoreFlags struct{ identity, keys, deletions string }

func (c *call) restoreCommand() *cobra.Command {
	var f restoreFlags
	command := &cobra.Command{
		Use: "restore FILE", Short: "Write a backup into an empty database of either engine",
		Example: "DATABASE_URL=postgres://localhost/moothall moothall restore --identity key.txt moothall.backup", Args: fileArgument,
		RunE: func(command *cobra.Command, args []string) error {
			return c.restoreBackup(command.Context(), args[0], f)
		},
	}
	addIdentityFlag(command, &f.identity)
	command.Flags().StringVar(&f.keys, "keys", "", "`folder` that gets the keys of the backup; default is that of the SQLite file")
	command.Flags().StringVar(&f.deletions, "deletions", "", "`file` with the accounts that were deleted after the backup; default is "+
		backup.DeletionsName+" beside the backup")
	return command
}

func (c *call) restoreBackup(ctx context.Context, path string, f restoreFlags) error {
	switch {
	case f.deletions != "": // must exist, unlike the default
		if _, err := os.Stat(f.deletions); err != nil {
			return err
		}
	case path != standard:
		f.deletions = filepath.Join(filepath.Dir(path), backup.DeletionsName)
	}
	s, err := c.settings()
	if err != nil {
		return err
	}
	return c.withBackup(path, f.identity, func(from io.Reader) error {
		from, err := backup.Check(from) // before a new database is created
		if err != nil {
			return err
		}
		release, err := db.LockForServing(s.DatabaseURL)
		if err != nil {
			return err
		}
		d, err := app.OpenDB(ctx, s)
		if err != nil {
			return errors.Join(err, release())
		}
		return errors.Join(c.restore(ctx, s, d, f, from), d.Close(), release())
	})
}

func (c *call) restore(ctx context.Context, s app.Settings, d *db.DB, f restoreFlags, from io.Reader) error {
	destination, err := app.BackupDestination(s, d, f.keys, time.Now())
	if err != nil {
		return err
	}
	destination.Migrations = app.MigrationOptions(s, c.logger(s))
	destination.Finish = func(ctx context.Context, m backup.Manifest) error {
		return c.repeatDeletions(ctx, s, d, m, f.deletions)
	}
	destination.Progress = c.stderr
	m, contents, err := backup.Restore(ctx, from, destination)
	if errors.Is(err, migrate.ErrNotEmpty) {
		err = fmt.Errorf("%w: name a new one in DATABASE_URL", err)
	}
	if err := errors.Join(err, destination.Store.Close()); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(c.stdout, "The database is as it was at %s.\n", m.CreatedAt.Format(time.RFC3339))
	return c.reportContents(c.stdout, contents)
}

// repeatDeletions deletes the accounts of a list again.
func (c *call) repeatDeletions(ctx context.Context, s app.Settings, d *db.DB, m backup.Manifest, path string) error {
	file, err := os.Open(path) //nolint:gosec // the path is that of the operator
	if errors.Is(err, fs.ErrNotExist) || path == "" {
		_, err = fmt.Fprintln(c.stdout,
			`There is no list of deletions: accounts that were deleted after the backup are back. "moothall user delete --id ID" deletes one.`)
		return err
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	list, err := backup.ReadDeletions(file)
	if err != nil {
		return err
	}
	accounts, err := app.NewAccounts(ctx, d, s)
	if err != nil {
		return err
	}
	if m.CreatedAt.Before(list.Since) {
		_, _ = fmt.Fprintf(c.stdout,
			"The list of deletions begins only at %s: accounts that were deleted between the backup and then are back.\n",
			list.Since.Format(time.RFC3339))
	}
	repeated, err := backup.RepeatDeletions(ctx, list.Deletions, func(ctx context.Context, id domain.UserID) error {
		if _, err := accounts.Users.Account(ctx, d, id); err != nil {
			return err
		}
		return accounts.Delete(ctx, id)
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%d accounts that were deleted until %s are deleted again.\n", repeated, list.AsOf.Format(time.RFC3339))
	return err
}

func addIdentityFlag(command *cobra.Command, identity *string) {
	command.Flags().StringVar(identity, "identity", "", "`file` with private keys of age (AGE-SECRET-KEY-...), for an encrypted backup")
}

// withBackup opens a backup, and decrypts it if it is encrypted.
func (c *call) withBackup(path, identity string, use func(io.Reader) error) (err error) {
	var identities []age.Identity
	if identity != "" {
		file, err := os.Open(identity) //nolint:gosec // the path is that of the operator
		if err != nil {
			return err
		}
		identities, err = age.ParseIdentities(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("%s: %w", identity, err)
		}
	}
	from := c.stdin
	if path != standard {
		file, err := os.Open(path) //nolint:gosec // the path is that of the operator
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // it was only read
		from = file
	}
	decrypted, err := backup.Decrypt(from, identities)
	if errors.Is(err, backup.ErrEncrypted) {
		return fmt.Errorf("%w: --identity names the file with the private key", err)
	}
	if err != nil {
		return err
	}
	return use(decrypted)
}

func (c *call) reportContents(to io.Writer, contents backup.Contents) error {
	var rows int64
	for _, t := range contents.Tables {
		rows += t.Count
	}
	_, err := fmt.Fprintf(to, "%d rows in %d tables, %d pictures, %d keys.\n", rows, len(contents.Tables), contents.Pictures.Count,
		len(contents.Keys))
	if err == nil && contents.Missing > 0 {
		_, err = fmt.Fprintf(to, "%d pictures were not in the store. The service may have deleted them during the backup.\n", contents.Missing)
	}
	return err
}
