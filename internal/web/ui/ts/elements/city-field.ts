// Suggests cities while the visitor types in the filter. A chosen one fills the fields city, place, lat and lng, and sends the form.
// Without it, the service looks up the city.

interface Place {
	name: string;
	country: string;
	lat: number;
	lng: number;
}

const pause = 150; // milliseconds without typing before a search
const list = "cities";

const prepared = new WeakSet<HTMLElement>();

/** Prepares the element around the fields, once. Its field for the city has the focus. */
export function suggestCities(host: HTMLElement) {
	if (prepared.has(host)) return;
	prepared.add(host);
	const field = (name: string) => host.querySelector<HTMLInputElement>(`[name=${name}]`)!;
	const countries = new Intl.DisplayNames([document.documentElement.lang], { type: "region" });
	let places: Place[] = [], active = -1, typing: ReturnType<typeof setTimeout>, search = new AbortController();

	// show draws the suggestions. It also sets the roles, which htmx removes when it replaces the page.
	const show = () => {
		const city = field("city"), options = host.querySelector("ul") ?? document.createElement("ul");
		options.replaceChildren(...places.map((p, i) => {
			const option = document.createElement("li"), country = document.createElement("span");
			Object.assign(option, { id: `${list}-${i}`, role: "option", ariaSelected: `${i === active}`, onclick: () => choose(p) });
			country.textContent = countries.of(p.country) ?? p.country;
			option.append(p.name, " ", country);
			return option;
		}));
		Object.assign(options, { id: list, role: "listbox", ariaLabel: host.dataset.label, hidden: !places.length, onpointerdown: (e: Event) => e.preventDefault() });
		host.append(options);
		Object.assign(city, { role: "combobox", ariaAutoComplete: "list", ariaExpanded: `${!!places.length}` });
		city.setAttribute("aria-controls", list);
		if (active < 0) city.removeAttribute("aria-activedescendant");
		else city.setAttribute("aria-activedescendant", `${list}-${active}`);
		options.children[active]?.scrollIntoView({ block: "nearest" });
	};

	const suggest = (found: Place[]) => {
		search.abort();
		clearTimeout(typing);
		places = found;
		active = -1;
		show();
	};

	const choose = (p: Place) => {
		field("city").value = field("place").value = p.name;
		field("lat").value = `${p.lat}`;
		field("lng").value = `${p.lng}`;
		suggest([]);
		host.closest("form")!.requestSubmit();
	};

	const find = async () => {
		search.abort();
		search = new AbortController();
		const words = field("city").value.trim().slice(0, 80);
		if (words.length < 2) return suggest([]);
		try {
			const response = await fetch(`/api/places?${new URLSearchParams({ q: words })}`, { signal: search.signal });
			if (response.ok) suggest((await response.json()).items);
		} catch { /* another search has begun, or there is no network */ }
	};

	host.addEventListener("focusin", show);
	host.addEventListener("focusout", () => suggest([]));
	host.addEventListener("input", () => {
		clearTimeout(typing);
		typing = setTimeout(() => void find(), pause);
	});
	host.addEventListener("keydown", (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], chosen = places[active];
		if (!places.length) return;
		if (step) {
			active = (active + step + places.length + (active < 0 && step < 0 ? 1 : 0)) % places.length;
			show();
		} else if (event.key === "Enter" && chosen) choose(chosen);
		else if (event.key === "Escape") suggest([]);
		else return;
		event.preventDefault();
	});
	show();
	if (document.activeElement === field("city") && field("city").value !== field("city").defaultValue) void find();
}
