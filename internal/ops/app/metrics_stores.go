package app

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"moothall/internal/platform/files"
)

// folder is a folder of this machine that the service writes to.
type folder struct{ content, path string }

// folders returns the folders of the settings. Their content is database, media or backup.
func (s *Settings) folders() (all []folder) {
	for _, f := range []folder{{"database", s.dataFolder()}, {"media", s.Media.Dir}, {"backup", s.Backup.Dir}} {
		if f.path != "" {
			all = append(all, f)
		}
	}
	return all
}

// registerStoreMetrics registers whether the stores of this instance accept what is written.
func (a *App) registerStoreMetrics(h health) {
	a.metrics.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "moothall_database_available", Help: "1 if the database keeps what is written, as /healthz finds out, else 0.",
	}, func() float64 {
		if h.available(context.Background()) {
			return 1
		}
		return 0
	}))
	for _, f := range a.settings.folders() {
		a.metrics.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name:        "moothall_disk_free_ratio",
			Help:        "Free part of the file system of a folder, 0 to 1: of the SQLite file (database), MEDIA or BACKUP; 0 if it cannot be read.",
			ConstLabels: prometheus.Labels{"content": f.content},
		}, func() float64 {
			free, _ := files.Free(f.path) // an error means 0
			return free
		}))
	}
}
