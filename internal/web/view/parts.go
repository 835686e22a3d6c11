package view

import "github.com/a-h/templ"

// attributes are those of the input element that may be absent.
func (f InputField) attributes(p *Page) templ.Attributes {
	a := templ.Attributes{"type": "text", "required": f.Required, "autofocus": f.Focus}
	for name, value := range map[string]string{
		"type": f.Type, "autocomplete": f.Autocomplete, "inputmode": f.Mode, "placeholder": f.Placeholder, "maxlength": f.MaxLength,
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
