package httpapi

import (
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// requirement says what a value that violates a schema must be. Each detail of a problem
// starts with "must".
func requirement(e *openapi3.SchemaError) string {
	s := e.Schema
	switch e.SchemaField {
	case "required":
		return "must be present"
	case "type":
		return "must be " + typeNames(s)
	case "enum":
		return "must be one of: " + listed(s.Enum)
	case "const":
		return fmt.Sprintf("must be %v", s.Const)
	case "minLength", "maxLength":
		return "must have " + between(s.MinLength, s.MaxLength, "characters")
	case "minItems", "maxItems":
		return "must have " + between(s.MinItems, s.MaxItems, "items")
	case "minProperties", "maxProperties":
		return "must have " + between(s.MinProps, s.MaxProps, "members")
	case "uniqueItems":
		return "must not contain an item twice"
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return "must be " + interval(s)
	case "pattern":
		return "must match " + s.Pattern
	case "format":
		return formatRequirement(e)
	default:
		return "must match the schema of the contract"
	}
}

// formatRequirement returns the text of the check in formats.
func formatRequirement(e *openapi3.SchemaError) string {
	if check, known := formats[e.Schema.Format]; known {
		if text, isText := e.Value.(string); isText {
			if err := check.Validate(text); err != nil {
				return err.Error()
			}
		}
	}
	return "must be in the format " + e.Schema.Format
}

func typeNames(s *openapi3.Schema) string {
	var names []string
	for _, name := range s.Type.Slice() {
		switch name {
		case "integer", "array", "object":
			names = append(names, "an "+name)
		case "null":
			names = append(names, name)
		default:
			names = append(names, "a "+name)
		}
	}
	return strings.Join(names, " or ")
}

func listed(values []any) string {
	var texts []string
	for _, value := range values {
		if value != nil {
			texts = append(texts, fmt.Sprint(value))
		}
	}
	return strings.Join(texts, ", ")
}

func between(least uint64, most *uint64, of string) string {
	switch {
	case most == nil:
		return fmt.Sprintf("at least %d %s", least, of)
	case least == 0:
		return fmt.Sprintf("at most %d %s", *most, of)
	case least == *most:
		return fmt.Sprintf("%d %s", least, of)
	default:
		return fmt.Sprintf("%d to %d %s", least, *most, of)
	}
}

// interval describes the numbers that a schema accepts.
func interval(s *openapi3.Schema) string {
	var bounds []string
	if above := s.ExclusiveMin.Value; above != nil {
		bounds = append(bounds, fmt.Sprintf("more than %v", *above))
	} else if s.Min != nil {
		bounds = append(bounds, fmt.Sprintf("at least %v", *s.Min))
	}
	if below := s.ExclusiveMax.Value; below != nil {
		bounds = append(bounds, fmt.Sprintf("less than %v", *below))
	} else if s.Max != nil {
		bounds = append(bounds, fmt.Sprintf("at most %v", *s.Max))
	}
	return strings.Join(bounds, " and ")
}
