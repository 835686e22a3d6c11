package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/internal/platform/db"
	"moothall/internal/test/disktest"
)

func openFile(t *testing.T) (*db.DB, string) {
	path := filepath.Join(t.TempDir(), "test.db")
	return open(t, "sqlite:"+path, db.Options{}), path
}

func TestSQLiteConnectionsHaveTheirPragmas(t *testing.T) {
	d, _ := openFile(t)
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "cache_size": "-8000", "temp_store": "2", "query_only": "1",
	} {
		s := db.SQL("test.pragma_"+pragma, "SELECT CAST("+pragma+" AS TEXT) FROM pragma_"+pragma)
		var got string
		must(t, d.One(t.Context(), s).Scan(&got))
		if got != want {
			t.Errorf("reader: %s = %s, want %s", pragma, got, want)
		}
		must(t, d.InTx(t.Context(), func(tx db.Tx) error { return tx.One(t.Context(), s).Scan(&got) }))
		if pragma == "query_only" {
			want = "0"
		}
		if got != want {
			t.Errorf("writer: %s = %s, want %s", pragma, got, want)
		}
	}
}

func TestSQLiteTablesAreStrict(t *testing.T) {
	d, _ := openFile(t)
	table := db.SQL("test.table_options", `SELECT strict, wr FROM pragma_table_list WHERE name = $1`)
	for name, clustered := range map[string]bool{"samples": false, "marks": true, "counters": false, "scratch": true,
		"schema_migrations": false} {
		var strict, wr int
		must(t, d.One(t.Context(), table, name).Scan(&strict, &wr))
		if strict != 1 || (wr == 1) != clustered {
			t.Errorf("%s: strict %d, without rowid %d", name, strict, wr)
		}
	}
	if err := mark(t.Context(), d, "a", 1); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Exec(t.Context(), addMark, "a", "no number"); err == nil {
		t.Error("a BIGINT column accepted a text")
	}
}

func TestSQLiteReadersCannotWrite(t *testing.T) {
	d, _ := openFile(t)
	sneaky := db.SQL("test.sneaky", `INSERT INTO marks (owner, n) VALUES ('a', 1) RETURNING n`)
	if err := d.One(t.Context(), sneaky).Scan(new(int)); err == nil {
		t.Error("One wrote outside of a transaction")
	}
}

// TestSQLiteFileSharedByTwoProcesses opens the file twice: locks belong to
// connections, not to processes.
func TestSQLiteFileSharedByTwoProcesses(t *testing.T) {
	first, path := openFile(t)
	second := open(t, "sqlite:"+path, db.Options{})
	together(40, func(i int) {
		d := first
		if i%2 == 1 {
			d = second
		}
		if err := mark(t.Context(), d, "a", i); err != nil {
			t.Error(err)
		}
	})
	if n := marks(t, first, "a"); n != 40 {
		t.Errorf("%d rows, want 40", n)
	}
}

// TestTruncateLogWaitsForReaders empties the log although a reader uses it for a moment.
func TestTruncateLogWaitsForReaders(t *testing.T) {
	d, path := openFile(t)
	done := make(chan error, 1)
	err := d.Snapshot(t.Context(), func(q db.Querier) error {
		if err := q.One(t.Context(), countMarks, "a").Scan(new(int)); err != nil {
			return err
		}
		if err := mark(t.Context(), d, "a", 1); err != nil {
			return err
		}
		go func() { done <- d.TruncateLog(t.Context()) }()
		time.Sleep(200 * time.Millisecond) // longer than an attempt
		return nil
	})
	if err := errors.Join(err, <-done); err != nil {
		t.Fatal(err)
	}
	if log, err := os.Stat(path + "-wal"); err != nil || log.Size() != 0 {
		t.Errorf("the log is not empty: %v, %v", log, err)
	}
}

