package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestGeneratedIsCurrent generates package gen again and compares it with the
// committed files. generate fails if a patch applies nowhere.
func TestGeneratedIsCurrent(t *testing.T) {
	files, err := generate("../openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", "gen", name))
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./api", name)
		}
	}
	committed, err := filepath.Glob("../gen/*_gen.*")
	if err != nil {
		t.Fatal(err)
	}
	if len(committed) != len(files) {
		t.Errorf("package gen has %d generated files, want %d", len(committed), len(files))
	}
}

func TestResponseEncoders(t *testing.T) {
	encoders, err := os.ReadFile("../gen/oas_response_encoders_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(encoders, []byte("jx.Encoder")) || !bytes.Contains(encoders, []byte("return writeResponse(w, 200, response)")) {
		t.Error("ogen writes responses itself, not by writeResponse")
	}
	if bytes.Contains(encoders, []byte("Access-Control-")) {
		t.Error("response encoders set CORS headers")
	}
}

func TestDerive(t *testing.T) {
	const contract = `
paths:
  /places:
    get:
      operationId: listEventPosts
      parameters:
        - {name: radius, in: query, schema: {type: number, exclusiveMinimum: 0}}
        - {name: url, in: query, schema: {type: string, format: uri, maxLength: 9}}
      responses:
        "200":
          headers: {Set-Cookie: {schema: {type: string}}}
          content: {application/json: {}}
        "404": {$ref: "#/components/responses/NotFound"}
        "503":
          content: {application/json: {}}
components:
  responses:
    NotFound:
      content: {application/json: {}, application/problem+json: {}}
  schemas:
    Place:
      x-refused: [id]
      properties: {name: {type: string}}
`
	const want = `paths:
    /places:
        get:
            operationId: listEventPosts
            parameters:
                - {name: radius, in: query, schema: {type: number, exclusiveMinimum: true, minimum: 0}}
                - {name: url, in: query, schema: {type: string, maxLength: 9}}
            responses:
                "200":
                    content: {application/json: {x-ogen-raw-response: true}}
                "503":
                    content: {application/json: {}}
components:
    responses:
        NotFound:
            content: {application/json: {}, application/problem+json: {}}
    schemas:
        Place:
            x-refused: [id]
            properties: {name: {type: string}, id: {}}
`
	got, err := derive([]byte(contract))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("derived\n%s\nwant\n%s", got, want)
	}
}

func TestDocument(t *testing.T) {
	const contract = `
paths:
  /places:
    get:
      summary: List places.
      responses:
        "200": {description: Places.}
components:
  schemas:
    Place:
      description: A place.
      properties:
        description: {type: string, description: What is there., examples: [A park]}
        kind: {type: string, x-extensible-enum: [park]}
`
	const want = `{"components":{"schemas":{"Place":{"properties":{"description":{"type":"string"},"kind":{"enum":["park"],"type":"string"}}}}},` +
		`"paths":{"/places":{"get":{"responses":{"200":{}}}}}}`
	got, err := document([]byte(contract))
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, got); err != nil || compact.String() != want {
		t.Errorf("%s, %v, want %s", compact.String(), err, want)
	}
}
