// <own-zone> around a field sets an empty field, or a fresh one, to the time zone of the visitor. Its button, if it has one, does the
// same with any other value. Around links, it adds the zone to those with a date.
class OwnZone extends HTMLElement {
	connectedCallback() {
		const field = this.querySelector<HTMLSelectElement>("input, select"), button = this.querySelector("button");
		const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
		for (const link of this.querySelectorAll("a")) if (/date=(?!.*tz=)/.test(link.search)) link.search += "&tz=" + encodeURIComponent(own);
		if (!field) return;
		const fill = () => {
			field.value = own;
			if (field.value !== own) field.add(new Option(own, own, true, true)); // a list without the zone
		};
		if (!field.value || this.hasAttribute("fresh")) fill();
		if (!button || field.value === own) return;
		button.textContent = button.dataset.text!.replace("%s", own);
		button.hidden = false;
		button.addEventListener("click", () => {
			fill();
			button.hidden = true;
		});
	}
}

customElements.define("own-zone", OwnZone);
