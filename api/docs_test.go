package api_test

import (
	"html/template"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"moothall/api"
)

// TestReferenceLoadsFromThisServerOnly opens the reference like a browser. This
// server serves all of its links, and the policy allows no other host.
func TestReferenceLoadsFromThisServerOnly(t *testing.T) {
	server := httptest.NewServer(api.Docs())
	defer server.Close()
	page := open(t, server.URL+"/docs", "text/html")
	links := regexp.MustCompile(`(?:src|href)="(docs/[^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(links) != 7 {
		t.Errorf("the page links to %q, want 7", links)
	}
	for _, link := range links {
		if body := open(t, server.URL+"/"+link[1], ""); body == "" {
			t.Errorf("%s is empty", link[1])
		}
	}
	if strings.Contains(page, "://") {
		t.Error("the page links to another host")
	}
	if !strings.Contains(page, "Accept: application/problem+json") || !strings.Contains(page, "<code>pointer</code>") {
		t.Error("the page does not say how to see which field was wrong")
	}
	if !strings.Contains(open(t, server.URL+"/docs/reference.js", "text/javascript"), `base + "api/openapi.yaml"`) {
		t.Error("the reference does not show the contract")
	}
}

// TestRealtimeReferenceShowsEveryFrame reads the page of the realtime contract.
func TestRealtimeReferenceShowsEveryFrame(t *testing.T) {
	server := httptest.NewServer(api.Docs())
	defer server.Close()
	page := open(t, server.URL+"/docs/realtime", "text/html")
	realtime, err := api.ReadRealtime()
	if err != nil {
		t.Fatal(err)
	}
	for operation := range realtime.Operations {
		frames, err := realtime.Frames(operation)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			beginning := regexp.MustCompile("^[^`\n]*").FindString(f.Summary)
			if !strings.Contains(page, "<code>"+f.Op+"</code>") || !strings.Contains(page, template.HTMLEscapeString(beginning)) {
				t.Errorf("the page does not show %s", f.Op)
			}
		}
	}
	for _, text := range []string{"/events/{event_id}/ws", "<th>4408</th>", "4 KiB"} {
		if !strings.Contains(page, text) {
			t.Errorf("the page does not show %s", text)
		}
	}
	if !strings.Contains(open(t, server.URL+"/docs", "text/html"), `href="docs/realtime"`) {
		t.Error("the reference of the HTTP operations does not link to the page")
	}
}

var firstCode = regexp.MustCompile("(?m)^\\| (`[a-z_]+`|[0-9, ]+) \\|")

// TestRealtimePageListsEveryFrame compares the tables of docs/realtime.md with the contract.
func TestRealtimePageListsEveryFrame(t *testing.T) {
	page, err := os.ReadFile("../docs/realtime.md")
	if err != nil {
		t.Fatal(err)
	}
	realtime, err := api.ReadRealtime()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for operation, heading := range map[string]string{"receiveFrames": "## Frames from the client\n",
		"sendFrames": "## Frames from the server\n"} {
		frames, err := realtime.Frames(operation)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames {
			want[heading] = append(want[heading], "`"+f.Op+"`")
		}
	}
	for _, c := range realtime.Info.CloseCodes {
		want["## Reconnect\n"] = append(want["## Reconnect\n"], strconv.Itoa(c.Code))
	}
	for heading, want := range want {
		_, section, _ := strings.Cut(string(page), heading)
		section, _, _ = strings.Cut(section, "\n## ")
		_, section, _ = strings.Cut(section, "\n| --- ")
		var got []string
		for _, row := range firstCode.FindAllStringSubmatch(section, -1) {
			got = append(got, strings.Split(row[1], ", ")...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, the contract %q", strings.TrimSpace(heading), got, want)
		}
	}
}

// TestReferenceIsReadyToTry checks what makes "Try it out" work at once: the forms are
// open and leave optional parameters empty, every body has an example, a sign-in
// authorizes the next calls, and narrow screens have a layout of their own. The demo has
// the examples: TestExamplesWorkInTheDemo.
func TestReferenceIsReadyToTry(t *testing.T) {
	server := httptest.NewServer(api.Docs())
	defer server.Close()
	script := open(t, server.URL+"/docs/reference.js", "text/javascript")
	for _, part := range []string{"tryItOutEnabled: true", "plugins: [prepared]", "responseInterceptor: authorize",
		"sampleDetails(operation.operationId)"} {
		if !strings.Contains(script, part) {
			t.Errorf("the script has no %s", part)
		}
	}
	if !strings.Contains(open(t, server.URL+"/docs/reference.css", "text/css"), "@media (max-width: 640px)") {
		t.Error("narrow screens have no layout of their own")
	}
	for name, op := range operations(load(t)) {
		if op.RequestBody == nil {
			continue
		}
		if body := op.RequestBody.Value.Content.Get("application/json"); body != nil && len(body.Schema.Value.Examples) == 0 {
			t.Errorf("%s: the body has no example", name)
		}
	}
}

func open(t *testing.T, url, contentType string) string {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), contentType) {
		t.Errorf("%s: %s, %s", url, response.Status, response.Header.Get("Content-Type"))
	}
	policy := response.Header.Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.ContainsAny(policy, "*/") || strings.Contains(policy, "unsafe") {
		t.Errorf("%s: policy %q", url, policy)
	}
	return string(body)
}
