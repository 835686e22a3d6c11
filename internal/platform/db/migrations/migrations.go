// Package migrations has the files of the migrations of this program.
package migrations

import "embed"

// Files are the migrations, one for each owner of tables: 0080_event.sql. Package migrate applies them in the order of
// their numbers.
//
//go:embed *.sql
var Files embed.FS
