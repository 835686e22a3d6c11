package db

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"moothall/internal/platform/db/driver"
)

// Binding is a column and the variable of a T that holds its value. Row.Scan writes the
// variable. As an argument of a statement, a pointer to it stands for the value at the time of
// execution.
type Binding[T any] struct {
	Column string
	Var    func(*T) any // returns a pointer
}

// Bind returns the Binding of a column.
func Bind[T any](column string, variable func(*T) any) Binding[T] {
	return Binding[T]{column, variable}
}

// Bindings name the columns of a table once, for all statements that read or write them.
type Bindings[T any] []Binding[T]

// Embed returns the bindings of a T that has an Inner with bindings.
func Embed[T, Inner any](inner Bindings[Inner], of func(*T) *Inner) Bindings[T] {
	all := make(Bindings[T], len(inner))
	for i, b := range inner {
		all[i] = Bind(b.Column, func(row *T) any { return b.Var(of(row)) })
	}
	return all
}

// Vars returns pointers to the variables.
func (b Bindings[T]) Vars(row *T) []any {
	vars := make([]any, len(b), len(b)+4) // statements have a few more
	for i := range b {
		vars[i] = b[i].Var(row)
	}
	return vars
}

// Names returns the names of the columns.
func (b Bindings[T]) Names() []string {
	return b.items(func(_ int, column string) string { return column })
}

// Columns returns the names as a list in SQL.
func (b Bindings[T]) Columns() string { return strings.Join(b.Names(), ", ") }

// Params returns the parameters of the columns as a list in SQL. $first is the first one.
func (b Bindings[T]) Params(first int) string {
	return strings.Join(b.items(func(i int, _ string) string { return fmt.Sprintf("$%d", first+i) }), ", ")
}

// Assignments returns the SET list of an UPDATE. $first is the parameter of the first column.
func (b Bindings[T]) Assignments(first int) string {
	return strings.Join(b.items(func(i int, column string) string { return fmt.Sprintf("%s = $%d", column, first+i) }), ", ")
}

func (b Bindings[T]) items(item func(i int, column string) string) []string {
	items := make([]string, len(b))
	for i := range b {
		items[i] = item(i, b[i].Column)
	}
	return items
}

// Without returns the bindings of all other columns.
func (b Bindings[T]) Without(columns ...string) Bindings[T] {
	return slices.DeleteFunc(slices.Clone(b), func(x Binding[T]) bool { return slices.Contains(columns, x.Column) })
}

// Diff returns the names of the columns whose stored values differ between two rows.
func (b Bindings[T]) Diff(row, other *T) []string {
	columns := []string{}
	for i := range b {
		one, _ := driver.Normalize(b[i].Var(row)) // a text that cannot be stored differs from others, too
		two, _ := driver.Normalize(b[i].Var(other))
		if !reflect.DeepEqual(one, two) {
			columns = append(columns, b[i].Column)
		}
	}
	return columns
}

// JSON returns an object of the columns and their values, in order.
func (b Bindings[T]) JSON(row *T) (json.RawMessage, error) {
	var object bytes.Buffer
	for i := range b {
		value, err := json.Marshal(b[i].Var(row))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&object, `,%q:%s`, b[i].Column, value)
	}
	return fmt.Appendf(nil, "{%s}", bytes.TrimPrefix(object.Bytes(), []byte(","))), nil
}
