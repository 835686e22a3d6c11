package view

import (
	"strings"

	"github.com/a-h/templ"
)

// PictureTypes are the media types of pictures that users can upload.
var PictureTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// attributes are those of the input element that may be absent.
func (f InputField) attributes(p *Page) templ.Attributes {
	a := templ.Attributes{"type": "text", "required": f.Required, "autofocus": f.Focus}
	if f.Type == "file" {
		a["accept"] = strings.Join(PictureTypes, ",")
	} else {
		a["value"] = p.Form.Value(f.Action, f.Name, f.Value)
	}
	for name, value := range map[string]string{
		"type": f.Type, "autocomplete": f.Autocomplete, "inputmode": f.Mode, "placeholder": f.Placeholder, "maxlength": f.MaxLength, "list": f.List,
	} {
		if value != "" {
			a[name] = value
		}
	}
	switch wrong := p.Form.Wrong(f.Action, f.Name); {
	case wrong:
		a["aria-invalid"], a["aria-describedby"] = "true", "error-"+f.Name
	case f.Hint != "":
		a["aria-describedby"] = "hint-" + f.Name
	}
	return a
}

// fieldError says what is wrong with a field.
func (p *Page) fieldError(f Field) string {
	if text := p.T("field." + f.Name); text != "" {
		return text
	}
	return p.T("field.other", "Name", f.Name)
}
