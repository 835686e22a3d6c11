package job

import (
	"fmt"
	"strconv"
	"strings"
)

// Leases are the leases of a table's rows: the worker that has leased a row is the only one that works on it. The table has a
// column lease, which is the id of the lease or NULL.
//
// What differs by need stands with its table: webhooks are chosen by the shares of their users before they are leased, and only jobs
// renew a lease or lock it in a transaction.
type Leases struct {
	Table string
	Key   string // the columns of the primary key: "kind, key"
	Due   string // the column with the time from which a worker may take the row; of a leased row: the end of the lease
}

// Take returns a statement that leases the n rows that meet a condition and have been due the longest, or, if n is 0, all that
// meet it. It also makes the assignments of set, and returns columns. $1 is the lease, $2 its end.
func (l Leases) Take(n int, condition, columns string, set ...string) string {
	assignments := strings.Join(append([]string{"lease = $1", l.Due + " = $2"}, set...), ", ")
	match, first := "IN", ""
	if n > 0 {
		first = " ORDER BY " + l.Due + " LIMIT " + strconv.Itoa(n)
	}
	if n == 1 {
		match = "=" // PostgreSQL may run the subquery of IN again for each row of the table
	}
	// SKIP LOCKED skips rows that another worker is taking or changing.
	return fmt.Sprintf(`UPDATE %[1]s SET %[2]s WHERE (%[3]s) %[4]s (SELECT %[3]s FROM %[1]s WHERE %[5]s%[6]s FOR UPDATE SKIP LOCKED)
		RETURNING %[7]s`, l.Table, assignments, l.Key, match, condition, first, columns)
}

// Held is the condition of the row that has a key and a lease, which are the first parameters of the statement.
func (l Leases) Held() string {
	columns := strings.Split(l.Key+", lease", ", ")
	for i, column := range columns {
		columns[i] = fmt.Sprintf("%s = $%d", column, i+1)
	}
	return strings.Join(columns, " AND ")
}

// Release returns a statement that ends the lease of a row and makes the assignments of set. Its first parameters are those of
// Held.
func (l Leases) Release(set string) string {
	return "UPDATE " + l.Table + " SET lease = NULL, " + set + " WHERE " + l.Held()
}
