package faults

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/internal/test/testutil"
)

// TestSlowReadersHoldNeitherPermitsNorMemory opens connections that request large responses
// and read nothing: other requests succeed, and the memory stays small.
func TestSlowReadersHoldNeitherPermitsNorMemory(t *testing.T) {
	t.Parallel()
	limit := 512 << 20 // bytes resident
	if underRaceDetector() {
		limit *= 2 // it keeps some memory for each byte
	}
	s := newService(t, "sqlite:"+filepath.Join(t.TempDir(), "moothall.db"), map[string]string{"MAX_IN_FLIGHT": "16"})
	s.start()
	c := newClient(t)
	host := c.signIn(t, s.url(), 1)[0]
	event := "/events/" + c.mustCall(t, http.MethodPost, s.url()+"/events", host.token,
		fmt.Sprintf(`{"title":"Chess","starts_at":%q}`, time.Now().Add(48*time.Hour).UTC().Format(time.RFC3339))).text("event.id")
	c.mustCall(t, http.MethodPost, s.url()+event+"/publish", host.token, "")
	for range 100 {
		c.mustCall(t, http.MethodPost, s.url()+event+"/posts", host.token, `{"body":"`+strings.Repeat("€", 4000)+`"}`)
	}
	size := len(c.mustCall(t, http.MethodGet, s.url()+event+"/posts?limit=100", host.token, "").body)

	slow := testutil.Rounds(32, 1000)
	request := "GET " + event + "/posts?limit=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + host.token + "\r\n\r\n"
	for range slow {
		openSlowly(t, s.url(), strings.Repeat(request, 1+6<<20/size)) // more than the buffers of both sockets
	}
	resident := 0
	for until := time.Now().Add(2 * time.Second); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		resident = max(resident, residentMemory(t, s.run.cmd.Process.Pid))
		testutil.Until(t, "a free permit", func() bool {
			other, err := c.call(http.MethodGet, s.url()+event, host.token, "")
			return err == nil && other.status == http.StatusOK
		})
	}
	testutil.Fault(t, "clients that read slowly", "%d slow readers of %d KiB: %d MiB resident", slow, size>>10, resident>>20)
	if resident > limit {
		t.Errorf("%d MiB resident, at most %d are allowed", resident>>20, limit>>20)
	}
}

// openSlowly sends requests on a connection with the smallest receive buffer, and reads
// the first bytes of the first response.
func openSlowly(t *testing.T, url, requests string) {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	if err := connection.(*net.TCPConn).SetReadBuffer(1); err != nil {
		t.Fatal(err)
	}
	if _, err := connection.Write([]byte(requests)); err != nil {
		t.Fatal(err)
	}
	if _, err := connection.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
}

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// residentMemory returns the resident memory of a process in bytes. It skips the test on
// systems without /proc.
func residentMemory(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skipf("only Linux tells the resident memory of another process: %v", err)
	}
	kib, err := strconv.Atoi(residentLine.FindStringSubmatch(string(status))[1])
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}
