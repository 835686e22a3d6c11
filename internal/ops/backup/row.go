package backup

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"moothall/internal/domain"
	"moothall/internal/platform/db/migrate"
)

// A row is a JSON array on a line: numbers, booleans and null as they are, texts as
// strings, ids as UUIDs, and bytes in base64.

func encodeRow(to *bytes.Buffer, values []any) error {
	out := jsontext.NewEncoder(to)
	if err := out.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for i, value := range values {
		token, err := encode(value)
		if err == nil {
			err = out.WriteToken(token)
		}
		if err != nil {
			return fmt.Errorf("column %d: %w", i+1, err)
		}
	}
	return out.WriteToken(jsontext.EndArray)
}

func encode(value any) (jsontext.Token, error) {
	switch v := value.(type) {
	case nil:
		return jsontext.Null, nil
	case string:
		return jsontext.String(v), nil
	case int64:
		return jsontext.Int(v), nil
	case float64:
		return jsontext.Float(v), nil
	case bool:
		return jsontext.Bool(v), nil
	case []byte:
		return jsontext.String(base64.StdEncoding.EncodeToString(v)), nil
	case domain.ID[any]:
		return jsontext.String(v.String()), nil
	}
	return jsontext.Null, fmt.Errorf("cannot encode a %T", value)
}

// rowDecoder reads rows.
type rowDecoder struct {
	in      *jsontext.Decoder
	columns []migrate.Column
}

// next returns the next row, or io.EOF.
func (d *rowDecoder) next() ([]any, error) {
	begin, err := d.in.ReadToken()
	if err != nil {
		return nil, err
	}
	if begin.Kind() != jsontext.KindBeginArray {
		return nil, errors.New("a row is not an array")
	}
	row := make([]any, len(d.columns))
	for i, column := range d.columns {
		token, err := d.in.ReadToken()
		if err == nil {
			row[i], err = decode(token, column.Type)
		}
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", column.Name, unexpected(err))
		}
	}
	if end, err := d.in.ReadToken(); err != nil || end.Kind() != jsontext.KindEndArray {
		return nil, errors.Join(errors.New("a row has another number of columns"), unexpected(err))
	}
	return row, nil
}

// unexpected returns err, but io.ErrUnexpectedEOF for io.EOF: a row is incomplete.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// kinds are the kinds of JSON values of each type of column.
var kinds = map[string][]jsontext.Kind{
	"TEXT": {jsontext.KindString}, "UUID": {jsontext.KindString}, "BYTEA": {jsontext.KindString},
	"BIGINT": {jsontext.KindNumber}, "INTEGER": {jsontext.KindNumber}, "DOUBLE": {jsontext.KindNumber},
	"BOOLEAN": {jsontext.KindTrue, jsontext.KindFalse},
}

func decode(token jsontext.Token, columnType string) (any, error) {
	kind := token.Kind()
	if kind == jsontext.KindNull {
		return nil, nil
	}
	if !slices.Contains(kinds[columnType], kind) {
		return nil, fmt.Errorf("%q cannot be a %s", kind, columnType)
	}
	switch columnType {
	case "TEXT":
		return token.String(), nil
	case "UUID":
		return domain.ParseID[any](token.String())
	case "BYTEA":
		return base64.StdEncoding.DecodeString(token.String())
	case "DOUBLE":
		return token.Float()
	case "BOOLEAN":
		return token.Bool(), nil
	default:
		return token.Int()
	}
}
