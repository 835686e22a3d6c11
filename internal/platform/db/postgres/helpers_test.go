package postgres_test

import (
	"errors"

	"moothall/internal/test/enginetest"
)

var (
	countMarks = enginetest.CountMarks
	open       = enginetest.Open
	must       = enginetest.Must
	mustBe     = enginetest.MustBe
	mark       = enginetest.Mark
	marks      = enginetest.Marks
	together   = enginetest.Together
)

var errRefused = errors.New("refused")
