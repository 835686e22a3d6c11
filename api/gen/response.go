package gen

import (
	"bytes"
	"net/http"
	"strconv"

	"github.com/go-faster/jx"
)

// writeResponse encodes body as JSON and writes it with a Content-Length header,
// so that net/http does not use chunked encoding.
func writeResponse(w http.ResponseWriter, status int, body interface{ Encode(e *jx.Encoder) }) error {
	e := jx.GetEncoder()
	defer jx.PutEncoder(e)
	body.Encode(e)
	w.Header().Set("Content-Length", strconv.Itoa(len(e.Bytes())))
	w.WriteHeader(status)
	_, err := e.WriteTo(w)
	return err
}

// Marshal encodes a value as JSON.
func Marshal(value interface{ Encode(e *jx.Encoder) }) []byte {
	e := jx.GetEncoder()
	defer jx.PutEncoder(e)
	value.Encode(e)
	return bytes.Clone(e.Bytes())
}
