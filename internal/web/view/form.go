package view

import (
	"net/url"
	"slices"
)

// Problem is the refusal of an operation (RFC 9457).
type Problem struct { //nolint:errname // the term of RFC 9457
	Status     int
	Code       string
	Reason     string // why it is forbidden
	Fields     []Field
	RetryAfter int // seconds

	// Conflicts are the names of the fields that a concurrent change has changed, too.
	Conflicts []string
}

// Field is one wrong field of a request.
type Field struct {
	Pointer string
	Name    string // of the field in the form
	Detail  string
}

// Error implements error.
func (p *Problem) Error() string { return "web: the operation was refused: " + p.Code }

// The steps of forms.
const (
	StepEmail    = "email"    // wants an address, to which it sends a code
	StepCode     = "code"     // wants the code
	StepReported = "reported" // thanks for a report
	StepSecret   = "secret"   // shows a new secret, which is its value "secret"
	StepPlace    = "place"    // shows addresses, or the chosen one
	StepSent     = "sent"     // says that messages are sent soon
	StepPreview  = "preview"  // shows what would be sent
	StepWrite    = "write"    // wants another text
)

// Form is a form that was sent, and is shown again.
type Form struct {
	Action  string // to which it was sent; "" if none was
	Step    string // at which it is shown; "" if it has no steps
	Values  url.Values
	Problem *Problem // why it was refused; nil: the next step follows
}

// Value returns what was sent in a field, or else a default.
func (f Form) Value(action, name, otherwise string) string {
	if f.Action == action && f.Values.Has(name) {
		return f.Values.Get(name)
	}
	return otherwise
}

// Wrong reports whether a field of an action was refused.
func (f Form) Wrong(action, name string) bool {
	return f.Action == action && f.Problem != nil && slices.ContainsFunc(f.Problem.Fields, func(w Field) bool { return w.Name == name })
}

// Conflicts reports whether somebody else has changed a field of an action, too.
func (f Form) Conflicts(action, name string) bool {
	return f.Refused(action) && slices.Contains(f.Problem.Conflicts, name)
}

// Refused reports whether the form of an action was refused.
func (f Form) Refused(action string) bool { return f.Action == action && f.Problem != nil }

// refusesStart reports whether a code could not be sent.
func (f Form) refusesStart() bool {
	return f.Refused("startEmailSignIn") || f.Refused("joinEvent") && f.Values.Has("email")
}

// atEmail reports whether the address of a visitor is wanted who must sign in before the form is carried out.
func (f Form) atEmail() bool {
	return f.Step == StepEmail || f.refusesStart() && !f.Values.Has("resend")
}

// atCode reports whether the code of a mail is wanted.
func (f Form) atCode() bool {
	return f.Step == StepCode || f.Refused("verifyEmailSignIn") || f.refusesStart() && f.Values.Has("resend")
}

// Explain returns the text for a refusal.
func (p *Page) Explain(problem *Problem) string {
	if problem.Reason != "" {
		if text := p.T("reason." + problem.Reason); text != "" {
			return text
		}
	}
	if text := p.T("error."+problem.Code, "Seconds", problem.RetryAfter); text != "" {
		return text
	}
	return p.T("error.internal_error")
}
