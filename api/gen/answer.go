package gen

import (
	"net/http"
	"strconv"

	"github.com/go-faster/jx"
)

// answer writes a body, its length in front: net/http then sends it as it is,
// not in chunks.
func answer(w http.ResponseWriter, status int, body interface{ Encode(e *jx.Encoder) }) error {
	e := jx.GetEncoder()
	defer jx.PutEncoder(e)
	body.Encode(e)
	w.Header().Set("Content-Length", strconv.Itoa(len(e.Bytes())))
	w.WriteHeader(status)
	_, err := e.WriteTo(w)
	return err
}
