package main

import (
	"os"
	"slices"
	"strings"

	"github.com/go-faster/yaml"
)

// contract has the parts of openapi.yaml that the generator uses.
type contract struct {
	Paths      ordered[ordered[yaml.Node]] `yaml:"paths"`
	Components struct {
		Schemas    ordered[schema]      `yaml:"schemas"`
		Parameters map[string]parameter `yaml:"parameters"`
		Responses  map[string]message   `yaml:"responses"`
		Bodies     map[string]message   `yaml:"requestBodies"`
	} `yaml:"components"`

	operations []operation
}

type operation struct {
	method, path string
	ID           string                 `yaml:"operationId"`
	Summary      string                 `yaml:"summary"`
	Description  string                 `yaml:"description"`
	Security     *[]map[string][]string `yaml:"security"`
	Parameters   []parameter            `yaml:"parameters"`
	Body         *message               `yaml:"requestBody"`
	Responses    ordered[message]       `yaml:"responses"`
}

type parameter struct {
	Ref         string    `yaml:"$ref"`
	Name        string    `yaml:"name"`
	In          string    `yaml:"in"`
	Description string    `yaml:"description"`
	Schema      schema    `yaml:"schema"`
	Required    bool      `yaml:"required"`
	Example     yaml.Node `yaml:"example"`
}

// message is a request body or a response.
type message struct {
	Ref     string `yaml:"$ref"`
	Content ordered[struct {
		Schema schema `yaml:"schema"`
	}] `yaml:"content"`
}

type schema struct {
	Ref         string          `yaml:"$ref"`
	Type        texts           `yaml:"type"`
	Format      string          `yaml:"format"`
	Description string          `yaml:"description"`
	Properties  ordered[schema] `yaml:"properties"`
	Required    []string        `yaml:"required"`
	Items       *schema         `yaml:"items"`
	OneOf       []schema        `yaml:"oneOf"`
	Enum        []string        `yaml:"enum"`
	Extensible  []string        `yaml:"x-extensible-enum"`
	Examples    []yaml.Node     `yaml:"examples"`
}

// texts is a YAML string or a list of strings.
type texts []string

func (t *texts) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*t = texts{node.Value}
		return nil
	}
	return node.Decode((*[]string)(t))
}

// ordered is a mapping in the order of the document.
type ordered[T any] []entry[T]

type entry[T any] struct {
	name  string
	value T
}

func (o *ordered[T]) UnmarshalYAML(node *yaml.Node) error {
	for i := 0; i+1 < len(node.Content); i += 2 {
		e := entry[T]{name: node.Content[i].Value}
		if err := node.Content[i+1].Decode(&e.value); err != nil {
			return err
		}
		*o = append(*o, e)
	}
	return nil
}

func (o ordered[T]) get(name string) (value T, found bool) {
	i := slices.IndexFunc(o, func(e entry[T]) bool { return e.name == name })
	if i < 0 {
		return value, false
	}
	return o[i].value, true
}

// load reads the contract and resolves the references in its operations.
func load(path string) (*contract, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &contract{}
	if err := yaml.Unmarshal(text, c); err != nil {
		return nil, err
	}
	for _, path := range c.Paths {
		var shared []parameter
		if node, ok := path.value.get("parameters"); ok {
			if err := node.Decode(&shared); err != nil {
				return nil, err
			}
		}
		for _, method := range path.value {
			if method.name == "parameters" {
				continue
			}
			op := operation{method: strings.ToUpper(method.name), path: path.name}
			if err := method.value.Decode(&op); err != nil {
				return nil, err
			}
			op.Parameters = slices.Concat(shared, op.Parameters)
			c.resolve(&op)
			c.operations = append(c.operations, op)
		}
	}
	return c, nil
}

func (c *contract) resolve(op *operation) {
	for i, p := range op.Parameters {
		if p.Ref != "" {
			op.Parameters[i] = c.Components.Parameters[nameOf(p.Ref)]
		}
	}
	for i, r := range op.Responses {
		if r.value.Ref != "" {
			op.Responses[i].value = c.Components.Responses[nameOf(r.value.Ref)]
		}
	}
	if op.Body != nil && op.Body.Ref != "" {
		body := c.Components.Bodies[nameOf(op.Body.Ref)]
		op.Body = &body
	}
}

// file is a body that is no JSON: the name of a parameter, and the name and the media type of a sample.
type file struct{ variable, name, mediaType string }

// picture stands for pictures of all media types: clients find out the type of each one.
var picture = file{"picture", "picture.jpg", "image/jpeg"}

// file returns the body of an operation whose body is a file.
func (op *operation) file() file {
	for _, f := range []file{{"calendar", "calendar.ics", "text/calendar"}, {"guests", "guests.csv", "text/csv"}} {
		if _, ok := op.Body.Content.get(f.mediaType); ok {
			return f
		}
	}
	return picture
}

// nameOf returns the name of the component to which a reference points.
func nameOf(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }

// public reports whether the operation needs no access token.
func (op *operation) public() bool {
	return op.Security != nil && !slices.ContainsFunc(*op.Security, func(scheme map[string][]string) bool {
		_, bearer := scheme["bearerAuth"]
		return bearer
	})
}

// anonymous reports whether the operation also serves requests without any authentication.
func (op *operation) anonymous() bool {
	return op.Security != nil && (len(*op.Security) == 0 || slices.ContainsFunc(*op.Security, func(scheme map[string][]string) bool {
		return len(scheme) == 0
	}))
}

// keyed reports whether the operation takes an Idempotency-Key.
func (op *operation) keyed() bool {
	return slices.ContainsFunc(op.Parameters, func(p parameter) bool { return p.Name == "Idempotency-Key" })
}

// result returns the type of the successful response: the name of a schema, "" for an empty body, or
// "binary". ok is false for an operation that redirects a browser or opens a WebSocket.
func (op *operation) result() (name string, ok bool) {
	for _, r := range op.Responses {
		if r.name[0] != '2' {
			continue
		}
		json, isJSON := r.value.Content.get("application/json")
		switch {
		case isJSON:
			return nameOf(json.Schema.Ref), true
		case len(r.value.Content) > 0:
			return "binary", true
		}
		return "", true
	}
	return "", false
}

// list returns the schema of the items, if the operation is a list with a cursor.
func (c *contract) list(op *operation) (items schema, ok bool) {
	name, _ := op.result()
	s, _ := c.Components.Schemas.get(name)
	list, hasItems := s.Properties.get("items")
	hasCursor := slices.ContainsFunc(op.Parameters, func(p parameter) bool { return p.Name == "cursor" })
	if !hasItems || !hasCursor {
		return schema{}, false
	}
	return *list.Items, true
}
