package delivery_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	osexec "os/exec"
	"testing"

	"moothall/internal/platform/db"
	"moothall/internal/test/apptest"
)

// TestOtherLibraryVerifiesMessages verifies messages with the npm package standardwebhooks,
// pinned in testdata/verifier.
func TestOtherLibraryVerifiesMessages(t *testing.T) {
	r := newReceiver(t)
	a := apptest.New(t, db.SQLite, apptest.Outbound(r.Outbound()))
	org := a.As("org")
	made := hook(org, "/in", nil)
	path := "/me/webhooks/" + made.Text("id")
	send := func() received {
		org.Post(path+"/test", nil).Want(http.StatusAccepted)
		a.RunJobs()
		all := r.messages("/in")
		return all[len(all)-1]
	}
	first := send()
	next := org.Post(path+"/rotate-secret", nil).Want(http.StatusOK).Text("secret")
	second := send()
	changed := second
	changed.Body = bytes.Replace(second.Body, []byte("test"), []byte("tent"), 1)

	type input struct {
		Secret  string            `json:"secret"`
		Body    string            `json:"body"`
		Headers map[string]string `json:"headers"`
	}
	var inputs []input
	var want []bool
	add := func(secret string, m received, accepted bool) {
		headers := map[string]string{}
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			headers[name] = m.Header.Get(name)
		}
		inputs, want = append(inputs, input{secret, string(m.Body), headers}), append(want, accepted)
	}
	add(made.Text("secret"), first, true)
	add(next, first, false)
	add(made.Text("secret"), second, true)
	add(next, second, true)
	add(next, changed, false)
	sent, err := json.Marshal(inputs)
	if err != nil {
		t.Fatal(err)
	}
	command := osexec.CommandContext(t.Context(), "node", "verify.mjs")
	command.Dir, command.Stdin = apptest.NodeProject(t, "testdata/verifier"), bytes.NewReader(sent)
	output, err := command.Output()
	var results []string
	if err == nil {
		err = json.Unmarshal(output, &results)
	}
	if err != nil || len(results) != len(want) {
		t.Fatalf("%v: %s", err, output)
	}
	for i, result := range results {
		if (result == "ok") != want[i] {
			t.Errorf("message %d: %s, want %t", i, result, want[i])
		}
	}
}
