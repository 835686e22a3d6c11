package main

import (
	"encoding/json"
	"fmt"
	"go/format"
	"net/url"
	"slices"
	"strings"

	"github.com/go-faster/yaml"
)

// sampleServer is the address of the service in samples. The reference replaces it by its own.
const sampleServer = "https://moothall.example.org"

// A sample is an example request of an operation in each language. Those that the SDKs cannot call have only curl.
type sample struct {
	Curl       string `json:"curl"`
	Go         string `json:"Go,omitempty"`
	TypeScript string `json:"TypeScript,omitempty"`
}

// samples returns the samples for the reference, as examples of the SDK for Go, which its tests compile, and as a file for
// TypeScript, which scripts/clients.sh compiles.
func (c *contract) samples() (map[string][]byte, error) {
	all := map[string]sample{}
	var goFile, tsFile strings.Builder
	goFile.WriteString(strings.Replace(header, "package moothall", "package moothall_test", 1))
	goFile.WriteString("import (\n\"context\"\n\"fmt\"\n\"io\"\n\"log\"\n\"os\"\n\"time\"\n\nmoothall \"moothall/sdk/go\"\n)\n\nvar ctx = context.Background()\n")
	tsFile.WriteString("// Generated from api/openapi.yaml by sdk/generate. Do not edit.\nimport { createClient } from \"@moothall/client\";\n\n" +
		"declare const process: { env: Record<string, string | undefined> };\ndeclare const picture: Blob, calendar: Blob, guests: Blob;\n")
	for _, op := range c.operations {
		s := sample{Curl: c.curlSample(&op)}
		if _, ok := op.result(); ok {
			code, err := format.Source([]byte(c.goSample(&op)))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", op.ID, err)
			}
			s.Go, s.TypeScript = string(code), c.typeScriptSample(&op)
			fmt.Fprintf(&goFile, "\nfunc ExampleClient_%s() {\n%s}\n", op.name(), s.Go)
			fmt.Fprintf(&tsFile, "\nexport async function %s(): Promise<void> {\n%s}\n", op.ID, indent(s.TypeScript))
		}
		all[op.ID] = s
	}
	examples, err := format.Source([]byte(goFile.String()))
	if err != nil {
		return nil, err
	}
	table, err := json.MarshalIndent(all, "", " ")
	return map[string][]byte{
		"../go/samples.gen_test.go": examples, "../typescript/test/samples.ts": []byte(tsFile.String()),
		"../../api/docs/samples.js": []byte("// Generated from api/openapi.yaml by sdk/generate. Do not edit.\nconst samples = " + string(table) +
			";\n"),
	}, err
}

