package admission

import (
	"math"
	"runtime/metrics"
	"time"
)

// processor measures how long goroutines that can run wait for a processor.
type processor struct {
	sample []metrics.Sample
	before []uint64 // counts of the previous sample
}

func newProcessor() *processor {
	p := &processor{sample: []metrics.Sample{{Name: "/sched/latencies:seconds"}}}
	p.wait()
	return p
}

// wait returns the mean wait since the previous call.
func (p *processor) wait() time.Duration {
	metrics.Read(p.sample)
	if p.sample[0].Value.Kind() != metrics.KindFloat64Histogram {
		return 0 // a version of Go without this metric
	}
	histogram := p.sample[0].Value.Float64Histogram()
	if p.before == nil {
		p.before = make([]uint64, len(histogram.Counts))
	}
	var waits uint64
	var seconds float64
	for i, count := range histogram.Counts {
		added := count - p.before[i]
		p.before[i] = count
		if low := histogram.Buckets[i]; added > 0 && !math.IsInf(low, 0) {
			waits += added
			seconds += float64(added) * low
		}
	}
	return time.Duration(seconds / float64(max(waits, 1)) * float64(time.Second))
}
