// <pass-key data-options="/api/..."> around a form is defined, and so visible, if the browser has passkeys. The browser makes
// or uses a passkey by the options of the operation.
import { AskBrowser } from "./ask-browser";

class PassKey extends AskBrowser {
	protected async ask() {
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

if (window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined) customElements.define("pass-key", PassKey);
