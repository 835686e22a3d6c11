package view

import (
	"cmp"
	"strings"

	"github.com/a-h/templ"
)

// PictureTypes are the media types of pictures that users can upload.
var PictureTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// inputAttributes are the attributes of an input element.
func (f InputField) inputAttributes(p *Page) templ.Attributes {
	a := f.attributes(p)
	a["type"] = cmp.Or(f.Type, "text")
	if f.Type == "file" {
		a["accept"] = strings.Join(PictureTypes, ",")
	} else {
		a["value"] = p.Form.Value(f.Action, f.Name, f.Value)
	}
	return a
}

// attributes are the attributes that input and textarea share, without those that are empty.
func (f InputField) attributes(p *Page) templ.Attributes {
	a := templ.Attributes{"required": f.Required, "autofocus": f.Focus}
	for name, value := range map[string]string{
		"autocomplete": f.Autocomplete, "inputmode": f.Mode, "placeholder": f.Placeholder, "maxlength": f.MaxLength, "list": f.List,
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
