package floor

import (
	"context"
	"encoding/gob"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"moothall/internal/platform/db"
)

// Recording holds the statements that answered some requests, with their
// arguments. It travels from the service's process to the floors' process.
type Recording struct {
	Texts    []string // each statement once
	Requests [][]Execution
	Writes   bool // a statement changes a table
}

// Execution is one statement of a request.
type Execution struct {
	Text int // index in Texts
	Args []any
}

// null stands for nil in Args: gob encodes no nil in a list of interfaces.
type null bool

func init() {
	for _, known := range []any{null(true), [16]byte{}, []string{}, []int64{}, [][16]byte{}} {
		gob.Register(known)
	}
}

// restoreNulls puts nil where null stands.
func (r *Recording) restoreNulls() {
	for _, request := range r.Requests {
		for _, e := range request {
			for i, arg := range e.Args {
				if _, is := arg.(null); is {
					e.Args[i] = nil
				}
			}
		}
	}
}

// Recorder counts every statement of the service and records those of requests
// that go through Wrap.
type Recorder struct {
	Engine db.Engine

	count atomic.Int64
	on    atomic.Bool

	mu        sync.Mutex
	recording Recording
	texts     map[string]int // index in recording.Texts
}

type recordingKey struct{}

// Observe is for db.Options.OnStatement.
func (r *Recorder) Observe(ctx context.Context, s *db.Stmt, args []any) {
	r.count.Add(1)
	if !r.on.Load() {
		return
	}
	executions, ok := ctx.Value(recordingKey{}).(*[]Execution)
	if !ok {
		return
	}
	plain := make([]any, len(args))
	for i, arg := range args {
		plain[i] = plainValue(arg)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	text := s.Text(r.Engine)
	index, known := r.texts[text]
	if !known {
		index = len(r.recording.Texts)
		r.texts[text], r.recording.Texts = index, append(r.recording.Texts, text)
	}
	r.recording.Writes = r.recording.Writes || len(s.Writes()) > 0
	*executions = append(*executions, Execution{index, plain})
}

// Count returns how many statements the service has run.
func (r *Recorder) Count() int64 { return r.count.Load() }

// Wrap records the statements of each request. A request without a statement,
// a cache hit, is not recorded.
func (r *Recorder) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var executions []Execution
		next.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), recordingKey{}, &executions)))
		r.mu.Lock()
		defer r.mu.Unlock()
		if len(executions) > 0 {
			r.recording.Requests = append(r.recording.Requests, slices.Clip(executions))
		}
	})
}

// Begin starts an empty recording.
func (r *Recorder) Begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.recording, r.texts = Recording{}, map[string]int{}
	r.on.Store(true)
}

// End returns the recording.
func (r *Recorder) End() Recording {
	r.on.Store(false)
	r.mu.Lock()
	defer r.mu.Unlock()
	recording := r.recording
	r.recording = Recording{}
	return recording
}

// plainValue converts an argument to one that both drivers take: null, string,
// int64, float64, bool, []byte, [16]byte, or a list of string, int64 or [16]byte.
func plainValue(arg any) any {
	switch v := arg.(type) {
	case nil:
		return null(true)
	case string, int64, float64, bool:
		return v
	case time.Time:
		return v.UnixMicro()
	}
	v := reflect.ValueOf(arg)
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return null(true)
		}
		return plainValue(v.Elem().Interface())
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Bool:
		return v.Bool()
	case reflect.Array:
		return v.Convert(reflect.TypeFor[[16]byte]()).Interface()
	case reflect.Slice:
		return plainList(v)
	}
	panic(fmt.Sprintf("moothall-bench: cannot record an argument of type %T", arg))
}

func plainList(v reflect.Value) any {
	switch v.Type().Elem().Kind() {
	case reflect.String:
		return convertAll[string](v)
	case reflect.Int, reflect.Int64:
		return convertAll[int64](v)
	case reflect.Uint8:
		return slices.Clone(v.Bytes())
	default:
		return convertAll[[16]byte](v)
	}
}

func convertAll[T any](v reflect.Value) []T {
	all := make([]T, v.Len())
	for i := range all {
		all[i] = v.Index(i).Convert(reflect.TypeFor[T]()).Interface().(T)
	}
	return all
}
