// AskBrowser is the base of an element around a form that needs something which only the browser can give. When the form is
// sent, it asks for that first, and sends it as JSON in the field whose name is in data-field.
export abstract class AskBrowser extends HTMLElement {
	private answered = false;

	// ask returns what the browser gives. It throws if the visitor or the browser refuses.
	protected abstract ask(): Promise<unknown>;

	connectedCallback() {
		this.addEventListener("submit", this.send, true); // before htmx
	}

	// answer sends the form with what the browser has given.
	protected answer(form: HTMLFormElement, answer: unknown) {
		(form.elements.namedItem(this.dataset.field!) as HTMLInputElement).value = JSON.stringify(answer);
		this.answered = true;
		form.requestSubmit();
	}

	private send = async (event: SubmitEvent) => {
		if (this.answered) {
			this.answered = false;
			return;
		}
		event.preventDefault();
		event.stopPropagation();
		const form = event.target as HTMLFormElement;
		try {
			this.answer(form, await this.ask());
		} catch {
			this.querySelector("output")!.value = this.dataset.failed!;
		}
	};
}
