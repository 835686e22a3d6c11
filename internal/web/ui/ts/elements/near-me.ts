// <near-me> around a button in a form sets the fields lat and lng of the form to the place of the visitor, rounded to about
// a kilometre, and sends the form. The button has its room from the beginning, so that nothing moves.
class NearMe extends HTMLElement {
	connectedCallback() {
		const button = this.querySelector("button");
		const form = this.closest("form");
		this.hidden = !navigator.geolocation;
		if (!button || !form) return;
		button.addEventListener("click", () => navigator.geolocation.getCurrentPosition(
			({ coords }) => {
				const set = (name: string, value: string) => { (form.elements.namedItem(name) as HTMLInputElement).value = value; };
				set("lat", coords.latitude.toFixed(2));
				set("lng", coords.longitude.toFixed(2));
				set("radius_km", "25");
				set("city", "");
				form.requestSubmit();
			},
			() => { this.querySelector("output")!.value = this.getAttribute("denied") ?? ""; },
		));
	}
}

customElements.define("near-me", NearMe);
