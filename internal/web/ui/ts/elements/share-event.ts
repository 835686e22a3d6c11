// <share-event> around a link or a hidden button lets it open the dialog of the device for sharing, where there is one. Without an
// address the button prints the page.
class ShareEvent extends HTMLElement {
	connectedCallback() {
		const control = this.querySelector<HTMLAnchorElement>("a, button");
		const { address: url, title } = this.dataset;
		if (!control || (url && !navigator.share)) return;
		control.hidden = false;
		control.onclick = (event) => {
			if (!url) return print();
			event.preventDefault();
			navigator.share({ url, title }).catch((err) => err.name === "AbortError" || location.assign(control.href ?? url));
		};
	}
}

customElements.define("share-event", ShareEvent);