// TestSQLiteGroupCommitIncludesRunnableCallers makes several callers runnable at once
// on one processor. A writer that commits for the first caller alone would serve it
// again and again before the others. Sometimes the runtime resumes the writer too early.
func TestSQLiteGroupCommitIncludesRunnableCallers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const rounds, callers = 20, 64
	d, _ := openFile(t)
	first := 0 // members of the first commit of each round
	for round := range rounds {
		owner := strconv.Itoa(round)
		together(callers, func(i int) {
			if err := d.InTx(t.Context(), func(tx db.Tx) error {
				if marks(t, d, owner) == 0 { // nothing is committed yet
					first++
				}
				return mark(t.Context(), tx, owner, i)
			}); err != nil {
				t.Error(err)
			}
		})
	}
	if first < rounds*callers/8 {
		t.Errorf("of %d callers, the first commits of %d rounds served %d together", callers, rounds, first)
	}
}

// TestSQLiteKeepsAcknowledgedWritesAfterKill starts this binary as a writer that
// prints acknowledged writes, and kills it.
func TestSQLiteKeepsAcknowledgedWritesAfterKill(t *testing.T) {
	if path := os.Getenv("DB_TEST_WRITER"); path != "" {
		d := open(t, "sqlite:"+path, db.Options{})
		for i := 0; ; i++ {
			must(t, mark(t.Context(), d, "a", i))
			_, err := os.Stdout.WriteString("+")
			must(t, err)
		}
	}
	path := filepath.Join(t.TempDir(), "test.db")
	child := exec.Command(os.Args[0], "-test.run=^TestSQLiteKeepsAcknowledgedWritesAfterKill$")
	child.Env = append(os.Environ(), "DB_TEST_WRITER="+path)
	acknowledged, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	first := make([]byte, 100)
	_, err = io.ReadFull(acknowledged, first)
	must(t, err)
	must(t, child.Process.Kill())
	rest, err := io.ReadAll(acknowledged)
	must(t, err)
	_ = child.Wait() // killed
	d := open(t, "sqlite:"+path, db.Options{})
	stored, told := marks(t, d, "a"), bytes.Count(slices.Concat(first, rest), []byte("+"))
	if stored < told || stored > told+1 {
		t.Errorf("%d writes were acknowledged, %d are stored", told, stored)
	}
}

func TestOpenRefusesUnknownURLs(t *testing.T) {
	for _, url := range []string{"", "sqlite:", "mysql://localhost/x", "moothall.db"} {
		if _, err := db.Open(t.Context(), url, db.Options{}); err == nil || !strings.Contains(err.Error(), "sqlite: or postgres://") {
			t.Errorf("%q: %v", url, err)
		}
	}
	if _, err := db.Open(t.Context(), "sqlite:/proc/nowhere/x.db", db.Options{}); err == nil {
		t.Error("opened a file in a directory that cannot be")
	}
}

// TestGroupInDoubt lets the flush of a group commit fail: every member learns that its
// outcome is unknown, except one that failed by itself.
func TestGroupInDoubt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	disk := disktest.New(t, filepath.Dir(path))
	d := open(t, "sqlite:"+path, db.Options{})
	begun, end := make(chan struct{}), make(chan struct{})
	outcomes := make(chan error, 7)
	go func() {
		outcomes <- d.InTx(context.Background(), func(tx db.Tx) error {
			close(begun)
			<-end
			return mark(t.Context(), tx, "a", 0)
		})
	}()
	<-begun
	for n := range 5 {
		go func() { outcomes <- mark(context.Background(), d, "a", n+1) }()
	}
	go func() { outcomes <- d.InTx(context.Background(), func(db.Tx) error { return errRefused }) }()
	time.Sleep(100 * time.Millisecond) // let them queue
	disk.FailFlush.Store(true)
	close(end)
	doubts := 0
	for range cap(outcomes) {
		switch err := <-outcomes; {
		case errors.Is(err, db.ErrInDoubt) && !errors.Is(err, db.ErrUnavailable):
			doubts++
		case !errors.Is(err, errRefused):
			t.Errorf("got %v", err)
		}
	}
	disk.FailFlush.Store(false)
	if doubts != 6 {
		t.Errorf("%d of 6 are in doubt", doubts)
	}
	must(t, mark(t.Context(), d, "a", 1))
}
