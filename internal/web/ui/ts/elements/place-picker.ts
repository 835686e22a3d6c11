// <place-picker> fills the fields of a place, from suggested cities and addresses, or from a point on a map. Without the element,
// they are plain fields, and a button finds addresses.
import {define} from "../define";
import {loadMap} from "../load-map";
import type {Picker, Point} from "../map/picker";

interface Place extends Point {
	name: string;
	country: string;
	line?: string | null; // of an address
	city?: string | null;
}

let search: AbortController | undefined;

// find asks the service for cities, or for addresses. It returns none if the service does not answer, or if another search has begun.
async function find(query: Record<string, string>, kind = ""): Promise<Place[]> {
	search?.abort();
	search = new AbortController();
	try {
		return (await (await fetch(`/api/places${kind}?${new URLSearchParams(query)}`, {signal: search.signal})).json()).items ?? [];
	} catch {
		return [];
	}
}

define("place-picker", (element) => {
	const field = (name: string) => element.querySelector<HTMLInputElement>(`[name=${name}]`)!;
	const host = element.querySelector<HTMLElement>("[data-module]")!, city = field("city");
	const words = () => city.value.trim().slice(0, 80);
	const set = (p: Point) => {
		for (const name of ["lat", "lng"] as const) field(name).value = p[name].toFixed(5);
	};
	let picker: Picker | undefined, suggested = new Map<string, Place>();
	let filled = ""; // the city that this element has entered

	// Suggests the cities whose names begin with the words. If a suggestion is chosen, it fills the fields.
	city.addEventListener("input", async () => {
		const chosen = suggested.get(city.value);
		if (chosen) {
			city.value = filled = chosen.name;
			set(chosen);
			picker?.move(chosen);
		} else if (words().length > 1) {
			suggested = new Map((await find({q: words()})).map((p) => [`${p.name}, ${p.country}`, p]));
			city.list!.replaceChildren(...[...suggested.keys()].map((name) => new Option(name)));
		}
	});

	// Suggests addresses while the visitor types, if the geocoder allows it. Enter presses the button that finds them.
	const line = field("location_text"), { geocoder } = element.dataset, button = element.querySelector<HTMLElement>("[name=find_place]");
	let addresses = new Map<string, Place>(), waiting = 0;
	line.addEventListener("keydown", (e) => {
		if (e.key !== "Enter" || !button || !line.value.trim() || addresses.has(line.value)) return;
		e.preventDefault();
		button.click();
	});
	line.addEventListener("input", () => {
		const chosen = addresses.get(line.value), q = line.value.trim().slice(0, 120);
		clearTimeout(waiting);
		if (chosen) {
			line.value = chosen.line ?? "";
			if (chosen.city) city.value = filled = chosen.city;
			set(chosen);
			picker?.move(chosen);
		} else if (button && geocoder === "photon" && q.length > 3) {
			waiting = window.setTimeout(async () => {
				const lat = field("lat").value, lng = field("lng").value;
				addresses = new Map((await find(lat && lng ? {q, lat, lng} : {q}, "/addresses")).map((p) => [p.name, p]));
				line.list!.replaceChildren(...[...addresses.keys()].map((name) => new Option(name)));
			}, 300);
		}
	});

	const pick = async (p: Point) => {
		set(p);
		const [place] = await find({lat: `${p.lat}`, lng: `${p.lng}`});
		if (place && (!city.value || city.value === filled)) city.value = filled = place.name;
	};

	// Begins at the coordinates, or else at the centre of the city.
	const begin = async (): Promise<Point | undefined> => {
		const [lat, lng] = ["lat", "lng"].map((name) => Number.parseFloat(field(name).value.replace(",", ".")));
		if (Math.abs(lat!) <= 90 && Math.abs(lng!) <= 180) return {lat: lat!, lng: lng!};
		const [place] = words() ? await find({q: words()}) : [];
		if (place) set(place);
		return place;
	};

	host.querySelector("button")?.addEventListener("click", async () => {
		try {
			picker = await (await loadMap(host)).drawPicker(host, await begin(), (p) => void pick(p));
		} catch {
			host.hidden = true; // such as a browser without WebGL
		}
	}, {once: true});
});
