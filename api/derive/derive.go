// Package derive derives from the contract what command generate needs: the contract that ogen
// reads, the contract that api.Document reads, and the limits of texts. Its tests do not
// compile ogen.
package derive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-faster/yaml"

	"moothall/api"
)

// Contract returns the copy of the contract that ogen reads. The differences:
//
//   - It closes the enums to which values may be added (api.Close).
//   - It removes error responses (those with a problem+json form). Handlers return
//     errors, and one error handler of the server writes all of them.
//   - It removes ETag, If-None-Match and 304 of cached responses. Package httpapi
//     writes and compares them.
//   - It removes Set-Cookie headers. An operation may set several cookies, but a
//     generated response holds one value per header.
//   - It removes defaults, which the features apply. ogen would apply a default next
//     to a $ref to the type itself, in every request and response that uses it.
//   - It declares the properties in x-refused, with values of any type, so that handlers
//     see and refuse them.
//   - It changes a numeric exclusiveMinimum to the boolean form that ogen reads.
//   - It marks the operations in streamed.
//   - It removes the responses that handlers write on the connection itself: 101 and event
//     streams. If there is no other one, it adds a 204, which is never sent.
//   - It makes the items of encodedItems values of any type. Handlers encode them.
//   - It removes security. Package httpapi identifies the viewer before.
//   - It removes the formats uri and email. ogen would check other rules than the
//     contract and reformat the values.
func Contract(contract []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(api.Close(contract), &document); err != nil {
		return nil, err
	}
	root := document.Content[0]
	responses := get(get(root, "components"), "responses")
	err := walk(root, func(node *yaml.Node) error {
		if list := get(node, "parameters"); list != nil && list.Kind == yaml.SequenceNode {
			list.Content = slices.DeleteFunc(list.Content, func(p *yaml.Node) bool { return refersTo(p, "#/components/parameters/PageIfNoneMatch") })
		}
		if list := get(node, "responses"); list != nil && list != responses {
			removeRef(list, "#/components/responses/PageUnchanged")
			if err := deriveResponses(list, responses); err != nil {
				return err
			}
		}
		if headers := get(node, "headers"); headers != nil {
			remove(headers, "Set-Cookie")
			removeRef(headers, "#/components/headers/PageETag")
			if len(headers.Content) == 0 {
				remove(node, "headers")
			}
		}
		remove(node, "security")
		remove(node, "securitySchemes")
		if id := get(node, "operationId"); id != nil && slices.Contains(streamed, id.Value) {
			content := get(get(get(node, "responses"), "200"), "content")
			media := get(content, "application/json")
			if media == nil {
				media = get(content, "text/csv")
			}
			set(media, "x-ogen-raw-response", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
		}
		deriveSchema(node)
		return nil
	})
	if err != nil {
		return nil, err
	}
	schemas := get(get(root, "components"), "schemas")
	for _, name := range encodedItems {
		if properties := get(get(schemas, name), "properties"); properties != nil {
			set(properties, "items", &yaml.Node{Kind: yaml.MappingNode})
		}
	}
	return yaml.Marshal(&document)
}

// streamed are the operations whose handlers write the response themselves, because it
// can be too large to be encoded as a whole.
var streamed = []string{"downloadAnswers", "downloadParticipants", "listEventPosts", "listMyReposts", "listPostComments", "listPostThreads"}

// encodedItems are the responses whose items are encoded before, and cached.
var encodedItems = []string{"EventListResponse", "EventMapResponse", "FeedResponse"}

// deriveResponses removes the error responses of one operation, and those that handlers write
// on the connection.
func deriveResponses(list, components *yaml.Node) error {
	for _, status := range keys(list) {
		response := get(list, status)
		if ref := get(response, "$ref"); ref != nil {
			name, _ := strings.CutPrefix(ref.Value, "#/components/responses/")
			if response = get(components, name); response == nil {
				return fmt.Errorf("line %d: no response %s", ref.Line, ref.Value)
			}
		}
		content := get(response, "content")
		if status == "101" || get(content, "text/event-stream") != nil || get(content, "application/problem+json") != nil {
			remove(list, status)
		}
	}
	if len(list.Content) == 0 {
		description := &yaml.Node{Kind: yaml.MappingNode}
		set(description, "description", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "Never sent."})
		set(list, "204", description)
	}
	return nil
}

func deriveSchema(schema *yaml.Node) {
	if index(schema, "type") > 0 || index(schema, "$ref") > 0 {
		remove(schema, "default")
	}
	if refused := get(schema, "x-refused"); refused != nil {
		for _, name := range refused.Content {
			set(get(schema, "properties"), name.Value, &yaml.Node{Kind: yaml.MappingNode})
		}
	}
	if bound := get(schema, "exclusiveMinimum"); bound != nil && bound.Tag != "!!bool" {
		set(schema, "minimum", bound)
		set(schema, "exclusiveMinimum", &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	}
	if format := get(schema, "format"); format != nil && (format.Value == "uri" || format.Value == "email") {
		remove(schema, "format")
	}
}

// walk visits every mapping below node, parents first.
func walk(node *yaml.Node, visit func(*yaml.Node) error) error {
	if node.Kind == yaml.MappingNode {
		if err := visit(node); err != nil {
			return err
		}
	}
	for _, child := range node.Content {
		if err := walk(child, visit); err != nil {
			return err
		}
	}
	return nil
}

// index returns the position of key's value in a mapping, or -1.
func index(mapping *yaml.Node, key string) int {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return -1
	}
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return i + 1
		}
	}
	return -1
}

func get(mapping *yaml.Node, key string) *yaml.Node {
	if i := index(mapping, key); i > 0 {
		return mapping.Content[i]
	}
	return nil
}

func set(mapping *yaml.Node, key string, value *yaml.Node) {
	if i := index(mapping, key); i > 0 {
		mapping.Content[i] = value
		return
	}
	name := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}
	mapping.Content = append(mapping.Content, name, value)
}

func remove(mapping *yaml.Node, key string) {
	if i := index(mapping, key); i > 0 {
		mapping.Content = append(mapping.Content[:i-1], mapping.Content[i+1:]...)
	}
}

// refersTo reports whether node is a $ref to target.
func refersTo(node *yaml.Node, target string) bool {
	ref := get(node, "$ref")
	return ref != nil && ref.Value == target
}

// removeRef removes every entry of the mapping that is a $ref to target.
func removeRef(mapping *yaml.Node, target string) {
	for _, key := range keys(mapping) {
		if refersTo(get(mapping, key), target) {
			remove(mapping, key)
		}
	}
}

func keys(mapping *yaml.Node) []string {
	var list []string
	for i := 0; i < len(mapping.Content); i += 2 {
		list = append(list, mapping.Content[i].Value)
	}
	return list
}
