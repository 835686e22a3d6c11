package bench

import "time"

// Report is what a run has measured.
type Report struct {
	Machine Machine `json:"machine"`
	Worlds  []World `json:"worlds"`
}

// World is one size on one engine.
type World struct {
	Engine      string        `json:"engine"`
	Version     string        `json:"version"`
	Events      int           `json:"events"`
	Users       int           `json:"users"`
	Attendances int           `json:"attendances,omitempty"`
	Load        string        `json:"load,omitempty"`     // average of the minute before it
	LoadEnd     string        `json:"load_end,omitempty"` // of its last minute
	Start       time.Duration `json:"start_ns,omitempty"` // from the start of the service to its first answer
	Memory      Memory        `json:"memory"`

	// Followers are those of the organizer whom most follow.
	Followers int   `json:"followers"`
	Rows      []Row `json:"rows"`
}

// Memory is that of the service, in MiB; 0 where it is not known.
type Memory struct {
	Peak int `json:"peak_mb,omitempty"` // resident, of all operations
	End  int `json:"end_mb,omitempty"`  // resident after the last one
	Own  int `json:"own_mb,omitempty"`  // of that, mapped files aside
}

// Row is one operation with one number of callers.
type Row struct {
	Operation  string  `json:"operation"`
	Callers    int     `json:"callers"`
	Bytes      int     `json:"bytes"`      // of one answer
	Statements int     `json:"statements"` // of one request
	Served     Measure `json:"served"`
	Bare       Measure `json:"bare"`             // a bare handler writing the same bytes
	Statement  Measure `json:"statement"`        // the same statements on the bare driver; one transaction a request
	Counter    Measure `json:"counter,omitzero"` // counting in a single row of PostgreSQL
}

// Measure is how one contender did.
type Measure struct {
	Requests    int           `json:"requests"`
	PerSecond   float64       `json:"per_second"`
	P50         time.Duration `json:"p50_ns,omitempty"`
	P99         time.Duration `json:"p99_ns,omitempty"`
	P999        time.Duration `json:"p999_ns,omitempty"`
	CPU         float64       `json:"cpu_us,omitempty"`          // processor time of the server a request, in microseconds; 0: unknown
	Database    float64       `json:"database_us,omitempty"`     // that of PostgreSQL's own processes; 0: unknown
	Allocations float64       `json:"allocations,omitempty"`     // of the server a request
	Allocated   float64       `json:"allocated_bytes,omitempty"` // the same in bytes
	Statements  float64       `json:"statements,omitempty"`      // that the server ran a request
	After       time.Duration `json:"after_ns,omitempty"`        // how long jobs went on that the requests had left for later
	Generator   float64       `json:"generator,omitempty"`       // processor time of the generator in that of the clock
}
