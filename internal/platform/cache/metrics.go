package cache

import "github.com/prometheus/client_golang/prometheus"

// sized is a store whose size is a metric.
type sized interface {
	WeightedSize() uint64
	EstimatedSize() int
}

// metrics count lookups and report the size of each cache.
type metrics struct {
	lookups    *prometheus.CounterVec
	registerer prometheus.Registerer
}

func newMetrics(registerer prometheus.Registerer) metrics {
	m := metrics{registerer: registerer, lookups: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "moothall_cache_lookups_total", Help: "Lookups in caches by cache and result: hit, coalesced with a concurrent request, or miss.",
	}, []string{"cache", "result"})}
	registerer.MustRegister(m.lookups)
	return m
}

// add registers the size of a cache.
func (m metrics) add(name string, s sized) {
	gauge := func(metric, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: metric, Help: help, ConstLabels: prometheus.Labels{"cache": name}}, value)
	}
	m.registerer.MustRegister(
		gauge("moothall_cache_size_bytes", "Approximate memory of a cache.", func() float64 { return float64(s.WeightedSize()) }),
		gauge("moothall_cache_entries", "Approximate number of values in a cache.", func() float64 { return float64(s.EstimatedSize()) }),
	)
}
