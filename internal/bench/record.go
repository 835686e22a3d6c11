package bench

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"moothall/internal/db"
)

// call is the statements that answered one request, in order.
type call []step

// step is one statement with its arguments as drivers take them.
type step struct {
	stmt *db.Stmt
	args []any
}

// writes reports whether the call changes anything.
func (c call) writes() bool {
	return slices.ContainsFunc(c, func(s step) bool { return len(s.stmt.Writes()) > 0 })
}

// recorder notes the statements of the requests that go through wrap, so that
// the engine can be asked to run just them again.
type recorder struct {
	on   atomic.Bool
	mu   sync.Mutex
	tape []call
}

type taped struct {
	mu    sync.Mutex
	steps call
}

type tapedKey struct{}

// note is for db.Options.OnStatement.
func (r *recorder) note(ctx context.Context, s *db.Stmt, args []any) {
	if !r.on.Load() {
		return
	}
	if t, ok := ctx.Value(tapedKey{}).(*taped); ok {
		plain := make([]any, len(args))
		for i, arg := range args {
			plain[i] = value(arg)
		}
		t.mu.Lock()
		t.steps = append(t.steps, step{s, plain})
		t.mu.Unlock()
	}
}

func (r *recorder) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		t := &taped{}
		next.ServeHTTP(w, req.WithContext(context.WithValue(req.Context(), tapedKey{}, t)))
		t.mu.Lock()
		defer t.mu.Unlock()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.tape = append(r.tape, slices.Clip(t.steps))
	})
}

// begin forgets what was recorded before.
func (r *recorder) begin() {
	r.mu.Lock()
	r.tape = nil
	r.mu.Unlock()
	r.on.Store(true)
}

func (r *recorder) end() []call {
	r.on.Store(false)
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tape
}

// value turns an argument into what both drivers take: nil, string, int64,
// float64, bool, []byte, [16]byte and lists of string, int64 and [16]byte.
func value(arg any) any {
	switch v := arg.(type) {
	case nil, string, int64, float64, bool:
		return v
	case []byte:
		return slices.Clone(v)
	case time.Time:
		return v.UnixMicro()
	}
	v := reflect.ValueOf(arg)
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return value(v.Elem().Interface())
	case reflect.String:
		return v.String()
	case reflect.Int, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Bool:
		return v.Bool()
	case reflect.Array:
		return v.Convert(reflect.TypeFor[[16]byte]()).Interface()
	case reflect.Slice:
		return list(v)
	}
	panic(fmt.Sprintf("bench: an argument of type %T", arg))
}

func list(v reflect.Value) any {
	switch element := v.Type().Elem(); element.Kind() {
	case reflect.String:
		return each[string](v)
	case reflect.Int, reflect.Int64:
		return each[int64](v)
	case reflect.Uint8:
		return slices.Clone(v.Bytes())
	default:
		return each[[16]byte](v)
	}
}

func each[T any](v reflect.Value) []T {
	all := make([]T, v.Len())
	for i := range all {
		all[i] = v.Index(i).Convert(reflect.TypeFor[T]()).Interface().(T)
	}
	return all
}
