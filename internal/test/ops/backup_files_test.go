package ops_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"filippo.io/age"
	"filippo.io/age/armor"
	"github.com/klauspost/compress/zstd"

	"moothall/internal/ops/backup"
	"moothall/internal/platform/db"
	"moothall/internal/test/dbtest"
)

// TestOtherFilesAreNotBackups reads files that are no backups, and one that cannot be read.
func TestOtherFilesAreNotBackups(t *testing.T) {
	t.Parallel()
	archive := func(name string) []byte {
		var file bytes.Buffer
		compressed, err := zstd.NewWriter(&file)
		must(t, err)
		w := tar.NewWriter(compressed)
		must(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o600}))
		must(t, errors.Join(w.Close(), compressed.Close()))
		return file.Bytes()
	}
	encoder, err := zstd.NewWriter(nil)
	must(t, err)
	for name, file := range map[string][]byte{
		"empty": {}, "text": []byte("hello"), "short": []byte("x"), "database": []byte("SQLite format 3\x00 and more"),
		"other archive":         archive("letter.txt"),
		"other compressed file": encoder.EncodeAll(bytes.Repeat([]byte("hello"), 1000), nil),
	} {
		if _, _, err := backup.Verify(t.Context(), bytes.NewReader(file), nil); !errors.Is(err, backup.ErrNotBackup) ||
			errors.Is(err, backup.ErrDamaged) {
			t.Errorf("%s: verify: %v", name, err)
		}
		if _, err := backup.Check(bytes.NewReader(file)); !errors.Is(err, backup.ErrNotBackup) {
			t.Errorf("%s: restore: %v", name, err)
		}
	}
	folder, err := os.Open(t.TempDir())
	must(t, err)
	defer func() { _ = folder.Close() }()
	if _, _, err := backup.Verify(t.Context(), folder, nil); !errors.Is(err, syscall.EISDIR) || errors.Is(err, backup.ErrDamaged) {
		t.Errorf("folder: %v", err)
	}
}

// TestReplacedPartialFile lets another process replace the file that a backup writes: the backup fails, and the
// file of the other process remains.
func TestReplacedPartialFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "backup")
	s := source(t, dbtest.Open(t, db.SQLite))
	s.Pictures = func(context.Context, db.Querier) iter.Seq2[string, error] {
		must(t, os.Remove(path+".partial"))
		must(t, os.WriteFile(path+".partial", []byte("of another process"), 0o600))
		return func(func(string, error) bool) {}
	}
	if _, err := backup.WriteFile(t.Context(), path, nil, s); err == nil {
		t.Error("the backup succeeds")
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the backup: %v", err)
	}
	if data, err := os.ReadFile(path + ".partial"); err != nil || string(data) != "of another process" {
		t.Errorf("the other file: %q, %v", data, err)
	}
}

// TestEncryptedBackups encrypts a backup for two recipients. Each can read it, and nobody else.
func TestEncryptedBackups(t *testing.T) {
	t.Parallel()
	anna, boris, eve := identity(t), identity(t), identity(t)
	s := source(t, dbtest.Open(t, db.SQLite))
	var file bytes.Buffer
	_, err := backup.WriteEncrypted(t.Context(), &file, []age.Recipient{anna.Recipient(), boris.Recipient()}, s)
	must(t, err)
	for name, row := range map[string]struct {
		identities []age.Identity
		want       error
	}{
		"first recipient":  {[]age.Identity{anna}, nil},
		"second recipient": {[]age.Identity{eve, boris}, nil},
		"somebody else":    {[]age.Identity{eve}, backup.ErrEncrypted},
		"without a key":    {nil, backup.ErrEncrypted},
	} {
		for form, content := range map[string][]byte{"binary": file.Bytes(), "armored": armored(t, file.Bytes())} {
			from, err := backup.Decrypt(bytes.NewReader(content), row.identities)
			if err == nil {
				_, _, err = backup.Verify(t.Context(), from, nil)
			}
			if !errors.Is(err, row.want) {
				t.Errorf("%s, %s: %v, want %v", name, form, err, row.want)
			}
		}
	}
	passphrase, err := age.NewScryptRecipient("a passphrase")
	must(t, err)
	passphrase.SetWorkFactor(2)
	var other bytes.Buffer
	_, err = backup.WriteEncrypted(t.Context(), &other, []age.Recipient{passphrase}, s)
	must(t, err)
	if _, err := backup.Decrypt(&other, []age.Identity{anna}); !errors.Is(err, backup.ErrEncrypted) {
		t.Errorf("encrypted by a passphrase: %v", err)
	}
	for form, content := range map[string][]byte{"binary": file.Bytes(), "armored": armored(t, file.Bytes())} {
		from, err := backup.Decrypt(bytes.NewReader(content[:len(content)-100]), []age.Identity{anna})
		must(t, err)
		if _, _, err := backup.Verify(t.Context(), from, nil); !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("cut off, %s: %v", form, err)
		}
	}
}

// armored returns the content of a file in the ASCII armor of age.
func armored(t *testing.T, content []byte) []byte {
	t.Helper()
	var file bytes.Buffer
	w := armor.NewWriter(&file)
	_, err := w.Write(content)
	must(t, errors.Join(err, w.Close()))
	return file.Bytes()
}

func identity(t *testing.T) *age.X25519Identity {
	t.Helper()
	i, err := age.GenerateX25519Identity()
	must(t, err)
	return i
}
