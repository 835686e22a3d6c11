package webtest

// revokeOtherBrowser edits the profile and signs another browser out.
func revokeOtherBrowser(j *journey) {
	email := j.Email("dana")
	other := j.App.SignIn(email)
	j.Open("/login?return_to=/profile")
	j.signIn(email)
	j.See("My profile")
	j.Fill("Your name", "Dana "+j.name)
	j.Fill("Interests", "chess, oud")
	j.Press("Save")
	j.await("the interests", `document.querySelector("#field-interests")?.value === "chess, oud"`)
	j.Accessible()
	j.Press("As others see it")
	j.See("Dana " + j.name)
	j.Open("/settings/security")
	j.See("This browser")
	j.Accessible()
	j.Press("Sign out everywhere else")
	j.SeeNot("Sign out everywhere else")
	other.In(j.T).Get("/me").Want(401)
}
