package derive

import (
	"encoding/json"

	"github.com/go-faster/yaml"

	"moothall/api"
)

// Document returns the contract for api.Document: closed (api.Close), in JSON, and without
// texts and examples. So a program reads it in half the time.
func Document(contract []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(api.Close(contract), &root); err != nil {
		return nil, err
	}
	removeTexts(&root)
	var content any
	if err := root.Decode(&content); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(content, "", "") // one value a line, so that changes are readable
	return append(text, '\n'), err
}

// removeTexts removes summaries, descriptions and examples. A property may have the same name.
func removeTexts(node *yaml.Node) {
	if node.Kind == yaml.MappingNode {
		for _, keyword := range []string{"summary", "description", "example", "examples"} {
			remove(node, keyword)
		}
	}
	for i, child := range node.Content {
		if i > 0 && node.Content[i-1].Value == "properties" {
			for _, property := range child.Content {
				removeTexts(property)
			}
		} else {
			removeTexts(child)
		}
	}
}
