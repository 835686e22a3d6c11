// <place-picker> fills the fields city, lat and lng, from suggested cities or from a point on a map. Without the element,
// they are plain fields.
import {loadMap} from "../load-map";
import type {Picker, Point} from "../map/picker";

interface Place extends Point {
	name: string;
	country: string;
}

class PlacePicker extends HTMLElement {
	private picker?: Picker;
	private suggested = new Map<string, Place>();
	private search?: AbortController;
	private filled = ""; // the city that this element has entered

	connectedCallback() {
		this.addEventListener("input", (e) => {
			if (e.target === this.field("city")) void this.complete(e.target as HTMLInputElement);
		});
		const host = this.querySelector<HTMLElement>("[data-module]");
		host?.querySelector("button")?.addEventListener("click", () => void this.openMap(host), {once: true});
	}

	private field(name: string) {
		return this.querySelector<HTMLInputElement>(`input[name="${name}"]`);
	}

	// complete suggests the cities whose names begin with the words. If a suggestion is chosen, it fills the fields.
	private async complete(city: HTMLInputElement) {
		const chosen = this.suggested.get(city.value);
		if (chosen) {
			city.value = this.filled = chosen.name;
			this.set(chosen);
			this.picker?.move(chosen);
			return;
		}
		const words = city.value.trim();
		if (words.length < 2) return;
		const places = await this.find({q: words.slice(0, 80)});
		this.suggested = new Map(places.map((p) => [`${p.name}, ${p.country}`, p]));
		this.choices(city).replaceChildren(...[...this.suggested.keys()].map((name) => new Option(name)));
	}

	// choices returns the list of suggestions of the field. It adds the list if htmx has replaced the page.
	private choices(city: HTMLInputElement) {
		if (city.list) return city.list;
		const list = document.createElement("datalist");
		list.id = `${city.id}-places`;
		this.append(list);
		city.setAttribute("list", list.id);
		return list;
	}

	private set(p: Point) {
		for (const name of ["lat", "lng"] as const) {
			const field = this.field(name);
			if (field) field.value = p[name].toFixed(5);
		}
	}

	private at(): Point | undefined {
		const [lat, lng] = [this.field("lat")?.value, this.field("lng")?.value].map((text) => Number.parseFloat((text ?? "").replace(",", ".")));
		return Math.abs(lat ?? NaN) <= 90 && Math.abs(lng ?? NaN) <= 180 ? {lat: lat!, lng: lng!} : undefined;
	}

	private async openMap(host: HTMLElement) {
		try {
			const {drawPicker} = await loadMap(host);
			this.picker = await drawPicker(host, this.at() ?? (await this.center()), (p) => void this.pick(p));
		} catch {
			host.hidden = true; // such as a browser without WebGL
		}
	}

	// center returns the centre of the city of the form, and fills in its coordinates.
	private async center() {
		const words = this.field("city")?.value.trim();
		const [place] = words ? await this.find({q: words.slice(0, 80)}) : [];
		if (place) this.set(place);
		return place;
	}

	private async pick(p: Point) {
		this.set(p);
		const city = this.field("city");
		const [place] = await this.find({lat: String(p.lat), lng: String(p.lng)});
		if (!city || !place || (city.value && city.value !== this.filled)) return;
		city.value = this.filled = place.name;
	}

	// find asks the service for cities. It returns none if the service does not answer, or if another search has begun.
	private async find(query: Record<string, string>): Promise<Place[]> {
		this.search?.abort();
		this.search = new AbortController();
		try {
			const response = await fetch(`/basemap/places?${new URLSearchParams(query)}`, {signal: this.search.signal});
			return response.ok ? ((await response.json()) as {items: Place[]}).items : [];
		} catch {
			return [];
		}
	}
}

customElements.define("place-picker", PlacePicker);
