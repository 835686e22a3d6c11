package bench

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"
)

// A tape goes from the process that has recorded it to the one that plays it,
// each statement written once. The encoding has no nil inside of a list, so null
// stands for it.
type sentTape struct {
	Statements []statement
	Calls      [][]sentStep
}

type sentStep struct {
	Statement int // which
	Args      []any
}

type null bool

var register = sync.OnceFunc(func() {
	for _, known := range []any{null(true), [16]byte{}, []string{}, []int64{}, [][16]byte{}} {
		gob.Register(known)
	}
})

func packed(tape []call) ([]byte, error) {
	register()
	var sent sentTape
	known := map[statement]int{}
	for _, c := range tape {
		steps := make([]sentStep, len(c))
		for i, s := range c {
			n, ok := known[s.statement]
			if !ok {
				n = len(sent.Statements)
				known[s.statement], sent.Statements = n, append(sent.Statements, s.statement)
			}
			steps[i] = sentStep{n, s.args}
		}
		sent.Calls = append(sent.Calls, steps)
	}
	var to bytes.Buffer
	err := gob.NewEncoder(&to).Encode(sent)
	return to.Bytes(), err
}

func unpacked(from []byte) (tape []call, err error) {
	register()
	var sent sentTape
	if err := gob.NewDecoder(bytes.NewReader(from)).Decode(&sent); err != nil {
		return nil, err
	}
	for _, steps := range sent.Calls {
		c := make(call, len(steps))
		for i, s := range steps {
			for n, arg := range s.Args {
				if _, is := arg.(null); is {
					s.Args[n] = nil
				}
			}
			c[i] = step{sent.Statements[s.Statement], s.Args}
		}
		tape = append(tape, c)
	}
	return tape, nil
}

// value turns an argument into what both drivers take: null, string, int64,
// float64, bool, []byte, [16]byte and lists of string, int64 and [16]byte.
func value(arg any) any {
	switch v := arg.(type) {
	case nil:
		return null(true)
	case string, int64, float64, bool:
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
			return null(true)
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
