package outbound

import (
	"context"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"
)

// TestGuardDeniesPrivateAddresses checks a list of addresses. The guard denies all IPv6
// addresses, because the service does not use IPv6.
func TestGuardDeniesPrivateAddresses(t *testing.T) {
	text, err := os.ReadFile("testdata/ssrf_ips.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(columns) < 2 {
			continue
		}
		address, network := netip.MustParseAddr(columns[1]), "tcp6"
		if address.Is4() {
			network = "tcp4"
		}
		for _, port := range []uint16{443, 80, 22} {
			want := columns[0] == "allow" && port == 443 && address.Is4()
			if got := guard.Safe(network, netip.AddrPortFrom(address, port).String(), nil) == nil; got != want {
				t.Errorf("%s port %d: %t, want %t (%s)", address, port, got, want, columns[2])
			}
		}
	}
}

func TestDialerDeniesLocalListener(t *testing.T) {
	canary, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = canary.Close() }()
	touched := make(chan struct{})
	go func() {
		if c, err := canary.Accept(); err == nil {
			_ = c.Close()
			close(touched)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if c, err := connect(ctx, netip.MustParseAddrPort(canary.Addr().String())); err == nil {
		_ = c.Close()
		t.Error("connected")
	}
	_ = canary.Close()
	select {
	case <-touched:
		t.Error("the local listener received a connection")
	default:
	}
}
