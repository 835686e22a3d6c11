package realtime

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/socket"
)

// metrics have labels from short lists only.
type metrics struct {
	sockets                      *prometheus.GaugeVec
	closed                       *prometheus.CounterVec
	messages, deliveries, lagged prometheus.Counter
}

func newMetrics() *metrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	return &metrics{
		sockets: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "moothall_realtime_sockets", Help: "Open sockets by transport: websocket or stream.",
		}, []string{"transport"}),
		closed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "moothall_realtime_closed_total", Help: "Sockets that have ended, by close code; other stands for codes of clients and networks.",
		}, []string{"code"}),
		messages:   counter("moothall_realtime_messages_total", "Chat messages read for the sockets of this instance."),
		deliveries: counter("moothall_realtime_deliveries_total", "Chat messages queued for sockets as they were sent."),
		lagged:     counter("moothall_realtime_lagged_total", "Subscriptions that have fallen behind because their client reads too slowly."),
	}
}

// Metrics returns the metrics of the hub.
func (h *Hub) Metrics() []prometheus.Collector {
	m := h.metrics
	return []prometheus.Collector{m.sockets, m.closed, m.messages, m.deliveries, m.lagged}
}

// closeLabel returns the label of a close code.
func closeLabel(code socket.Code) string {
	switch code {
	case CloseGoingAway, CloseSessionEnded, CloseTooSlow, CloseReplaced, CloseTooMany:
		return strconv.Itoa(int(code))
	default:
		return "other"
	}
}
