package mail

import (
	"context"
	"net"
	"time"

	"moothall/internal/platform/checklist"
)

// SetTimeout replaces the timeouts of the server, so that tests of servers that do not answer
// are short.
func (s *Server) SetTimeout(d time.Duration) { s.timeouts = timeouts{command: d, accept: d} }

// CheckSPF exports the check of a server with public addresses.
func (c Check) CheckSPF(ctx context.Context, server net.IP) checklist.Step {
	return c.checkSPF(ctx, []net.IP{server})
}

// Record exports the DNS record of a key.
func (s *Signer) Record() string { return s.record() }
