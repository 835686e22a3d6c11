// Package contract compares responses and frames with the contracts of the service.
package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"moothall/api"
	"moothall/api/gen"
)

// checks compares responses with the canonical contract.
type checks struct {
	document   *openapi3.T
	components any // of the contract, as JSON

	mu      sync.Mutex
	schemas map[*openapi3.Schema]*jsonschema.Schema
}

// load prepares the canonical contract once per test process.
var load = sync.OnceValues(func() (*checks, error) {
	document, err := api.Document()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(document.Components)
	if err != nil {
		return nil, err
	}
	components, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	return &checks{document: document, components: components, schemas: map[*openapi3.Schema]*jsonschema.Schema{}}, err
})

// Response is what a client received.
type Response struct {
	Status int
	Header http.Header
	Body   func() (any, error) // decoded JSON; Check calls it only for JSON
}

// Check compares a response with its operation in the contract.
func Check(request *http.Request, r Response) error {
	known, err := load()
	if err != nil {
		return err
	}
	method := request.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	operation := known.operation(method, request.URL)
	switch {
	case operation == nil && r.Status != http.StatusNotFound:
		return errors.New("the contract has no such operation")
	case operation == nil || r.Status == http.StatusNotModified:
		return nil
	}
	described := operation.Responses.Status(r.Status)
	if described == nil {
		described = operation.Responses.Default()
	}
	if described == nil {
		return errors.New("the contract has no such status")
	}
	return errors.Join(known.checkHeaders(described.Value, r.Header), known.checkBody(described.Value, r, request.Method))
}

// operation returns the operation of a request, nil if the contract has none.
func (c *checks) operation(method string, address *url.URL) *openapi3.Operation {
	var router gen.Server
	route, found := router.FindPath(method, address)
	if !found {
		return nil
	}
	return c.document.Paths.Value(route.PathPattern()).GetOperation(method)
}

func (c *checks) checkHeaders(described *openapi3.Response, sent http.Header) error {
	for name, header := range described.Headers {
		value := sent.Get(name)
		switch {
		case len(sent.Values(name)) == 0 && header.Value.Required:
			return fmt.Errorf("header %s is missing", name)
		case len(sent.Values(name)) == 0 || header.Value.Schema == nil:
			continue
		}
		var decoded any = value
		if header.Value.Schema.Value.Type.Is("integer") {
			decoded = json.Number(value)
		}
		if err := c.validate(header.Value.Schema, decoded); err != nil {
			return fmt.Errorf("header %s: %w", name, err)
		}
	}
	return nil
}

func (c *checks) checkBody(described *openapi3.Response, r Response, method string) error {
	if len(described.Content) == 0 || method == http.MethodHead {
		return nil
	}
	contentType := r.Header.Get("Content-Type")
	media := described.Content.Get(contentType)
	switch {
	case media == nil:
		return fmt.Errorf("the contract has no body of type %q", contentType)
	case media.Schema == nil || !strings.Contains(contentType, "json"):
		return nil
	}
	body, err := r.Body()
	if err != nil {
		return err
	}
	return c.validate(media.Schema, body)
}

// validate compares a value with a schema of the contract.
func (c *checks) validate(schema *openapi3.SchemaRef, value any) error {
	compiled, err := c.compiled(schema.Value)
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}

// compiled compiles each schema once: that takes longer than the comparison.
func (c *checks) compiled(schema *openapi3.Schema) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.schemas[schema]; known != nil {
		return known, nil
	}
	compiled, err := c.compile(schema)
	if err == nil {
		c.schemas[schema] = compiled
	}
	return compiled, err
}

var timeForm = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$`)

// checkTime returns an error if a date-time has another form than the contract describes.
func checkTime(value any) error {
	if text, ok := value.(string); ok && !timeForm.MatchString(text) {
		return errors.New("must end in Z and have no fraction or six digits of one")
	}
	return nil
}

// compile makes a document of the schema and of the components that it refers to.
func (c *checks) compile(schema *openapi3.Schema) (*jsonschema.Schema, error) {
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	document, ok := parsed.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is not an object", text)
	}
	document["components"] = c.components
	compiler := newCompiler()
	const address = "https://moothall.test/schema.json"
	if err := compiler.AddResource(address, document); err != nil {
		return nil, err
	}
	return compiler.Compile(address)
}

func newCompiler() *jsonschema.Compiler {
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	compiler.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: checkTime})
	return compiler
}
