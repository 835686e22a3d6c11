package api

import (
	"bytes"
	_ "embed" // embeds the contract
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"github.com/go-faster/yaml"
)

// AsyncSpec is the contract of realtime, an AsyncAPI 3 document in YAML, exactly as
// published at /api/asyncapi.yaml. It refers to schemas of Spec.
//
//go:embed asyncapi.yaml
var AsyncSpec []byte

// Realtime is the part of AsyncSpec that its page shows.
type Realtime struct {
	Info struct {
		Title, Description string

		CloseCodes []struct {
			Code         int
			Name, Client string
		} `yaml:"x-close-codes"`
		Limits []struct{ Limit, Value string } `yaml:"x-limits"`
	}
	Channels   map[string]struct{ Address, Title, Description string }
	Operations map[string]struct {
		Summary  string
		Messages []struct {
			Ref string `yaml:"$ref"`
		}
	}
	Components struct {
		Messages map[string]struct {
			Summary string
			Payload map[string]any
		}
	}
}

// Frame is one kind of frame.
type Frame struct {
	Name, Op, Summary string
	Schema            string   // YAML
	Examples          []string // JSON
}

// ReadRealtime parses AsyncSpec.
func ReadRealtime() (r Realtime, err error) {
	err = yaml.Unmarshal(AsyncSpec, &r)
	return r, err
}

// Frames returns the frames of an operation in their order. It returns an error if the
// contract contradicts itself.
func (r Realtime) Frames(operation string) (frames []Frame, err error) {
	for _, ref := range r.Operations[operation].Messages {
		name := ref.Ref[strings.LastIndex(ref.Ref, "/")+1:]
		message, known := r.Components.Messages[name]
		if !known {
			return nil, fmt.Errorf("%s has an unknown message %s", operation, ref.Ref)
		}
		f := Frame{Name: name, Summary: message.Summary}
		properties, _ := message.Payload["properties"].(map[string]any)
		op, _ := properties["op"].(map[string]any)
		f.Op, _ = op["const"].(string)
		examples, _ := message.Payload["examples"].([]any)
		for _, example := range examples {
			text, err := json.Marshal(example)
			if err != nil {
				return nil, err
			}
			f.Examples = append(f.Examples, string(text))
		}
		schema, err := yaml.Marshal(properties)
		if err != nil {
			return nil, err
		}
		f.Schema = string(schema)
		frames = append(frames, f)
	}
	return frames, nil
}

// prose renders a description of the contract: empty lines separate paragraphs, backticks enclose code.
func prose(description string) template.HTML {
	var html strings.Builder
	for paragraph := range strings.SplitSeq(strings.TrimSpace(description), "\n\n") {
		html.WriteString("<p>")
		for i, piece := range strings.Split(paragraph, "`") {
			if i%2 == 1 {
				html.WriteString("<code>" + template.HTMLEscapeString(piece) + "</code>")
			} else {
				html.WriteString(template.HTMLEscapeString(piece))
			}
		}
		html.WriteString("</p>")
	}
	return template.HTML(html.String()) //nolint:gosec // every piece is escaped
}

// realtimePage renders the reference of realtime once.
var realtimePage = sync.OnceValues(func() ([]byte, error) {
	r, err := ReadRealtime()
	if err != nil {
		return nil, err
	}
	page, err := template.New("realtime.html").Funcs(template.FuncMap{"frames": r.Frames, "prose": prose}).ParseFS(docsFS,
		"docs/realtime.html")
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	err = page.Execute(&body, r)
	return body.Bytes(), err
})

// serveRealtimePage serves the reference of realtime. A test renders it: it does not fail.
func serveRealtimePage(w http.ResponseWriter, _ *http.Request) {
	body, err := realtimePage()
	if err != nil {
		http.Error(w, "The reference cannot be shown.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(body) // fails only when the client is gone
}
