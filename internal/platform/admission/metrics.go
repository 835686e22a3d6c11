package admission

import "github.com/prometheus/client_golang/prometheus"

// refusals count the refused requests of a lane by reason.
type refusals struct {
	all    *prometheus.CounterVec
	full   prometheus.Counter // too many requests waited
	waited prometheus.Counter // the request waited too long
	gone   prometheus.Counter // the client hung up
}

func newRefusals(lane string) refusals {
	all := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "moothall_admission_refused_total", Help: "Requests that were refused under overload.",
		ConstLabels: prometheus.Labels{"lane": lane},
	}, []string{"reason"})
	return refusals{all: all, full: all.WithLabelValues("full"), waited: all.WithLabelValues("waited"), gone: all.WithLabelValues("gone")}
}

// Metrics returns the metrics of the lane.
func (l *Lane) Metrics() []prometheus.Collector {
	gauge := func(name, help string, value func() float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: name, Help: help, ConstLabels: prometheus.Labels{"lane": l.name},
		}, func() float64 {
			l.mu.Lock()
			defer l.mu.Unlock()
			return value()
		})
	}
	return []prometheus.Collector{
		l.refuse.all,
		gauge("moothall_admission_limit", "Requests that may run at once.", func() float64 { return float64(int(l.limit)) }),
		gauge("moothall_admission_running", "Requests that run.", func() float64 { return float64(l.running) }),
		gauge("moothall_admission_waiting", "Requests that wait to run.", func() float64 { return float64(l.queue.Len()) }),
		gauge("moothall_admission_queue_delay_seconds",
			"Time that a running request waits for a processor and a database connection; 0 without overload.",
			func() float64 { return l.delay.Seconds() }),
	}
}
