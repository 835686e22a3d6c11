// <open-dialog> around an open <dialog> makes it modal. Without script the dialog is a part of the page.
class OpenDialog extends HTMLElement {
	connectedCallback() {
		const dialog = this.querySelector("dialog");
		if (dialog?.open && !dialog.matches(":modal")) {
			dialog.close();
			dialog.showModal();
		}
	}
}

customElements.define("open-dialog", OpenDialog);
