package db_test

import (
	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/test/enginetest"
)

// The conformance suite: every test that calls onEngines runs on both engines and
// expects the same result.

var (
	addMark, countMarks = enginetest.AddMark, enginetest.CountMarks
	listMarks           = db.SQL("test.list_marks", `SELECT n FROM marks WHERE owner = $1 ORDER BY n`)
	deleteMarks         = db.SQL("test.delete_marks", `DELETE FROM marks WHERE owner = $1`)

	onEngines      = enginetest.OnEngines
	testMigrations = enginetest.Migrations
	file           = enginetest.File
	open           = enginetest.Open
	must           = enginetest.Must
	mustBe         = enginetest.MustBe
	mark           = enginetest.Mark
	marks          = enginetest.Marks
	together       = enginetest.Together
	hold           = enginetest.Hold
)

type sampleKind struct{}

func newID() domain.ID[sampleKind] { return domain.RandomID[sampleKind]() }
