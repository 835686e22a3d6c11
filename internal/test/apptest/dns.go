package apptest

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// NewResolver returns a resolver that asks a DNS server on a real socket. Its records are like
// "example.org MX mail.example.org" and "example.org TXT some text"; the types are A, MX and TXT,
// and FAIL for a name about which the server fails. It knows no other names.
func NewResolver(t *testing.T, records ...string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() { _ = conn.Close(); <-ended })
	go func() {
		defer close(ended)
		query := make([]byte, 4096)
		for {
			n, from, err := conn.ReadFrom(query)
			if err != nil {
				return
			}
			if answer, err := answerTo(query[:n], records); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// answerTo returns the answer to a query.
func answerTo(query []byte, records []string) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil || len(m.Questions) != 1 {
		return nil, fmt.Errorf("not a query: %w", err)
	}
	q := m.Questions[0]
	m = dnsmessage.Message{Header: dnsmessage.Header{ID: m.ID, Response: true, Authoritative: true, RCode: dnsmessage.RCodeNameError},
		Questions: m.Questions}
	for _, record := range records {
		fields := strings.SplitN(record, " ", 3)
		if !strings.EqualFold(fields[0]+".", q.Name.String()) {
			continue
		}
		if fields[1] == "FAIL" {
			m.RCode = dnsmessage.RCodeServerFailure
			break
		}
		m.RCode = dnsmessage.RCodeSuccess
		if "Type"+fields[1] == q.Type.String() {
			body, err := recordOf(fields[1], fields[2])
			if err != nil {
				return nil, err
			}
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET},
				Body: body})
		}
	}
	return m.Pack()
}

func recordOf(kind, value string) (dnsmessage.ResourceBody, error) {
	switch kind {
	case "A":
		return &dnsmessage.AResource{A: [4]byte(net.ParseIP(value).To4())}, nil
	case "MX":
		name, err := dnsmessage.NewName(value + ".")
		return &dnsmessage.MXResource{Pref: 10, MX: name}, err
	}
	var parts []string // of at most 255 bytes
	for ; len(value) > 255; value = value[255:] {
		parts = append(parts, value[:255])
	}
	return &dnsmessage.TXTResource{TXT: append(parts, value)}, nil
}
