package sqlite_test

import (
	"errors"

	"moothall/internal/test/enginetest"
)

var (
	addMark    = enginetest.AddMark
	countMarks = enginetest.CountMarks
	open       = enginetest.Open
	must       = enginetest.Must
	mark       = enginetest.Mark
	marks      = enginetest.Marks
	together   = enginetest.Together
)

var errRefused = errors.New("refused")
