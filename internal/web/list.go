package web

import (
	"io"
	"net/http"
	"net/url"

	"github.com/go-faster/jx"

	"moothall/api/gen"
)

// optional returns a parameter of a query. An empty field of a form counts as absent.
func optional(query url.Values, name string) gen.OptString {
	return gen.OptString{Value: query.Get(name), Set: query.Get(name) != ""}
}

// more returns the address of the page with the next items of a list, whose cursor is the named parameter; "" if there
// are no more.
func (v *visit) more(parameter string, next gen.NilString) string {
	if next.Null {
		return ""
	}
	query := v.page.URL.Query()
	query.Set(parameter, next.Value)
	return (&url.URL{Path: v.page.URL.Path, RawQuery: query.Encode()}).String()
}

// The server encodes some lists itself, so the generated client returns them undecoded.

// decoder is a pointer to a type of the contract.
type decoder[T any] interface {
	*T
	Decode(*jx.Decoder) error
}

// decodeItems decodes the items of a list.
func decodeItems[T any, P decoder[T]](encoded []byte) (items []T, err error) {
	d := jx.DecodeBytes(encoded)
	err = d.Arr(func(d *jx.Decoder) error {
		var item T
		if err := P(&item).Decode(d); err != nil {
			return err
		}
		items = append(items, item)
		return nil
	})
	return items, err
}

// decodeList decodes a response with items and a cursor, which is null on the last page.
func decodeList[T any, P decoder[T]](r *http.Response) (items []T, next gen.NilString, err error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, next, err
	}
	err = jx.DecodeBytes(body).Obj(func(d *jx.Decoder, key string) error {
		switch key {
		case "items":
			encoded, err := d.Raw()
			if err != nil {
				return err
			}
			items, err = decodeItems[T, P](encoded)
			return err
		case "next_cursor":
			return next.Decode(d)
		}
		return d.Skip()
	})
	return items, next, err
}
