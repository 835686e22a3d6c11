package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moothall/internal/ops/app"
	"moothall/internal/platform/checklist"
)

// maxReason limits how many bytes of a response are printed.
const maxReason = 1000

func (c *call) healthcheckCommand() *cobra.Command {
	var address string
	var timeout time.Duration
	command := &cobra.Command{
		Use: "healthcheck", Short: "Succeed if the service responds to GET /healthz with 200 in time",
		Example: "moothall healthcheck --url http://127.0.0.1:8080", Args: arguments(),
		RunE: func(command *cobra.Command, _ []string) error {
			return c.healthcheck(command.Context(), address, timeout)
		},
	}
	command.Flags().StringVar(&address, "url", "", "`address` of the service; default is that of LISTEN_ADDR on this machine")
	command.Flags().DurationVar(&timeout, "timeout", 2*time.Second, "`time` to wait for the response")
	return command
}

// healthcheck requests the health of the service at an address, within a timeout. For wrong settings its exit
// code is not 2, because Docker reserves that code.
func (c *call) healthcheck(ctx context.Context, address string, timeout time.Duration) error {
	if address == "" {
		s, err := c.settings()
		if err != nil {
			return errors.New(err.Error())
		}
		address = localAddress(s)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(address, "/")+"/healthz", http.NoBody)
	if err != nil {
		return err
	}
	response, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request) // without redirects and proxies
	if err != nil {
		return fmt.Errorf("%s: %w", request.URL.Redacted(), err)
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	if response.StatusCode != http.StatusOK {
		reason, _ := io.ReadAll(io.LimitReader(response.Body, maxReason)) // the status is the reason, too
		return fmt.Errorf("%s: %s: %s", request.URL.Redacted(), response.Status, checklist.OneLine(string(reason)))
	}
	return nil
}

// localAddress returns the address at which a service listens on this machine.
func localAddress(s app.Settings) string {
	host, port, _ := net.SplitHostPort(s.ListenAddr) // checked by LoadSettings
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}
