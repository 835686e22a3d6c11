package web

import (
	"io"
	"mime/multipart"
	"net/http"
	"slices"

	"moothall/internal/web/view"
)

// picture is a picture in a form.
type picture struct {
	multipart.File
	mediaType string // one of view.PictureTypes
}

// Close closes the file, which was only read.
func (p *picture) Close() { _ = p.File.Close() }

// hasFile reports whether the visitor chose a file in a field.
func (v *visit) hasFile(name string) bool {
	return v.r.MultipartForm != nil && len(v.r.MultipartForm.File[name]) > 0
}

// picture returns the picture in a field, or the refusal of the field. The caller closes it.
// Its content, not the browser, says of what type it is.
func (v *visit) picture(name string) (*picture, error) {
	if !v.hasFile(name) {
		return nil, invalid(name)
	}
	file, err := v.r.MultipartForm.File[name][0].Open()
	if err != nil {
		return nil, err
	}
	p := &picture{File: file}
	head := make([]byte, 512) // as much as DetectContentType looks at
	n, _ := io.ReadFull(file, head)
	p.mediaType = http.DetectContentType(head[:n])
	if !slices.Contains(view.PictureTypes, p.mediaType) {
		p.Close()
		return nil, &view.Problem{Status: http.StatusUnsupportedMediaType, Code: "unsupported_media_type"}
	}
	_, err = file.Seek(0, io.SeekStart)
	return p, err
}
