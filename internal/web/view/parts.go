package view

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"moothall/api/gen"
	"moothall/internal/web/assets"
)

// iconStart and iconEnd stand before and after the name of an icon.
var iconStart, iconEnd = `<svg class="icon" aria-hidden="true"><use href="` + assets.URL("icons.svg") + "#", `"></use></svg>`

// Icon shows a decorative icon, which screen readers skip. It is no template, because pages show dozens of icons. Nor are Face and
// gradient, because templ computes classes slowly.
func Icon(name string) templ.Component {
	return component(func(ctx pageContext, out *buffer) error { return drawIcon(ctx, out, name) })
}

func drawIcon(_ pageContext, out *buffer, name string) error {
	return writeVerbatim(out, iconStart, name, iconEnd)
}

// drawgradient shows a gradient that belongs to an id, with an icon.
func drawgradient(_ pageContext, out *buffer, id [16]byte, icon string) error {
	return writeVerbatim(out, `<div class="cover `, Hue(id), `">`, iconStart, icon, iconEnd, `</div>`)
}

// Face shows the picture of a user, or else the first letter of the name. The name stands
// beside it.
func Face(p *Page, u gen.PublicProfile) templ.Component {
	return component(func(ctx pageContext, out *buffer) error { return drawFace(ctx, out, p, u) })
}

func drawFace(_ pageContext, out *buffer, p *Page, u gen.PublicProfile) error {
	if u.AvatarURL.Null {
		return writeVerbatim(out, `<span class="face `, Hue(u.UserID), `" aria-hidden="true">`, templ.EscapeString(Initial(p.Name(u))), `</span>`)
	}
	picture := templ.EscapeString(p.Picture(u.AvatarURL.Value, 96))
	return writeVerbatim(out, `<img class="face" src="`, picture, `" alt="" width="32" height="32" loading="lazy">`)
}

// PictureTypes are the media types of pictures that users can upload.
var PictureTypes = []string{"image/jpeg", "image/png", "image/gif", "image/webp"}

// PartField is in forms whose page is loaded as a part of another one: the browser stays there.
const PartField = "part"

// inputAttributes are the attributes of an input element.
func (f InputField) inputAttributes(p *Page) templ.Attributes {
	a := f.attributes(p)
	a["type"] = cmp.Or(f.Type, "text")
	if f.Type == "file" {
		a["accept"] = cmp.Or(f.Accept, strings.Join(PictureTypes, ","))
	} else {
		a["value"] = p.Form.Value(f.Action, f.Name, f.Value)
	}
	return a
}

// attributes are the attributes that input and textarea share, without those that are empty.
func (f InputField) attributes(p *Page) templ.Attributes {
	a := templ.Attributes{"required": f.Required, "autofocus": f.Focus}
	for name, value := range map[string]string{
		"autocomplete": f.Autocomplete, "inputmode": f.Mode, "placeholder": f.Placeholder,
		"maxlength": cmp.Or(f.MaxLength, maxLength(f.Action, f.Name)), "list": f.List,
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

// selectAttributes are the attributes of a select.
func (f InputField) selectAttributes(p *Page) templ.Attributes {
	a := f.attributes(p)
	delete(a, "maxlength")
	a["required"] = true
	return a
}

// maxLength returns how long a text in a field may be, as the contract says; "" if it says nothing. Browsers count characters
// outside of the basic plane twice; the server rejects longer texts.
func maxLength(operation, name string) string {
	if n := gen.MaxLength(operation, name); n > 0 {
		return strconv.Itoa(n)
	}
	return ""
}

// fieldError says what is wrong with a field.
func (p *Page) fieldError(f Field) string {
	if text := p.T("field." + f.Name); text != "" {
		return text
	}
	switch parts := strings.Split(f.Name, "/"); {
	case strings.HasPrefix(f.Name, "answer."):
		return p.T("field.answer")
	case parts[0] == "items" && len(parts) == 3:
		return p.T("field.question." + parts[2])
	}
	return p.T("field.other", "Name", f.Name)
}

// actionURL is the address of an action, whose response browsers show at the element with an id.
func actionURL(name, target string) templ.SafeURL {
	if target != "main" {
		name += "#" + target
	}
	return templ.SafeURL("/do/" + name)
}
