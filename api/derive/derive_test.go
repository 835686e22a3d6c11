package derive

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestGeneratedIsCurrent compares the files of package gen, and all that they are generated from,
// with their hashes at the last generation. It does not generate again, because that takes long:
// scripts/generated.sh does.
func TestGeneratedIsCurrent(t *testing.T) {
	want, err := os.ReadFile("../" + SumsFile)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Sums("..")
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Split(string(want), "\n")
	for line := range strings.SplitSeq(got, "\n") {
		if i := slices.Index(old, line); i >= 0 {
			old = slices.Delete(old, i, i+1)
		} else {
			t.Errorf("changed since the last generation: %s", line)
		}
	}
	if len(old) > 0 {
		t.Errorf("at the last generation: %q", old)
	}
	if t.Failed() {
		t.Error("run go generate ./api")
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

func TestContract(t *testing.T) {
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
	got, err := Contract([]byte(contract))
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
	got, err := Document([]byte(contract))
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, got); err != nil || compact.String() != want {
		t.Errorf("%s, %v, want %s", compact.String(), err, want)
	}
}
