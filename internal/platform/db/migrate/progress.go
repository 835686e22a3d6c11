package migrate

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"moothall/internal/platform/observe"
)

const (
	slowMigration = 2 * time.Second // after which a migration is logged, and then every nextReport
	nextReport    = 10 * time.Second
	statementSize = 120 // bytes of a logged statement, at most
)

// progress logs what a slow migration does, and when it has ended. The statements of migrations contain no data
// of users.
type progress struct {
	log *slog.Logger

	mu        sync.Mutex
	name      string // of the migration; empty: none runs
	statement string
	began     time.Duration // by observe.Uptime
	reported  bool
	timer     *time.Timer
}

// begin notes that a migration begins. An earlier attempt has been undone.
func (p *progress) begin(ctx context.Context, name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.name = name; p.timer == nil {
		p.began = observe.Uptime()
		p.timer = time.AfterFunc(slowMigration, func() { p.report(ctx) })
	}
}

// run notes the statement that runs.
func (p *progress) run(statement string) {
	statement = strings.Join(strings.Fields(statement), " ")
	if len(statement) > statementSize {
		end := statementSize
		for !utf8.RuneStart(statement[end]) {
			end--
		}
		statement = statement[:end] + "..."
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.statement = statement
}

func (p *progress) report(ctx context.Context) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.name == "" {
		return
	}
	p.reported = true
	p.log.InfoContext(ctx, "applying a migration", slog.String("migration", p.name), slog.String("statement", p.statement), p.duration())
	p.timer.Reset(nextReport)
}

// end notes that the transaction of the migration has ended.
func (p *progress) end(ctx context.Context, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.reported && err == nil {
		p.log.InfoContext(ctx, "applied a migration", slog.String("migration", p.name), p.duration())
	}
	p.name = ""
}

func (p *progress) duration() slog.Attr {
	return slog.String("for", (observe.Uptime() - p.began).Round(100*time.Millisecond).String())
}
