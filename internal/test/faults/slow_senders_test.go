package faults

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall/api/gen"
	"moothall/internal/test/apptest"
	"moothall/internal/test/testutil"
)

// TestSlowSendersLeaveServiceToOthers opens connections from many addresses, which send a byte of a body each second to every
// address that reads one, half of them with a session. Requests of others succeed, and the memory stays small.
func TestSlowSendersLeaveServiceToOthers(t *testing.T) {
	long := testutil.Long()
	if !long {
		t.Parallel()
	}
	s := newService(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), map[string]string{
		"REQUEST_TIMEOUT": "", "DATABASE_ACQUIRE_TIMEOUT": "", "PHONE_PROVIDER": "development",
	})
	s.start()
	c := newClient(t)
	people := c.signIn(t, s.url(), 11)
	honest, slow := people[0], people[1:]

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var running sync.WaitGroup
	targets := bodyReaders()
	for i := range testutil.Rounds(100, 2000) {
		sender := slowSender{t: t, from: fmt.Sprintf("127.0.0.%d", 2+i%20), to: strings.TrimPrefix(s.url(), "http://"),
			target: targets[i%len(targets)]}
		if i%2 == 0 {
			sender.token = slow[i%len(slow)].token
		}
		running.Go(func() { sender.run(ctx) })
	}
	served, soon, resident := 0, 0, 0
	var slowest time.Duration
	requests := testutil.Rounds(30, 100)
	for i := range requests {
		a, err := askHonestly(c, s.url(), honest, i)
		resident = max(resident, residentMemory(t, s.run.cmd.Process.Pid))
		slowest = max(slowest, a.took)
		switch {
		case err != nil || a.status >= http.StatusBadRequest:
			t.Logf("request %d: %d %v", i, a.status, err)
		case a.took <= time.Second:
			soon++
			fallthrough
		default:
			served++
		}
		time.Sleep(time.Duration(testutil.Rounds(20, 200)) * time.Millisecond)
	}
	stop()
	running.Wait()
	testutil.Fault(t, "clients that send slowly",
		"%d senders from 20 addresses to %d targets: %d of %d requests of others served, %d within a second, the slowest after %v; %d MiB resident",
		testutil.Rounds(100, 2000), len(targets), served, requests, soon, slowest.Round(time.Millisecond), resident>>20)
	if limit := 512 << 20; resident > limit && !underRaceDetector() {
		t.Errorf("%d MiB resident, at most %d are allowed", resident>>20, limit>>20)
	}
	if counted := map[bool]int{true: soon, false: served}[long]; counted < requests*95/100 { // a busy machine delays the short form
		t.Errorf("only %d of %d requests of others were served in time", counted, requests)
	}
}

// askHonestly sends a read, a write or a form, one after the other.
func askHonestly(c *client, base string, who person, n int) (answer, error) {
	switch n % 4 {
	case 0:
		return c.call(http.MethodGet, base+"/events", "", "")
	case 1:
		return c.call(http.MethodPatch, base+"/me/profile", who.token, fmt.Sprintf(`{"display_name":"Guest %d"}`, n))
	case 2:
		return c.call(http.MethodPost, base+"/auth/dev/start", "", fmt.Sprintf(`{"email":"new%d@example.org"}`, n))
	}
	return c.call(http.MethodGet, base+"/me", who.token, "")
}

var parameter = regexp.MustCompile(`\{[a-z_]+\}`)

// bodyReaders are the request lines of everything that reads a body.
func bodyReaders() (lines []string) {
	for _, op := range gen.Operations {
		if len(op.Bodies) > 0 && op.Method != http.MethodGet {
			lines = append(lines, op.Method+" "+parameter.ReplaceAllString(op.Route, "01890000-0000-7000-8000-000000000000"))
		}
	}
	for _, path := range []string{
		"/do/setEventCover", "/do/updateMyProfile", "/do/startEmailSignIn", "/do/chooseTheme", "/login/confirm", "/u/token",
		"/dev/calls", "/auth/phone/callback/smsru", "/auth/phone/callback/smsc",
	} {
		lines = append(lines, http.MethodPost+" "+path)
	}
	return lines
}

// slowSender sends a byte a second of a body that never ends, on one connection after the other.
type slowSender struct {
	t        *testing.T
	from, to string
	target   string
	token    string // of a session; may be empty
}

func (s slowSender) run(ctx context.Context) {
	for ctx.Err() == nil {
		s.connect(ctx)
		pause(ctx, time.Second)
	}
}

// connect sends one request until the service closes the connection.
func (s slowSender) connect(ctx context.Context) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(s.from)}}
	conn, err := dialer.DialContext(ctx, "tcp", s.to)
	if err != nil {
		return
	}
	defer func() { _ = conn.Close() }()
	body, contentType := "{", "application/json"
	switch {
	case strings.Contains(s.target, "/do/set"):
		contentType = "multipart/form-data; boundary=b"
		body = "--b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"a\"\r\n\r\n" + apptest.Pixel
	case strings.Contains(s.target, "/do/"), strings.Contains(s.target, "callback"):
		contentType, body = "application/x-www-form-urlencoded", "a="
	case strings.HasPrefix(s.target, http.MethodPut):
		contentType = "image/png"
	}
	body += strings.Repeat(" ", 60<<10) // almost as much as the service takes
	head := s.target + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + contentType +
		"\r\nTransfer-Encoding: chunked\r\nSec-Fetch-Site: same-origin\r\n"
	if s.token != "" {
		head += "Authorization: Bearer " + url.QueryEscape(s.token) + "\r\n"
	}
	_, err = fmt.Fprintf(conn, "%s\r\n%x\r\n%s\r\n", head, len(body), body)
	for err == nil && ctx.Err() == nil {
		pause(ctx, time.Second)
		_, err = conn.Write([]byte("1\r\n \r\n"))
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
