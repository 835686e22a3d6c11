// <place-picker> helps to fill the fields city, lat and lng: by the names of places, or by a
// point on a map. Without it, they are plain fields.
import {loadMap} from './event-map';
import type {Picker, Point} from './map/picker';

interface Place extends Point {
	name: string;
	country: string;
}

class PlacePicker extends HTMLElement {
	private picker?: Picker;
	private found = new Map<string, Place>();
	private search?: AbortController;

	connectedCallback() {
		const city = this.field('city');
		if (!city || city.list) return;
		const choices = document.createElement('datalist');
		choices.id = `${city.id}-places`;
		this.append(choices);
		city.setAttribute('list', choices.id);
		city.autocomplete = 'off';
		city.addEventListener('input', () => this.complete(city, choices));
		const button = this.querySelector<HTMLButtonElement>('button[data-map]');
		button?.removeAttribute('hidden');
		button?.addEventListener('click', () => this.openMap(button), {once: true});
	}

	private field(name: string) {
		return this.querySelector<HTMLInputElement>(`input[name="${name}"]`);
	}

	// complete offers the places that begin with the words, or takes the one chosen.
	private async complete(city: HTMLInputElement, choices: HTMLDataListElement) {
		const chosen = this.found.get(city.value);
		if (chosen) {
			city.value = chosen.name;
			this.set(chosen);
			this.picker?.move(chosen);
			return;
		}
		this.search?.abort();
		const words = city.value.trim();
		if (words.length < 2) return;
		this.search = new AbortController();
		const places = await find({q: words.slice(0, 80)}, this.search.signal);
		this.found = new Map(places.map((p) => [`${p.name}, ${p.country}`, p]));
		choices.replaceChildren(...[...this.found.keys()].map((name) => new Option(name)));
	}

	private set(p: Point) {
		for (const name of ['lat', 'lng'] as const) {
			const field = this.field(name);
			if (field) field.value = p[name].toFixed(5);
		}
	}

	private at(): Point | undefined {
		const [lat, lng] = [this.field('lat')?.value, this.field('lng')?.value];
		return lat && lng ? {lat: Number(lat), lng: Number(lng)} : undefined;
	}

	private async openMap(button: HTMLButtonElement) {
		const host = this.querySelector<HTMLElement>('[data-tiles]');
		if (!host) return;
		button.hidden = true;
		host.hidden = false;
		try {
			this.picker = await (await loadMap(host)).drawPicker(host, this.at(), (p) => this.pick(p));
		} catch {
			host.hidden = true; // such as a browser without WebGL
		}
	}

	private async pick(p: Point) {
		this.set(p);
		const city = this.field('city');
		const [place] = await find({lat: String(p.lat), lng: String(p.lng)});
		if (city && place) city.value = place.name;
	}
}

// find asks the service for places. Offline there are none.
async function find(query: Record<string, string>, signal?: AbortSignal): Promise<Place[]> {
	try {
		const response = await fetch(`/basemap/places?${new URLSearchParams(query)}`, {signal: signal ?? null});
		return response.ok ? ((await response.json()) as {items: Place[]}).items : [];
	} catch {
		return [];
	}
}

customElements.define('place-picker', PlacePicker);
