package web

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"

	"moothall/internal/web/view"
)

// picture is a picture in a form. It is read while it arrives: the operation that gets it limits uploads.
type picture struct {
	io.Reader
	mediaType string // one of view.PictureTypes
}

// hasFile reports whether the visitor chose a file in a field.
func (v *visit) hasFile(name string) bool {
	return v.form.File != nil && v.form.File.FormName() == name
}

// picture returns the picture in a field, or the refusal of the field.
// Its content, not the browser, says of what type it is.
func (v *visit) picture(name string) (picture, error) {
	if !v.hasFile(name) {
		return picture{}, invalid(name)
	}
	head := make([]byte, 512) // as much as DetectContentType looks at
	n, err := io.ReadFull(v.form.File, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return picture{}, &view.Problem{Status: statusOfForm(err)}
	}
	head = head[:n]
	p := picture{io.MultiReader(bytes.NewReader(head), v.form.File), http.DetectContentType(head)}
	if !slices.Contains(view.PictureTypes, p.mediaType) {
		return picture{}, &view.Problem{Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type"}
	}
	return p, nil
}
