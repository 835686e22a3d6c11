// <copy-text> around a field and a hidden button shows the button, which copies the value of the field.
class CopyText extends HTMLElement {
	connectedCallback() {
		const button = this.querySelector("button");
		const field = this.querySelector("input");
		if (!button || !field || !navigator.clipboard) return;
		button.hidden = false;
		button.addEventListener("click", async () => {
			await navigator.clipboard.writeText(field.value);
			button.textContent = this.querySelector("output")!.value = button.dataset.done ?? "";
		});
	}
}

customElements.define("copy-text", CopyText);
