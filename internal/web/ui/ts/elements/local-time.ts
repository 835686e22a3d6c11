// <local-time datetime="2026-11-27T19:00:00Z" zone="Europe/Berlin" text="%s for you"> adds the
// time of the visitor to the time at the place of an event, if the two differ. The text is in
// a shadow tree, where it remains when htmx updates the page.
class LocalTime extends HTMLElement {
	connectedCallback() {
		const at = new Date(this.getAttribute("datetime") ?? "");
		const shown = (timeZone?: string) => new Intl.DateTimeFormat(document.documentElement.lang,
			{ timeZone, weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(at);
		const here = shown();
		if (!this.shadowRoot && here !== shown(this.getAttribute("zone") ?? undefined)) {
			this.attachShadow({ mode: "open" }).textContent = (this.getAttribute("text") ?? "%s").replace("%s", here);
		}
	}
}

customElements.define("local-time", LocalTime);
