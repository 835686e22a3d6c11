package migrate

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"moothall/internal/domain"
	"moothall/internal/platform/db"
	"moothall/internal/platform/db/dialect"
	"moothall/internal/platform/db/driver"
)

// Table is a table of the schema.
type Table = dialect.Table

// Column is a column of a table.
type Column = dialect.Column

// inOrder puts each table after those that it references.
func inOrder(tables []Table) ([]Table, error) {
	var sorted []Table
	placed := map[string]bool{}
	for len(sorted) < len(tables) {
		before := len(sorted)
		for _, t := range tables {
			if placed[t.Name] || slices.ContainsFunc(t.References, func(name string) bool { return !placed[name] }) {
				continue
			}
			placed[t.Name] = true
			sorted = append(sorted, t)
		}
		if len(sorted) == before {
			return nil, fmt.Errorf("db: tables reference each other: %d of %d can be ordered", before, len(tables))
		}
	}
	return sorted, nil
}

// ReadTable returns the rows of a table in the order of the primary key. A value is nil, or a
// string, int64, float64, bool, []byte or domain.ID[any]. The slice is valid until the next
// iteration.
func ReadTable(ctx context.Context, q db.Querier, t Table) iter.Seq2[[]any, error] {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	s := driver.NewStmt("db.read_table", "SELECT "+strings.Join(names, ", ")+" FROM "+t.Name+" ORDER BY "+strings.Join(t.Key, ", "))
	return func(yield func([]any, error) bool) {
		dest, values, err := destinations(t.Columns)
		if err != nil {
			yield(nil, err)
			return
		}
		for row, err := range q.Query(ctx, s) {
			if err == nil {
				err = row.Scan(dest...)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(values(), nil) {
				return
			}
		}
	}
}

// destinations returns the arguments of Row.Scan for columns, and a function that returns the scanned
// values.
func destinations(columns []dialect.Column) (dest []any, values func() []any, err error) {
	read := make([]func() any, len(columns))
	row := make([]any, len(columns))
	dest = make([]any, len(columns))
	for i, c := range columns {
		switch c.Type {
		case "TEXT":
			dest[i], read[i] = destination[string]()
		case "BIGINT", "INTEGER":
			dest[i], read[i] = destination[int64]()
		case "DOUBLE":
			dest[i], read[i] = destination[float64]()
		case "BOOLEAN":
			dest[i], read[i] = destination[bool]()
		case "UUID":
			dest[i], read[i] = destination[domain.ID[any]]()
		case "BYTEA":
			value := new([]byte)
			dest[i], read[i] = value, func() any {
				if *value == nil {
					return nil
				}
				return *value
			}
		default:
			return nil, nil, fmt.Errorf("db: column %s has the unknown type %s", c.Name, c.Type)
		}
	}
	return dest, func() []any {
		for i, value := range read {
			row[i] = value()
		}
		return row
	}, nil
}

func destination[T any]() (dest any, read func() any) {
	value := new(*T)
	return value, func() any {
		if *value == nil {
			return nil
		}
		return **value
	}
}

// Count returns the number of rows of a table.
func Count(ctx context.Context, q db.Querier, t Table) (n int64, err error) {
	err = q.One(ctx, driver.NewStmt("db.count", "SELECT COUNT(*) FROM "+t.Name)).Scan(&n)
	return n, err
}
