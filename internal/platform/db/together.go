package db

import "context"

// Step is one of the statements that DB.Together runs.
type Step struct {
	stmt  *Stmt
	args  []any
	dest  []any // of its first row; none when nobody reads it
	topic string
	rows  int64 // that it changed or gave
}

// Do makes a step of a statement and its arguments.
func Do(s *Stmt, args ...any) Step { return Step{stmt: s, args: args} }

// Into has the first row scanned, as Row.Scan does. Without a row everything
// stays as it is.
func (s Step) Into(dest ...any) Step {
	s.dest = dest
	return s
}

// Hint tells the listeners of a topic, once everything has committed, when the
// step has changed something.
func (s Step) Hint(topic string) Step {
	s.topic = topic
	return s
}

// Stepper runs steps, one after the other: a DB as a transaction of their own,
// on PostgreSQL in one round trip with the commit; a Tx as a part of it, on
// PostgreSQL in one round trip.
//
// So no decision of the caller comes between them. The first step decides: when
// it changes nothing, done is false and nothing has happened. Therefore each of
// the others must name in its condition a row that the first one has written, as
// written_now(...) (see dialect.go) or by what only that row can hold, or
// change nothing either. Errors are those of InTx.
type Stepper interface {
	Together(ctx context.Context, steps ...Step) (done bool, err error)
}

// Together is described at Stepper.
func (d *DB) Together(ctx context.Context, steps ...Step) (done bool, err error) {
	w := &write{versions: d.versions}
	if err := d.within(w).beginAll(ctx, steps); err != nil {
		return false, err
	}
	w.begin()
	defer w.end()
	if err := d.store.together(ctx, steps); err != nil {
		return false, err
	}
	d.listeners.send(topics(steps))
	return steps[0].rows > 0, nil
}

// Together is described at Stepper.
func (q txQuerier) Together(ctx context.Context, steps ...Step) (done bool, err error) {
	if err := q.beginAll(ctx, steps); err != nil {
		return false, err
	}
	if err := q.run.together(ctx, steps); err != nil {
		return false, err
	}
	*q.hints = append(*q.hints, topics(steps)...)
	return steps[0].rows > 0, nil
}

func (q querier) beginAll(ctx context.Context, steps []Step) error {
	for _, s := range steps {
		if err := q.begin(ctx, s.stmt, s.args); err != nil {
			return s.stmt.explain(ctx, s.args, err)
		}
	}
	return nil
}

// topics are those of the steps that have changed something.
func topics(steps []Step) (topics []string) {
	for _, s := range steps {
		if s.topic != "" && s.rows > 0 {
			topics = append(topics, s.topic)
		}
	}
	return topics
}

func (c *sqliteConn) together(ctx context.Context, steps []Step) error {
	return oneByOne(ctx, c, steps)
}

// oneByOne runs steps by themselves. It needs no written_now: it goes on only when
// the first one has changed something.
func oneByOne(ctx context.Context, r runner, steps []Step) error {
	for i := range steps {
		if err := steps[i].run(ctx, r); err != nil || steps[0].rows == 0 {
			return err
		}
	}
	return nil
}

// run runs the step by itself.
func (s *Step) run(ctx context.Context, r runner) (err error) {
	if s.dest == nil {
		s.rows, err = r.exec(ctx, s.stmt, s.args)
		return s.stmt.explain(ctx, s.args, err)
	}
	s.rows = 0
	var scanned error
	err = r.query(ctx, s.stmt, s.args, func(row Row) bool {
		if s.rows++; s.rows == 1 {
			scanned = row.Scan(s.dest...)
		}
		return scanned == nil
	})
	if err == nil {
		err = scanned
	}
	return s.stmt.explain(ctx, s.args, err)
}

func (s *sqliteStore) together(ctx context.Context, steps []Step) error {
	return s.inTx(ctx, func(r txRunner) error { return oneByOne(ctx, r, steps) })
}
