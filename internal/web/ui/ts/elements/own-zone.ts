// <own-zone> around a field sets an empty field, or a fresh one, to the time zone of the visitor. Its button, if it has one, does the
// same with any other value. Around links, it adds the zone to those with a date.
import { define } from "../define";

define("own-zone", (host) => {
	const field = host.querySelector<HTMLSelectElement>("input, select"), button = host.querySelector("button");
	const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
	for (const link of host.querySelectorAll("a")) if (/date=(?!.*tz=)/.test(link.search)) link.search += "&tz=" + encodeURIComponent(own);
	if (!field) return;
	const fill = () => {
		field.value = own;
		if (field.value !== own) field.add(new Option(own, own, true, true)); // a list without the zone
		if (button) button.hidden = true;
	};
	if (!field.value || host.hasAttribute("fresh")) fill();
	if (!button || field.value === own) return;
	button.textContent = button.dataset.text!.replace("%s", own);
	button.hidden = false;
	button.onclick = fill;
});
