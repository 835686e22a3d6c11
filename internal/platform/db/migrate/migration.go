package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"moothall/internal/platform/db/migrations"
)

// Applied is a migration that was applied to a database.
type Applied struct {
	Number   int    `json:"number"`
	Name     string `json:"name"`
	Checksum string `json:"checksum"` // SHA-256 of the file, hexadecimal
}

// migration is one numbered file: 0080_event.sql.
type migration struct {
	Applied
	text string
}

// readMigrations returns the migrations in order. Numbers may have gaps.
func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "*.sql") // sorted
	if err != nil {
		return nil, err
	}
	var all []migration
	last := 0
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		digits, _, _ := strings.Cut(name, "_")
		number, err := strconv.Atoi(digits)
		if err != nil || number <= last {
			return nil, fmt.Errorf("%s must have a number above %04d", name, last)
		}
		last = number
		sum := sha256.Sum256(text)
		all = append(all, migration{Applied{number, name, hex.EncodeToString(sum[:])}, string(text)})
	}
	return all, nil
}

// Newest returns the number of the newest migration of this program.
func Newest() int {
	all, err := readMigrations(migrations.Files)
	if err != nil || len(all) == 0 {
		return 0 // Run returns the error
	}
	return all[len(all)-1].Number
}
