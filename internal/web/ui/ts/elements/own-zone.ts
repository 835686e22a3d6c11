// <own-zone> around a field sets an empty field to the time zone of the visitor. Its button, if it has one, does the same
// with any other value. Its list, if it has one, gets all zones. Around links, it adds the zone to those with a date.
class OwnZone extends HTMLElement {
	connectedCallback() {
		const field = this.querySelector("input"), button = this.querySelector("button"), list = this.querySelector("datalist");
		const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
		for (const link of this.querySelectorAll("a")) if (/date=(?!.*tz=)/.test(link.search)) link.search += "&tz=" + encodeURIComponent(own);
		if (!field) return;
		field.value ||= own;
		list?.replaceChildren(...Intl.supportedValuesOf("timeZone").map((zone) => new Option(zone)));
		if (!button || field.value === own) return;
		button.textContent = button.dataset.text!.replace("%s", own);
		button.hidden = false;
		button.addEventListener("click", () => {
			field.value = own;
			button.hidden = true;
		});
	}
}

customElements.define("own-zone", OwnZone);
