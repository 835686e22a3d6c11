package httpapi

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// TestCountingAllocatesNothing counts requests whose metrics exist.
func TestCountingAllocatesNothing(t *testing.T) {
	s, st := &Server{metrics: newMetrics(prometheus.NewRegistry())}, &requestState{op: &operation{id: "listEvents"}}
	if n := testing.AllocsPerRun(100, func() { s.count(st, 200, time.Millisecond) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
