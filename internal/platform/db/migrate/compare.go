package migrate

import (
	"fmt"

	"moothall/internal/platform/db/migrations"
)

// compare refuses a database whose migrations differ from the program's.
func compare(known []migration, applied []Applied) error {
	if isReplaced(applied) {
		return ErrReplaced
	}
	for i, a := range applied[:min(len(applied), len(known))] {
		if k := known[i]; a.Number != k.Number || a.Checksum != k.Checksum {
			return fmt.Errorf("migration %d in the database (%s) differs from %s in this program: an applied migration must not change",
				a.Number, a.Name, k.Name)
		}
	}
	if len(applied) > len(known) {
		return fmt.Errorf("the database is newer than this program: it has migration %s, this program has only %d; run a newer version",
			applied[len(applied)-1].Name, len(known))
	}
	return nil
}

// knownOf returns the migrations, of the known ones, that create the tables of another database.
func knownOf(known []migration, of []Applied) ([]migration, error) {
	if isReplaced(of) {
		return replacements(known), nil
	}
	if err := compare(known, of); err != nil {
		return nil, err
	}
	return known[:len(of)], nil
}

// Check returns an error if this program does not have the migrations of another database.
func Check(of []Applied) error {
	known, err := readMigrations(migrations.Files)
	if err != nil {
		return err
	}
	_, err = knownOf(known, of)
	return err
}
