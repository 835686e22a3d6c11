package ops_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"moothall/internal/ops/app"
	"moothall/internal/ops/backup"
	"moothall/internal/platform/blob"
	"moothall/internal/platform/db"
)

// TestForgedBackups restores archives with changed names, types, sizes and values.
func TestForgedBackups(t *testing.T) {
	t.Parallel()
	file, _ := write(t, source(t, world(t, db.SQLite)))
	replace := func(old, forged string) func(*tar.Header, []byte) []byte {
		return func(h *tar.Header, data []byte) []byte {
			h.Name = strings.Replace(h.Name, old, forged, 1)
			return bytes.Replace(data, []byte(old), []byte(forged), 1)
		}
	}
	for name, forge := range map[string]func(*tar.Header, []byte) []byte{
		"SQL in the name of a table":  replace(`"name": "users"`, `"name": "users (id) SELECT 1; --"`),
		"SQL in the name of a column": replace(`"name": "display_name"`, `"name": "display_name, user_id"`),
		"type of a column":            replace(`"type": "BOOLEAN"`, `"type": "TEXT"`),
		"table twice":                 replace(`"name": "profiles"`, `"name": "users"`),
		"number of rows":              replace(`"rows": 10`, `"rows": 11`),
		"text that is not UTF-8":      replace("[\"", "[\"\xff"),
		"row with another column":     replace("]\n[", ",1]\n["),
		"nested arrays":               replace("]\n[", "]\n"+strings.Repeat("[", 100_000)),
		"unknown key":                 replace("keys/secret.key", "keys/moothall.db-wal"),
		"key outside of the folder":   replace("keys/secret.key", "keys/../../secret.key"),
		"absolute path":               replace("pictures/ab/one.jpg", "/one.jpg"),
		"chunk of an earlier table":   replace("tables/users/000001", "tables/events/000001"),
		"JSON of another kind":        replace(`"migrations": [`, `"migrations": [0, `),
		"symbolic link":               func(h *tar.Header, data []byte) []byte { return linked(h, "keys/secret.key", tar.TypeSymlink, data) },
		"device":                      func(h *tar.Header, data []byte) []byte { return linked(h, "pictures/ab/one.jpg", tar.TypeChar, data) },
	} {
		forged := rewrite(t, file, forge)
		_, _, err := backup.Verify(t.Context(), bytes.NewReader(forged), nil)
		if err == nil {
			err = restoreInto(t, forged, empty(t, db.SQLite))
		}
		if !errors.Is(err, backup.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, row := range map[string]struct {
		file []byte
		want string
	}{
		"later format":                  {rewrite(t, file, replace(`"format": 2`, `"format": 3`)), "use the version that wrote it"},
		"migration of another program":  {rewrite(t, file, replace(`"number": 10`, `"number": 9`)), "differs"},
		"entry that is larger than RAM": {hugeEntry(t), "too large"},
	} {
		if err := restoreInto(t, row.file, empty(t, db.SQLite)); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// restoreInto restores a backup as the command does.
func restoreInto(t *testing.T, file []byte, d *db.DB) error {
	t.Helper()
	folder := t.TempDir()
	destination, err := app.BackupDestination(app.Settings{Media: blob.Location{Dir: filepath.Join(folder, "media")}}, d, folder, now)
	must(t, err)
	_, _, err = backup.Restore(t.Context(), bytes.NewReader(file), destination)
	must(t, destination.Store.Close())
	return err
}

// linked makes an entry a link or device.
func linked(h *tar.Header, name string, kind byte, data []byte) []byte {
	if h.Name != name {
		return data
	}
	h.Typeflag, h.Linkname = kind, "/etc/passwd"
	return nil
}

// hugeEntry returns the beginning of an archive whose first entry is too large.
func hugeEntry(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	out, err := zstd.NewWriter(&file)
	must(t, err)
	must(t, tar.NewWriter(out).WriteHeader(&tar.Header{Name: "manifest.json", Typeflag: tar.TypeReg, Size: 1 << 40}))
	must(t, out.Close())
	return file.Bytes()
}

// rewrite changes the entries of an archive.
func rewrite(t *testing.T, file []byte, change func(h *tar.Header, data []byte) []byte) []byte {
	t.Helper()
	in, err := zstd.NewReader(bytes.NewReader(file))
	must(t, err)
	defer in.Close()
	var changed bytes.Buffer
	out, err := zstd.NewWriter(&changed)
	must(t, err)
	from, to := tar.NewReader(in), tar.NewWriter(out)
	for {
		header, err := from.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		must(t, err)
		data, err := io.ReadAll(from)
		must(t, err)
		data = change(header, data)
		header.Size = int64(len(data))
		must(t, to.WriteHeader(header))
		_, err = to.Write(data)
		must(t, err)
	}
	must(t, to.Close())
	must(t, out.Close())
	return changed.Bytes()
}
