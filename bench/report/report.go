// Package report holds the figures of a benchmark run: as JSON, as Markdown
// tables, judged against the goals, and compared with an earlier run.
package report

import (
	"math"
	"slices"
	"time"
)

// Report is the figures of one run.
type Report struct {
	Machine  Machine   `json:"machine"`
	Datasets []Dataset `json:"worlds"`
}

// Machine describes the machine on which the figures were measured.
type Machine struct {
	System    string `json:"system"`
	Processor string `json:"processor,omitempty"`
	Cores     int    `json:"cores"`
	Go        string `json:"go"`
	Server    string `json:"server_cores,omitempty"` // empty: not pinned
	Generator string `json:"generator_cores,omitempty"`
	Load      string `json:"load,omitempty"` // load average before the run
}

// Dataset is one size of the seeded data on one engine.
type Dataset struct {
	Engine      string        `json:"engine"`
	Version     string        `json:"version"`
	Events      int           `json:"events"`
	Users       int           `json:"users"`
	Attendances int           `json:"attendances,omitempty"`
	Followers   int           `json:"followers"`          // of the most followed organizer
	Load        string        `json:"load,omitempty"`     // load average before
	LoadEnd     string        `json:"load_end,omitempty"` // load average after
	Start       time.Duration `json:"start_ns,omitempty"` // from the start of the process to the first response to GET /events
	FirstCreate time.Duration `json:"first_create_ns,omitempty"`
	Memory      Memory        `json:"memory"`
	Rows        []Row         `json:"rows"`
}

// Memory is the memory of the service in MiB, 0 if it is unknown.
type Memory struct {
	Peak int `json:"peak_mb,omitempty"` // resident, the maximum
	End  int `json:"end_mb,omitempty"`  // resident, after the last operation
	Own  int `json:"own_mb,omitempty"`  // of End, without mapped files

	Response int64 `json:"response_bytes,omitempty"` // heap of one response to threads that its client does not read
}

// Row is the figures of one operation with one number of callers.
type Row struct {
	Operation  string  `json:"operation"`
	Callers    int     `json:"callers"`
	Bytes      int     `json:"bytes"`      // of one response body
	Statements int     `json:"statements"` // per request, including those of the jobs that it queues
	Served     Measure `json:"served"`
	Bare       Measure `json:"bare"`             // a bare handler that writes the same bytes
	Plain      Measure `json:"plain,omitzero"`   // the plain handler
	Counter    Measure `json:"counter,omitzero"` // writes: a durable increment of one row
}

// Measure is the figures of one contender: the service, the bare handler or the counter.
type Measure struct {
	Requests    int           `json:"requests"`
	PerSecond   float64       `json:"per_second"`
	P50         time.Duration `json:"p50_ns,omitempty"`
	P99         time.Duration `json:"p99_ns,omitempty"`
	P999        time.Duration `json:"p999_ns,omitempty"`
	CPU         float64       `json:"cpu_us,omitempty"`          // processor time of the server per request, in microseconds
	Database    float64       `json:"database_us,omitempty"`     // that of PostgreSQL's processes; 0: unknown
	Allocations float64       `json:"allocations,omitempty"`     // per request
	Allocated   float64       `json:"allocated_bytes,omitempty"` // per request
	Statements  float64       `json:"statements,omitempty"`      // per request, not rounded
	// how long the jobs ran that the requests had queued; publish followed: until all followers could read of one
	After     time.Duration `json:"after_ns,omitempty"`
	Generator float64       `json:"generator,omitempty"` // share of the time in which the generator was busy
}

// Cost is the processor time of a request in the server and in PostgreSQL, in
// microseconds. It is 0 if unknown.
func (m Measure) Cost() float64 { return m.CPU + m.Database }

// OfBare returns the service's rate divided by the bare handler's. Like every ratio, it
// is 0 if either is unknown.
func (row Row) OfBare() float64 { return ratio(row.Served.PerSecond, row.Bare.PerSecond) }

// OfPlain returns how many times the processor time of the service that of the plain
// handler is.
func (row Row) OfPlain() float64 { return ratio(row.Plain.Cost(), row.Served.Cost()) }

// OfCounter returns the service's rate divided by that of the counter.
func (row Row) OfCounter() float64 { return ratio(row.Served.PerSecond, row.Counter.PerSecond) }

func (d Dataset) find(operation string, callers int) (Row, bool) {
	for _, row := range d.Rows {
		if row.Operation == operation && row.Callers == callers {
			return row, true
		}
	}
	return Row{}, false
}

func (r *Report) find(engine string, events int) (Dataset, bool) {
	for _, d := range r.Datasets {
		if d.Engine == engine && d.Events == events {
			return d, true
		}
	}
	return Dataset{}, false
}

// ratio is a/b, or 0 when either is unknown.
func ratio(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return a / b
}

// Usage is the total usage of one contender.
type Usage struct {
	Requests                       int
	Took                           []time.Duration // of each request, where it is known
	Total                          time.Duration   // of all together
	After                          time.Duration   // of the jobs that the requests queued
	Processor, Database, Generator time.Duration   // processor time
	Allocations, AllocatedBytes    uint64
	Statements                     int64
}

// Add adds another part of the same measurement.
func (u *Usage) Add(more Usage) {
	u.Requests += more.Requests
	u.Took = append(u.Took, more.Took...)
	u.Total += more.Total
	u.After += more.After
	u.Processor += more.Processor
	u.Database += more.Database
	u.Generator += more.Generator
	u.Allocations += more.Allocations
	u.AllocatedBytes += more.AllocatedBytes
	u.Statements += more.Statements
}

// Measure returns the figures per request; the zero value for no requests.
func (u Usage) Measure() Measure {
	if u.Requests == 0 || u.Total <= 0 {
		return Measure{}
	}
	slices.Sort(u.Took)
	each := func(total float64) float64 { return total / float64(u.Requests) }
	return Measure{
		Requests:  u.Requests,
		PerSecond: float64(u.Requests) / u.Total.Seconds(),
		P50:       Percentile(u.Took, 50), P99: Percentile(u.Took, 99), P999: Percentile(u.Took, 99.9),
		CPU:         each(float64(u.Processor.Microseconds())),
		Database:    each(float64(u.Database.Microseconds())),
		Allocations: each(float64(u.Allocations)), Allocated: each(float64(u.AllocatedBytes)),
		Statements: each(float64(u.Statements)),
		After:      u.After,
		Generator:  u.Generator.Seconds() / u.Total.Seconds(),
	}
}

// Percentile returns the smallest value that at least p percent of the sorted values do
// not exceed. It is 0 if there are no values.
func Percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}
