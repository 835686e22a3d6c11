// <local-time datetime="2026-11-27T19:00:00Z" zone="Europe/Berlin" text="%s for you"> shows the time of the visitor if it differs from
// that at the place of an event. The text is in a shadow tree, where it remains when htmx updates the page.
import { clock } from "../clock";
import { define } from "../define";

define("local-time", (host) => {
	const at = new Date(host.getAttribute("datetime")!);
	const shown = (timeZone?: string) => new Intl.DateTimeFormat(document.documentElement.lang, { timeZone, weekday: "short", ...clock() }).format(at);
	const here = shown();
	if (!host.shadowRoot && here !== shown(host.getAttribute("zone")!)) {
		host.attachShadow({ mode: "open" }).textContent = host.getAttribute("text")!.replace("%s", here);
	}
});
