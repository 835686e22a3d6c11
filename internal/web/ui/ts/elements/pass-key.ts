// <pass-key data-options="/api/..."> around a form is defined, and so visible, if the browser has passkeys. When the form is
// sent, the browser makes or uses a passkey by the options of the operation, and the form sends the response in its field
// "credential".
class PassKey extends HTMLElement {
	private answered = false;

	connectedCallback() {
		this.addEventListener("submit", this.ask, true); // before htmx
	}

	private ask = async (event: SubmitEvent) => {
		if (this.answered) {
			this.answered = false;
			return;
		}
		event.preventDefault();
		event.stopPropagation();
		const form = event.target as HTMLFormElement;
		try {
			const credential = await this.credential();
			(form.elements.namedItem("credential") as HTMLInputElement).value = JSON.stringify(credential);
			this.answered = true;
			form.requestSubmit();
		} catch {
			this.querySelector("output")!.value = this.dataset.failed!; // such as refused by the user
		}
	};

	private async credential() {
		const path = this.dataset.options!;
		const signsIn = path.includes("/auth/");
		const response = await fetch(path, { method: "POST", ...(signsIn && { headers: { "Content-Type": "application/json" }, body: "{}" }) });
		if (!response.ok) throw new Error(String(response.status));
		const options = (await response.json()).public_key;
		return signsIn
			? navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
			: navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
	}
}

if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) customElements.define("pass-key", PassKey);
