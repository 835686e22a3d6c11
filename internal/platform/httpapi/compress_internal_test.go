package httpapi

import (
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"moothall/api"
)

// compressed lists the operations whose responses are compressed. Before you add one, read
// docs/security.md: its responses must have no secret beside text of other users.
var compressed = []string{
	"getEvent", "getEventByCode", // to anonymous callers only
	"getEventSeries", "getFeed", "getGroup", "getHealth", "getInviteLink", "getProfile", "getProfileByUsername", "listEventPosts",
	"listEvents", "listGroupEvents", "listGroupMembers", "listGroups", "listPlaces", "listPostComments", "listPostThreads", "listProfiles",
	"listSeriesEvents", "mapEvents",
}

func TestOnlyPublicOperationsAreCompressed(t *testing.T) {
	ops := contract()
	var got []string
	for _, id := range slices.Sorted(maps.Keys(ops)) {
		op := ops[id]
		if op.compressible {
			got = append(got, id)
		}
		if op.compressible && (op.auth == authSession || op.method != "GET") || op.hasSecret != (id == "getEvent" || id == "getEventByCode") {
			t.Errorf("%s: compressible %t, has a secret %t", id, op.compressible, op.hasSecret)
		}
	}
	if !slices.Equal(got, compressed) {
		t.Errorf("compressed are %q, want %q", got, compressed)
	}
}

// likeSecret matches names of properties that may be secrets.
var likeSecret = regexp.MustCompile(`token|secret|code|password|key|mail|phone|challenge|url`)

// TestCompressedOperationsShowNoSecrets checks the names of all their properties.
func TestCompressedOperationsShowNoSecrets(t *testing.T) {
	known := []string{"avatar_url", "image_url", "share_url", "external_url", "conference_url"} // the last one is a secret of getEvent
	doc, err := openapi3.NewLoader().LoadFromData(api.Spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range doc.Paths.Map() {
		if item.Get == nil || !slices.Contains(compressed, item.Get.OperationID) {
			continue
		}
		for _, name := range propertiesOf(item.Get.Responses.Value("200").Value.Content["application/json"].Schema.Value) {
			if likeSecret.MatchString(name) && !slices.Contains(known, name) {
				t.Errorf("%s shows %s: add it to secretProperties of package derive if only some viewers get it", item.Get.OperationID, name)
			}
		}
	}
}

func propertiesOf(schema *openapi3.Schema) (names []string) {
	for name, property := range schema.Properties {
		names = append(append(names, name), propertiesOf(property.Value)...)
	}
	for _, part := range slices.Concat(schema.AllOf, schema.OneOf, schema.AnyOf, openapi3.SchemaRefs{schema.Items}) {
		if part != nil {
			names = append(names, propertiesOf(part.Value)...)
		}
	}
	return names
}

func BenchmarkGzipped(b *testing.B) {
	body := api.Spec[:14<<10]
	for b.Loop() {
		gzipped(body)
	}
}
