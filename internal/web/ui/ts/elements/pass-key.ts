// <pass-key data-options="/api/..."> around a form is defined, and so visible, if the browser has passkeys. The browser makes
// or uses a passkey by the options of the operation. At the sign-in, it also offers passkeys among the suggestions of the
// field for the e-mail address.
import { AskBrowser } from "./ask-browser";

// The options of a sign-in are valid for five minutes.
const offerLasts = 4 * 60_000;

class PassKey extends AskBrowser {
	private readonly asked = new AbortController(); // ends the offer

	private get signsIn() { return this.dataset.options!.includes("/auth/"); }

	connectedCallback() {
		super.connectedCallback();
		if (this.signsIn) void this.offer();
	}

	disconnectedCallback() { this.asked.abort(); }

	protected async ask() {
		this.asked.abort();
		const options = await this.options();
		return this.signsIn
			? navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
			: navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
	}

	private async options() {
		const response = await fetch(this.dataset.options!, { method: "POST", ...(this.signsIn && { headers: { "Content-Type": "application/json" }, body: "{}" }) });
		if (!response.ok) throw new Error(String(response.status));
		return (await response.json()).public_key;
	}

	private async offer(): Promise<void> {
		try {
			if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
			const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await this.options());
			const signal = AbortSignal.any([this.asked.signal, AbortSignal.timeout(offerLasts)]);
			this.answer(this.querySelector("form")!, await navigator.credentials.get({ publicKey, mediation: "conditional", signal }));
		} catch (reason) {
			if ((reason as Error).name === "TimeoutError") return this.offer();
		}
	}
}

if (window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined) customElements.define("pass-key", PassKey);
