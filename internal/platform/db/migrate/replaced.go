package migrate

import (
	"errors"
	"slices"
)

// Before version 0.1.0, one migration for each owner of tables replaced all earlier ones, and creates the same tables.
// So this program does not upgrade a database from before, but restores its backups.
const (
	lastReplaced    = "67ce0321cd6e553dc1f46de0ec601d90975930455fd2552ab35085224dd0dff6" // SHA-256 of 0341_calendar_sealed.sql
	lastReplacement = 310                                                                // the number of 0310_db.sql
)

// ErrReplaced means that a database has the migrations from before version 0.1.0.
var ErrReplaced = errors.New("the database is from before version 0.1.0 and was not changed: carry its data over by " +
	`"moothall backup moothall.backup", then, with a new database in DATABASE_URL, "moothall restore moothall.backup"`)

// isReplaced reports whether these are the migrations from before version 0.1.0, all of them.
func isReplaced(applied []Applied) bool {
	return len(applied) > 0 && applied[len(applied)-1].Checksum == lastReplaced
}

// replacements returns the migrations that replaced those from before version 0.1.0.
func replacements(known []migration) []migration {
	return slices.DeleteFunc(known, func(m migration) bool { return m.Number > lastReplacement })
}
