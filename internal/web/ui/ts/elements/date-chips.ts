// <date-chips> around links to dates sends the filter of the page with the date of a link. So nothing is lost that the visitor
// has entered in the filter, but not sent.
import { define } from "../define";

define("date-chips", (host) => {
	host.onclick = (event) => {
		const link = (event.target as Element).closest("a"), form = document.querySelector<HTMLFormElement>("form.filter");
		if (!link || !form || event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab gets the address
		event.preventDefault();
		const set = (name: string, value: string) => { (form.elements.namedItem(name) as HTMLInputElement).value = value; };
		set("date", new URL(link.href).searchParams.get("date") ?? "");
		set("day", "");
		form.requestSubmit();
	};
});
