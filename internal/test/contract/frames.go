package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/go-faster/yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"moothall/api"
)

// frameSchemas are the schemas of frames by operation of the realtime contract and op.
type frameSchemas map[string]map[string]*jsonschema.Schema

// frames loads the realtime contract once per test process.
var frames = sync.OnceValues(func() (frameSchemas, error) {
	known, err := load()
	if err != nil {
		return nil, err
	}
	var document map[string]any
	if err := yaml.Unmarshal(api.Close(api.AsyncSpec), &document); err != nil {
		return nil, err
	}
	text, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := newCompiler()
	const base = "https://moothall.test/"
	if err := compiler.AddResource(base+"openapi.yaml", map[string]any{"components": known.components}); err != nil {
		return nil, err
	}
	if err := compiler.AddResource(base+"asyncapi.yaml", closeFrames(parsed)); err != nil {
		return nil, err
	}
	realtime, err := api.ReadRealtime()
	if err != nil {
		return nil, err
	}
	schemas := frameSchemas{}
	for operation := range realtime.Operations {
		schemas[operation] = map[string]*jsonschema.Schema{}
		list, err := realtime.Frames(operation)
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			schemas[operation][f.Op], err = compiler.Compile(base + "asyncapi.yaml#/components/messages/" + f.Name + "/payload")
			if err != nil {
				return nil, err
			}
		}
	}
	return schemas, nil
})

// closeFrames lets no frame have members that the contract does not list.
func closeFrames(document any) any {
	messages := document.(map[string]any)["components"].(map[string]any)["messages"].(map[string]any)
	for _, message := range messages {
		message.(map[string]any)["payload"].(map[string]any)["additionalProperties"] = false
	}
	return document
}

// ServerFrame fails the test unless the realtime contract allows a frame from the server.
func ServerFrame(t testing.TB, frame []byte) { t.Helper(); checkFrame(t, "sendFrames", frame) }

// ClientFrame fails the test unless the realtime contract allows a frame from a client.
func ClientFrame(t testing.TB, frame []byte) { t.Helper(); checkFrame(t, "receiveFrames", frame) }

func checkFrame(t testing.TB, operation string, frame []byte) {
	t.Helper()
	if err := validateFrame(operation, frame); err != nil {
		t.Errorf("the frame %s breaks the contract: %v", frame, err)
	}
}

func validateFrame(operation string, frame []byte) error {
	known, err := frames()
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(frame))
	if err != nil {
		return err
	}
	object, _ := value.(map[string]any)
	op, _ := object["op"].(string)
	schema := known[operation][op]
	if schema == nil {
		return fmt.Errorf("%s has no op %q", operation, op)
	}
	return schema.Validate(value)
}
