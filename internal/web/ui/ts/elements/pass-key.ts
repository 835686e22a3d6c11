// <pass-key data-options="/api/..."> around a form is defined, and so visible, if the browser has passkeys. The browser makes
// or uses a passkey by the options of the operation. At the sign-in, it also offers passkeys among the suggestions of the
// field for the e-mail address.
import { AskBrowser } from "./ask-browser";

// The options of a sign-in are valid for five minutes, and for one use.
const lasts = 4 * 60_000;
const stored = "passkey-options";

interface SignInOptions {
	publicKey: PublicKeyCredentialRequestOptionsJSON;
	until: number;
}

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
		return this.signsIn ? this.use(await this.signInOptions()) : navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(await this.request()) });
	}

	// use signs in with a passkey. The options are then used up.
	private async use({ publicKey }: SignInOptions, how: CredentialRequestOptions = {}) {
		const credential = await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey), ...how });
		sessionStorage.removeItem(stored);
		return credential;
	}

	// signInOptions returns the options for this tab. It asks for new ones only when the last ones are used or too old: they
	// count towards the limit of sign-ins.
	private async signInOptions(): Promise<SignInOptions> {
		const last = JSON.parse(sessionStorage.getItem(stored) ?? "null") as SignInOptions | null;
		if (last && last.until > Date.now()) return last;
		const options = { publicKey: await this.request({ headers: { "Content-Type": "application/json" }, body: "{}" }), until: Date.now() + lasts };
		sessionStorage.setItem(stored, JSON.stringify(options));
		return options;
	}

	private async request(init: RequestInit = {}) {
		const response = await fetch(this.dataset.options!, { method: "POST", ...init });
		if (!response.ok) throw new Error(String(response.status));
		return (await response.json()).public_key;
	}

	private async offer(): Promise<void> {
		try {
			if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
			const options = await this.signInOptions();
			const signal = AbortSignal.any([this.asked.signal, AbortSignal.timeout(options.until - Date.now())]);
			this.answer(this.querySelector("form")!, await this.use(options, { mediation: "conditional", signal }));
		} catch (reason) {
			if ((reason as Error).name === "TimeoutError") return this.offer();
		}
	}
}

if (window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined) customElements.define("pass-key", PassKey);
