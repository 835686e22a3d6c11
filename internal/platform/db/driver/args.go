package driver

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"
)

// UUID is a domain.ID of any kind.
type UUID [16]byte

var typeOfUUID = reflect.TypeFor[UUID]()

func isUUID(t reflect.Type) bool {
	return t.Kind() == reflect.Array && t.Len() == len(UUID{}) && t.Elem().Kind() == reflect.Uint8
}

// Normalize converts an argument to a type that the engines bind: nil, string, int64,
// float64, bool, []byte, UUID, []string, []int64 or []UUID. Times become
// microseconds, pointers their targets, named types their underlying types.
//
// It returns an error for text that is not UTF-8 or contains NUL, because PostgreSQL
// cannot store it.
func Normalize(arg any) (any, error) {
	switch v := arg.(type) {
	case string:
		return v, checkText(v)
	case nil, int64, float64, bool, []byte, UUID, []int64, []UUID:
		return v, nil
	case int:
		return int64(v), nil
	case time.Time:
		return v.UnixMicro(), nil
	}
	return normalizeValue(reflect.ValueOf(arg))
}

func normalizeValue(v reflect.Value) (any, error) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil, nil
		}
		return Normalize(v.Elem().Interface())
	case reflect.String:
		return v.String(), checkText(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), nil
	case reflect.Float64:
		return v.Float(), nil
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Array:
		if isUUID(v.Type()) {
			return v.Convert(typeOfUUID).Interface(), nil
		}
	case reflect.Slice:
		return normalizeList(v)
	}
	return nil, fmt.Errorf("db: cannot bind an argument of type %s", v.Type())
}

func normalizeList(v reflect.Value) (any, error) {
	element := v.Type().Elem()
	switch {
	case element.Kind() == reflect.Uint8:
		return v.Bytes(), nil
	case element.Kind() == reflect.String:
		texts := elements(v, reflect.Value.String)
		return texts, checkText(texts...)
	case element.Kind() == reflect.Int || element.Kind() == reflect.Int64 || element.Kind() == reflect.Int32:
		return elements(v, reflect.Value.Int), nil
	case isUUID(element):
		return elements(v, func(e reflect.Value) UUID { return UUID(e.Bytes()) }), nil
	}
	return nil, fmt.Errorf("db: cannot bind a list of %s", element)
}

func checkText(texts ...string) error {
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.Contains(text, "\x00") {
			return errors.New("db: a text is not UTF-8 or contains NUL")
		}
	}
	return nil
}

func elements[T any](v reflect.Value, get func(reflect.Value) T) []T {
	list := make([]T, v.Len())
	for i := range list {
		list[i] = get(v.Index(i))
	}
	return list
}
