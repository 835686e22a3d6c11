package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"moothall/internal/domain"
	"moothall/internal/meetup/media"
	"moothall/internal/ops/backup"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
	"moothall/internal/platform/files"
)

// The names of keys in a backup.
const (
	secretKeyName = "secret.key"
	dkimKeyName   = "dkim.pem"
)

// BackupSource returns what a backup of the service contains. The caller must close its Store.
func BackupSource(s Settings, d *db.DB, now time.Time) (backup.Source, error) {
	keys, err := s.keys()
	if err != nil {
		return backup.Source{}, err
	}
	store, err := blob.Open(s.Media, time.Time{}) // removes nothing: the service may be writing
	if err != nil {
		return backup.Source{}, err
	}
	return backup.Source{DB: d, Now: now, Program: Version, Keys: keys, Pictures: media.Files, Store: store}, nil
}

// newBackups returns the schedule of backups; nil if the service makes none.
func newBackups(d *db.DB, now domain.Clock, s Settings, log *slog.Logger) *backup.Schedule {
	if s.Backup.Dir == "" && s.Backup.Bucket == "" {
		return nil
	}
	return &backup.Schedule{
		Every: s.BackupEvery, Keep: s.BackupKeep, Recipients: s.BackupRecipients, DB: d, Clock: now, Log: log,
		Open: func(now time.Time) (blob.Store, error) { return blob.Open(s.Backup, now) },
		Source: func(ctx context.Context) (backup.Source, error) {
			own, err := db.Open(ctx, s.DatabaseURL, db.Options{Connections: 1, Readers: 1, MustExist: true}) // takes no connection from requests
			if err != nil {
				return backup.Source{}, err
			}
			source, err := BackupSource(s, own, now.Now())
			if err != nil {
				return source, errors.Join(err, own.Close())
			}
			return source, nil
		},
	}
}

// keys returns the secrets that stored data depend on.
func (s *Settings) keys() (map[string][]byte, error) {
	keys := map[string][]byte{}
	if s.DKIMKeyFile != "" {
		key, err := os.ReadFile(s.DKIMKeyFile)
		if err != nil {
			return nil, err
		}
		keys[dkimKeyName] = key
	}
	key := s.SecretKey
	if len(key) == 0 {
		if s.dataFolder() == "" {
			return nil, errors.New("SECRET_KEY must be that of the service")
		}
		var err error
		key, err = os.ReadFile(filepath.Join(s.dataFolder(), secretKeyName))
		if errors.Is(err, fs.ErrNotExist) { // the service has not started yet
			return keys, nil
		}
		if err != nil {
			return nil, err
		}
	}
	keys[secretKeyName] = key
	return keys, nil
}

// dataFolder returns the folder of the SQLite file; empty with PostgreSQL.
func (s *Settings) dataFolder() string {
	file, ok := strings.CutPrefix(s.DatabaseURL, "sqlite:")
	if !ok {
		return ""
	}
	return filepath.Dir(file)
}

// BackupDestination returns where a backup is restored to. Keys are stored in a folder, which is
// that of the SQLite file if it is empty. The caller must close its Store.
func BackupDestination(s Settings, d *db.DB, keys string, now time.Time) (backup.Destination, error) {
	if keys == "" {
		keys = s.dataFolder()
	}
	store, err := blob.Open(s.Media, now)
	if err != nil {
		return backup.Destination{}, err
	}
	key := func(name string, data []byte) error { return s.restoreKey(keys, name, data) }
	temporary := func() (*files.TempFolder, error) { return openTemporary(s) }
	return backup.Destination{DB: d, Store: store, Key: key, Temporary: temporary}, nil
}

// restoreKey stores a key in a file, unless the settings contain it.
func (s *Settings) restoreKey(folder, name string, data []byte) error {
	if name != secretKeyName && name != dkimKeyName {
		return fmt.Errorf("%w: unknown key %q", backup.ErrDamaged, name)
	}
	if name == secretKeyName && len(s.SecretKey) > 0 {
		if !s.keyring().Equal(data) {
			return errors.New("SECRET_KEY differs from that of the backup: unset it, or set SECRET_KEY or SECRET_KEY_PREVIOUS to that key")
		}
		return nil
	}
	if folder == "" {
		return fmt.Errorf("set SECRET_KEY to that of the service, or --keys to the folder that gets %s", name)
	}
	if err := files.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	path := filepath.Join(folder, name)
	err := files.Create(path, data)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	existing, err := os.ReadFile(path)
	if err == nil && !bytes.Equal(existing, data) {
		err = fmt.Errorf("%s contains another key than the backup: move it away", path)
	}
	return err
}
