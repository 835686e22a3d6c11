// <local-time datetime="2026-11-27T19:00:00Z" zone="Europe/Berlin" text="%s for you"> shows the time of the visitor if it differs from
// that at the place of an event. The text is in a shadow tree, where it remains when htmx updates the page.
import { clock } from "../clock";

class LocalTime extends HTMLElement {
	connectedCallback() {
		const at = new Date(this.getAttribute("datetime")!);
		const shown = (timeZone?: string) => new Intl.DateTimeFormat(document.documentElement.lang, { timeZone, weekday: "short", ...clock() }).format(at);
		const here = shown();
		if (!this.shadowRoot && here !== shown(this.getAttribute("zone")!)) {
			this.attachShadow({ mode: "open" }).textContent = this.getAttribute("text")!.replace("%s", here);
		}
	}
}

customElements.define("local-time", LocalTime);
