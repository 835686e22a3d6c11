// <near-me> around a button in a form sets the fields lat and lng of the form to the place of the visitor, rounded to about
// a kilometre, and sends the form. The button has its room from the beginning, so that nothing moves.
import { define } from "../define";

define("near-me", (host) => {
	const form = host.closest("form")!;
	host.hidden = !navigator.geolocation;
	host.querySelector("button")!.onclick = () => navigator.geolocation.getCurrentPosition(
		({ coords }) => {
			const set = (name: string, value: string) => { (form.elements.namedItem(name) as HTMLInputElement).value = value; };
			set("lat", coords.latitude.toFixed(2));
			set("lng", coords.longitude.toFixed(2));
			set("radius_km", "25");
			set("city", "");
			set("place", "");
			form.requestSubmit();
		},
		() => { host.querySelector("output")!.value = host.getAttribute("denied")!; },
	);
});
