// What the map and the list beside it say of each other.
import type {GeoJSONSource, Map as MapLibre} from 'maplibre-gl';
import type {Item} from './events';

const path = (page: string) => new URL(page, location.href).pathname;

// cardOf returns the card of the event with a page, if the list shows it.
export const cardOf = (page: string) => document.querySelector(`.card:has(a[href="${CSS.escape(path(page))}"])`);

// shownBy returns copies of the picture and the facts of a card: its city and price.
export function shownBy(card: Element | null): HTMLElement[] {
	const parts = ['.cover img', '.facts'].flatMap((part) => card?.querySelector<HTMLElement>(part) ?? []);
	return parts.map((part) => {
		const copy = part.cloneNode(true) as HTMLElement;
		for (const icon of copy.querySelectorAll('svg')) icon.remove(); // their shapes are in the document of the page
		return copy;
	});
}

// followList marks the pin of the card under the pointer or with the focus, and the card of the pin under the pointer.
export function followList(map: MapLibre, items: () => Item[]) {
	const mark = (page?: string) => {
		const at = items().find(({event: e}) => path(e.share_url) === page)?.location;
		const features = at && at.lat !== null && at.lng !== null ? [{type: 'Feature' as const, properties: {}, geometry: {type: 'Point' as const, coordinates: [at.lng, at.lat]}}] : [];
		map.getSource<GeoJSONSource>('marked')?.setData({type: 'FeatureCollection', features});
	};
	for (const type of ['pointerover', 'focusin'] as const) {
		document.addEventListener(type, ({target}) => mark((target as Element).closest('.card')?.querySelector('a')?.pathname));
	}
	let marked: Element | null = null;
	const markCard = (page?: unknown) => {
		marked?.classList.remove('marked');
		marked = page ? cardOf(String(page)) : null;
		marked?.classList.add('marked');
	};
	map.on('mousemove', 'pins', (e) => markCard(e.features?.[0]?.properties.page));
	map.on('mouseleave', 'pins', () => markCard());
}

const maxRadius = 500; // km, of the API

// offerArea shows a button when the visitor has moved the map. It lists the events of the shown area.
export function offerArea(host: HTMLElement, map: MapLibre) {
	const form = document.querySelector<HTMLFormElement>('form.filter');
	const {Search: text} = JSON.parse(host.dataset.strings ?? '{}') as Record<string, string>;
	if (!form || !text) return;
	const button = document.createElement('button');
	Object.assign(button, {type: 'button', className: 'search', textContent: text, hidden: true});
	map.on('moveend', (e: {originalEvent?: Event}) => { if (e.originalEvent) button.hidden = false; });
	button.onclick = () => {
		button.hidden = true;
		const {lat, lng} = map.getCenter().wrap(), bounds = map.getBounds();
		const reach = Math.min(map.getCenter().distanceTo(bounds.getNorthEast()) / 1000, maxRadius);
		const radius = form.elements.namedItem('radius_km') as HTMLSelectElement, km = `${Math.max(1, Math.round(reach))}`;
		const set = (name: string, value: string) => { (form.elements.namedItem(name) as HTMLInputElement).value = value; };
		set('city', '');
		set('place', '');
		set('lat', lat.toFixed(4));
		set('lng', lng.toFixed(4));
		radius.value = km;
		if (radius.value !== km) radius.add(new Option(`${km} km`, km, true, true));
		form.requestSubmit();
	};
	host.shadowRoot?.append(button);
}
