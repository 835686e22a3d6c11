package browser

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
	j.Press("As others see it")
	j.See("Dana " + j.name)
	j.Open("/settings/security")
	j.See("This browser")
	j.Press("Sign out everywhere else")
	j.SeeNot("Sign out everywhere else")
	other.In(j.T).Get("/me").Want(401)
}

// exportAndDelete changes the language, downloads the data of the account and deletes it.
func exportAndDelete(j *journey) {
	email := j.Email("erin")
	j.Open("/login?return_to=/settings")
	j.signIn(email)
	j.At("/settings")
	j.Select("field-language", "de")
	j.Select("field-timezone", "Europe/Vienna")
	j.Press("Save")
	j.See("Sprache und Zeitzone")
	j.await("the export", `fetch(document.querySelector("a[download]")?.href ?? "/api/me/export").then(r => r.text()).then(text => text.includes(`+literal(email)+`))`)
	j.openDetails("Mein Konto löschen")
	j.act("the confirmation", `document.querySelector("[name=confirm]")`, j.click())
	j.Press("Endgültig löschen")
	j.At("/")
	j.See("Anmelden")
}

// installClient installs the client when the browser offers it, and only by the button.
func installClient(j *journey) {
	j.signInAs("installer")
	j.Open("/settings")
	j.SeeNot("On your device")
	j.act("the offer of the browser", `document.querySelector("install-app:defined")`, `() => {
		const offer = new Event("beforeinstallprompt", {cancelable: true});
		offer.prompt = () => { document.body.dataset.asked = offer.defaultPrevented; };
		dispatchEvent(offer);
	}`)
	j.See("On your device")
	j.Accessible()
	j.await("no question before the button", `document.body.dataset.asked === undefined`)
	j.Press("Install")
	j.await("the question of the browser", `document.body.dataset.asked === "true"`)
	j.act("the end of the installation", "window", `() => { dispatchEvent(new Event("appinstalled")); }`)
	j.SeeNot("On your device")
}
