package driver

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/observe"
)

// Waits measure how long callers wait for the database.
type Waits struct {
	Connection prometheus.Observer
	Write      prometheus.Observer // in SQLite's queue of writers
}

// Usage is how many connections of a pool are in use and idle, and how many transactions
// wait in the queue of writers.
type Usage struct{ Used, Idle, Writers int }

// ObserveSince records a wait that began at a time of observe.Uptime.
func ObserveSince(o prometheus.Observer, began time.Duration) {
	o.Observe((observe.Uptime() - began).Seconds())
}
