package migrate_test

import "moothall/internal/test/enginetest"

var (
	countMarks     = enginetest.CountMarks
	onEngines      = enginetest.OnEngines
	testMigrations = enginetest.Migrations
	file           = enginetest.File
	open           = enginetest.Open
	must           = enginetest.Must
	together       = enginetest.Together
)