// curlSample returns a command for a shell. The access token or API key is in MOOTHALL_TOKEN, a file such as picture.jpg in the folder.
func (c *contract) curlSample(op *operation) string {
	path, query := op.path, url.Values{}
	for _, p := range op.sampled("path") {
		path = strings.Replace(path, "{"+p.Name+"}", url.PathEscape(p.Example.Value), 1)
	}
	for _, p := range op.sampled("query") {
		for _, value := range p.values() {
			query.Add(p.Name, value)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	command := "curl "
	if op.method != "GET" {
		command += "-X " + op.method + " "
	}
	lines := []string{command + quote(sampleServer+path)}
	if !op.anonymous() {
		lines = append(lines, `-H "Authorization: Bearer $MOOTHALL_TOKEN"`)
	}
	if op.keyed() {
		lines = append(lines, `-H "Idempotency-Key: $(uuidgen)"`)
	}
	if _, ok := op.Responses.get("101"); ok {
		lines = append(lines, "-H 'Connection: Upgrade' -H 'Upgrade: websocket'",
			"-H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='")
	}
	if _, example, ok := c.sampleBody(op); ok {
		lines = append(lines, "-H 'Content-Type: application/json'", "-d "+quote(jsonText(example)))
	} else if op.Body != nil {
		lines = append(lines, "-H 'Content-Type: "+op.file().mediaType+"'", "--data-binary @"+op.file().name)
	}
	return strings.Join(lines, " \\\n  ") + "\n"
}

// goSample returns statements that use ctx and the packages of samples.gen_test.go.
func (c *contract) goSample(op *operation) string {
	var b strings.Builder
	options := fmt.Sprintf("URL: %q", sampleServer)
	if !op.anonymous() {
		options += `, APIKey: os.Getenv("MOOTHALL_TOKEN")`
	}
	fmt.Fprintf(&b, "client := moothall.New(moothall.Options{%s})\n", options)
	arguments := []string{"ctx"}
	for _, p := range op.sampled("path") {
		arguments = append(arguments, fmt.Sprintf("%q", p.Example.Value))
	}
	if len(op.optional()) > 0 {
		var fields []string
		for _, p := range op.sampled("query") {
			fields = append(fields, goName(p.Name)+": "+c.goValue(paramType(p), p.Schema, &p.Example))
		}
		arguments = append(arguments, composite("moothall."+op.name()+"Params", fields))
	}
	if s, example, ok := c.sampleBody(op); ok {
		arguments = append(arguments, c.goValue(goType(s), s, example))
	} else if op.Body != nil {
		f := op.file()
		fmt.Fprintf(&b, "%s, err := os.ReadFile(%q)\nif err != nil {\nlog.Fatal(err)\n}\n", f.variable, f.name)
		arguments = append(arguments, f.variable)
	}
	call := fmt.Sprintf("client.%s(%s)", op.name(), strings.Join(arguments, ", "))
	switch result, _ := op.result(); result {
	case "":
		fmt.Fprintf(&b, "if err := %s; err != nil {\nlog.Fatal(err)\n}\n", call)
	case "binary":
		fmt.Fprintf(&b, "content, err := %s\nif err != nil {\nlog.Fatal(err)\n}\ndefer content.Close()\nio.Copy(os.Stdout, content)\n", call)
	default:
		fmt.Fprintf(&b, "result, err := %s\nif err != nil {\nlog.Fatal(err)\n}\nfmt.Printf(\"%%+v\\n\", result)\n", call)
	}
	return b.String()
}

// typeScriptSample returns statements that use createClient and, for a file, a Blob.
func (c *contract) typeScriptSample(op *operation) string {
	options := fmt.Sprintf("url: %q", sampleServer)
	if !op.anonymous() {
		options += ", apiKey: process.env.MOOTHALL_TOKEN"
	}
	var params, init []string
	for _, in := range []string{"path", "query"} {
		var values []string
		for _, p := range op.sampled(in) {
			values = append(values, p.Name+": "+jsonText(&p.Example))
		}
		if len(values) > 0 {
			params = append(params, in+": { "+strings.Join(values, ", ")+" }")
		}
	}
	if len(params) > 0 {
		init = append(init, "params: { "+strings.Join(params, ", ")+" }")
	}
	if _, example, ok := c.sampleBody(op); ok {
		init = append(init, "body: "+jsonText(example))
	} else if op.Body != nil {
		f := op.file()
		init = append(init, "body: "+f.variable+" as unknown as string", `headers: { "Content-Type": `+f.variable+`.type }`)
	}
	result, _ := op.result()
	if result == "binary" {
		init = append(init, `parseAs: "stream"`)
	}
	call := fmt.Sprintf("await moothall.%s(%q", op.method, op.path)
	if len(init) > 0 {
		call += ", { " + strings.Join(init, ", ") + " }"
	}
	client := "const moothall = createClient({ " + options + " });\n"
	switch result {
	case "":
		return client + call + ");\n"
	case "binary":
		return client + "const { data } = " + call + ");\nfor await (const chunk of data!) console.log(chunk);\n"
	}
	return client + "const { data } = " + call + ");\nconsole.log(data);\n"
}

// sampled returns the required parameters of the path, the query or the header.
func (op *operation) sampled(in string) []parameter {
	return slices.DeleteFunc(slices.Clone(op.Parameters), func(p parameter) bool { return p.In != in || !p.Required })
}

// values returns the example of a parameter: an item for each value of a list.
func (p *parameter) values() []string {
	if p.Example.Kind != yaml.SequenceNode {
		return []string{p.Example.Value}
	}
	var values []string
	for _, item := range p.Example.Content {
		values = append(values, item.Value)
	}
	return values
}

// sampleBody returns the schema of a JSON body, and its example. ok is false for other bodies and without one.
func (c *contract) sampleBody(op *operation) (s schema, example *yaml.Node, ok bool) {
	if op.Body == nil {
		return s, nil, false
	}
	content, ok := op.Body.Content.get("application/json")
	if !ok {
		return s, nil, false
	}
	named, _ := c.Components.Schemas.get(nameOf(content.Schema.Ref))
	return content.Schema, &named.Examples[0], true
}
