package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"net/url"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
)

// TestCurlSamplesFollowContract runs the samples in a shell whose curl prints its arguments, and compares those with the contract.
func TestCurlSamplesFollowContract(t *testing.T) {
	c, document := loadForSamples(t)
	script := `uuidgen() { echo key; }; curl() { printf '%s\0' "$@"; printf '\1'; }; MOOTHALL_TOKEN=token; ` + "\n"
	for _, op := range c.operations {
		script += c.curlSample(&op)
	}
	output, err := exec.Command("sh", "-euc", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	commands := strings.Split(strings.TrimSuffix(string(output), "\x01"), "\x01")
	if len(commands) != len(c.operations) {
		t.Fatalf("%d commands for %d operations", len(commands), len(c.operations))
	}
	for i, op := range c.operations {
		method, address, headers, body := readCurl(t, strings.Split(strings.TrimSuffix(commands[i], "\x00"), "\x00"))
		if want := op.method; method != want {
			t.Errorf("%s: %s, want %s", op.ID, method, want)
		}
		described := document.Paths.Find(op.path).GetOperation(op.method)
		checkAddress(t, &op, address)
		if got := slices.Contains(headers, "Authorization: Bearer token"); got == op.anonymous() {
			t.Errorf("%s: authorization is %v", op.ID, got)
		}
		if got := slices.Contains(headers, "Idempotency-Key: key"); got != op.keyed() {
			t.Errorf("%s: idempotency key is %v", op.ID, got)
		}
		if described.RequestBody == nil {
			if body != "" {
				t.Errorf("%s has no body: %s", op.ID, body)
			}
			continue
		}
		i := slices.IndexFunc(headers, func(h string) bool { return strings.HasPrefix(h, "Content-Type: ") })
		if i < 0 {
			t.Fatalf("%s lacks a content type", op.ID)
		}
		content := described.RequestBody.Value.Content[strings.TrimPrefix(headers[i], "Content-Type: ")]
		if content == nil || body == "" {
			t.Errorf("%s: no body of %s", op.ID, headers[i])
		} else if strings.HasSuffix(headers[i], "json") {
			checkBody(t, op.ID, content.Schema.Value, body)
		}
	}
}

// readCurl returns what curl would send.
func readCurl(t *testing.T, arguments []string) (method, address string, headers []string, body string) {
	method = "GET"
	for len(arguments) > 0 {
		switch option := arguments[0]; option {
		case "-X", "-H", "-d", "--data-binary":
			value := arguments[1]
			switch option {
			case "-X":
				method = value
			case "-H":
				headers = append(headers, value)
			default:
				body = value
			}
			arguments = arguments[2:]
		default:
			if address != "" {
				t.Errorf("unexpected argument %q", option)
			}
			address, arguments = option, arguments[1:]
		}
	}
	return method, address, headers, body
}

// checkAddress compares the path with its template, and requires exactly the required parameters of the query.
func checkAddress(t *testing.T, op *operation, address string) {
	t.Helper()
	parsed, err := url.Parse(strings.TrimPrefix(address, sampleServer))
	if err != nil {
		t.Fatal(err)
	}
	template := regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(op.path), `[\w.-]+`)
	if !regexp.MustCompile("^" + template + "$").MatchString(parsed.Path) {
		t.Errorf("%s: path %s", op.ID, parsed.Path)
	}
	required := op.sampled("query")
	if len(parsed.Query()) != len(required) {
		t.Errorf("%s: query %s", op.ID, parsed.RawQuery)
	}
	for _, p := range required {
		if parsed.Query().Get(p.Name) == "" {
			t.Errorf("%s: lacks %s", op.ID, p.Name)
		}
	}
}

// checkBody validates a JSON body. The server takes null as absent.
func checkBody(t *testing.T, name string, schema *openapi3.Schema, body string) {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(body), &value); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if err := schema.VisitJSON(value, openapi3.VisitAsRequest()); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// TestSDKSamplesCallOperations reads which operation each sample calls. Compiling sdk/go/samples.gen_test.go and
// sdk/typescript/test/samples.ts checks their types.
func TestSDKSamplesCallOperations(t *testing.T) {
	c, _ := loadForSamples(t)
	request := regexp.MustCompile(`moothall\.([A-Z]+)\("([^"]+)"`)
	for _, op := range c.operations {
		if _, ok := op.result(); !ok {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+c.goSample(&op)+"}", 0)
		if err != nil {
			t.Fatalf("%s: %v", op.ID, err)
		}
		var called []string
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "client" {
					called = append(called, s.Sel.Name)
				}
			}
			return true
		})
		if !slices.Equal(called, []string{op.name()}) {
			t.Errorf("%s: the sample for Go calls %q", op.ID, called)
		}
		code := c.typeScriptSample(&op)
		if m := request.FindStringSubmatch(code); len(m) < 3 || m[1] != op.method || m[2] != op.path {
			t.Errorf("%s: the sample for TypeScript requests %q", op.ID, m)
		}
		for _, p := range slices.Concat(op.sampled("path"), op.sampled("query")) {
			if !strings.Contains(code, p.Name+": "+jsonText(&p.Example)) {
				t.Errorf("%s: the sample for TypeScript lacks %s", op.ID, p.Name)
			}
		}
		if _, example, ok := c.sampleBody(&op); ok && !strings.Contains(code, "body: "+jsonText(example)) {
			t.Errorf("%s: the sample for TypeScript has another body", op.ID)
		}
	}
}

func loadForSamples(t *testing.T) (*contract, *openapi3.T) {
	t.Helper()
	c, err := load("../../api/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	document, err := api.Document()
	if err != nil {
		t.Fatal(err)
	}
	return c, document
}
