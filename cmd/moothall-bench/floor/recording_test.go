package floor

import (
	"bytes"
	"encoding/gob"
	"reflect"
	"testing"
	"time"

	"moothall/internal/domain"
)

// TestRecordingSurvivesTransport sends a recording to another process: the same
// arguments arrive, nil as nil.
func TestRecordingSurvivesTransport(t *testing.T) {
	id := domain.RandomID[domain.EventKind]()
	var none *string
	var plain []any
	for _, arg := range []any{"x", 2, 1.5, true, []byte{1}, time.UnixMicro(7), id, []string{"a"}, []domain.EventID{id}, none, nil, new("y")} {
		plain = append(plain, plainValue(arg))
	}
	sent := Recording{Texts: []string{"SELECT 1"}, Writes: true, Requests: [][]Execution{{{0, plain}}, {{0, nil}}}}
	var wire bytes.Buffer
	if err := gob.NewEncoder(&wire).Encode(sent); err != nil {
		t.Fatal(err)
	}
	var got Recording
	if err := gob.NewDecoder(&wire).Decode(&got); err != nil {
		t.Fatal(err)
	}
	got.restoreNulls()
	array := [16]byte(id)
	want := []any{"x", int64(2), 1.5, true, []byte{1}, int64(7), array, []string{"a"}, [][16]byte{array}, nil, nil, "y"}
	if len(got.Requests) != 2 || got.Texts[0] != "SELECT 1" || !got.Writes || !reflect.DeepEqual(got.Requests[0][0].Args, want) {
		t.Errorf("%#v", got)
	}
}
