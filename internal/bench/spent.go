package bench

import (
	"slices"
	"time"
)

// spent is what a measurement has cost.
type spent struct {
	database, generator time.Duration // of the processors
	Spent
}

func (s spent) since(before spent) spent {
	s.Processor -= before.Processor
	s.database -= before.database
	s.generator -= before.generator
	s.Allocations -= before.Allocations
	s.AllocatedBytes -= before.AllocatedBytes
	s.Statements -= before.Statements
	return s
}

func (s spent) plus(more spent) spent {
	s.Processor += more.Processor
	s.database += more.database
	s.generator += more.generator
	s.Allocations += more.Allocations
	s.AllocatedBytes += more.AllocatedBytes
	s.Statements += more.Statements
	return s
}

// spent tells what a server has cost so far, and who works with it.
func (st *stage) spent(server *remote) (s spent, err error) {
	if err := server.call("Spend", struct{}{}, &s.Spent); err != nil {
		return s, err
	}
	s.database = familyTime(st.postmaster)
	s.generator = ownTime()
	return s, nil
}

// sums are the parts of one measurement.
type sums struct {
	requests int
	took     []time.Duration // each request, where that is known
	all      time.Duration   // all together
	after    time.Duration   // of the jobs left for later
	spent    spent
}

func (s *sums) add(part sums) {
	s.requests += part.requests
	s.took = append(s.took, part.took...)
	s.all += part.all
	s.after += part.after
	s.spent = s.spent.plus(part.spent)
}

// measure gives the figures; none for no requests.
func (s sums) measure() (m Measure) {
	if s.requests == 0 || s.all <= 0 {
		return m
	}
	slices.Sort(s.took)
	each := func(total float64) float64 { return total / float64(s.requests) }
	return Measure{
		Requests:  s.requests,
		PerSecond: float64(s.requests) / s.all.Seconds(),
		P50:       percentile(s.took, 50), P99: percentile(s.took, 99), P999: percentile(s.took, 99.9),
		CPU:         each(float64(s.spent.Processor.Microseconds())),
		Database:    each(float64(s.spent.database.Microseconds())),
		Allocations: each(float64(s.spent.Allocations)), Allocated: each(float64(s.spent.AllocatedBytes)),
		Statements: each(float64(s.spent.Statements)),
		After:      s.after,
		Generator:  s.spent.generator.Seconds() / s.all.Seconds(),
	}
}
