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

// storePicture stores the picture that the visitor chose in a field, if any. It then reads the fields that come after it.
func (v *visit) storePicture(field string, store func(picture) error) error {
	if v.form.File == nil || v.form.File.FormName() != field {
		return nil
	}
	p, err := v.picture()
	if err != nil {
		return err
	}
	if err := store(p); err != nil {
		return err
	}
	if err := v.form.ReadRest(); err != nil {
		return &view.Problem{Status: statusOfForm(err)}
	}
	return nil
}

// picture returns the file of the form, or its refusal. Its content, not the browser, says of what type it is.
func (v *visit) picture() (picture, error) {
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
