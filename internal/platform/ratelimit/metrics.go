package ratelimit

import "github.com/prometheus/client_golang/prometheus"

func newRefused() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "moothall_ratelimit_refused_total", Help: "Operations that a rate limit refused, by rule.",
	}, []string{"rule"})
}

// Metrics returns the metrics of the limits of this instance.
func (l *Limits) Metrics() prometheus.Collector {
	if l == nil {
		return newRefused() // without limits nothing is refused
	}
	return l.refused
}
