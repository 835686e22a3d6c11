// The map of events: pins and clusters of the events that the list shows, too.
import {Popup, type GeoJSONSource, type Map as MapLibre, type MapMouseEvent} from 'maplibre-gl';
import {clock} from '../clock';
import {fetchAgain} from '../retry';
import {open, type View} from './base';
import {cardOf, followList, offerArea, shownBy} from './beside';
import type {Colors} from './style';

export interface Item {
	event: {title: string; starts_at: string; timezone?: string; share_url: string};
	location: {city: string | null; lat: number | null; lng: number | null};
}

interface Area {
	lat: number;
	lng: number;
	count: number;
	bbox: [number, number, number, number];
}

interface Found {
	items: Item[];
	truncated?: boolean;
	clusters?: Area[];
}

// The filters of the list that the map of the API lacks. With one of them the map shows the first
// events of the list.
const onlyListed = ['q', 'city', 'organizer_id', 'participant_user_id'];

const point = (lng: number, lat: number, properties: object) => ({
	type: 'Feature' as const, geometry: {type: 'Point' as const, coordinates: [lng, lat]}, properties,
});

const collection = (features: ReturnType<typeof point>[]) => ({type: 'FeatureCollection' as const, features});

export interface EventsMap {
	// update shows the events of the query that the element has now.
	update(): Promise<void>;
}

export async function drawEvents(host: HTMLElement): Promise<EventsMap> {
	let found: Found = {items: []};
	const map = await open(host, view(host), (m, c) => {
		addLayers(m, c);
		show(m, found);
	});
	const links = document.createElement('ul');
	links.setAttribute('aria-label', map.getCanvas().getAttribute('aria-label') ?? '');
	host.shadowRoot?.append(links);
	const listed = () => onlyListed.some((name) => new URLSearchParams(host.dataset.query).has(name));
	const load = latest(async (signal) => {
		const response = await fetchAgain(address(map, new URLSearchParams(host.dataset.query), listed()), {signal, headers: {Accept: 'application/json'}});
		if (!response.ok) return;
		found = (await response.json()) as Found;
		show(map, found);
		list(links, map, found.items);
	});
	const update = async () => {
		await load();
		if (listed()) fit(map, found.items, host.dataset.streets ? 13 : 9); // without streets, a nearer map shows little
	};
	interact(map);
	followList(map, () => found.items);
	offerArea(host, map);
	map.on('moveend', () => listed() || load());
	await update();
	return {update};
}

function view(host: HTMLElement): View {
	const [lng = 10, lat = 30] = (host.dataset.center ?? '').split(',').map(Number);
	return {center: [lng, lat], zoom: Number(host.dataset.zoom ?? 1.2)};
}

// latest lets only the last call finish.
function latest(call: (signal: AbortSignal) => Promise<void>) {
	let running = new AbortController();
	return async () => {
		running.abort();
		running = new AbortController();
		try {
			await call(running.signal);
		} catch (err) {
			if (!(err instanceof DOMException && err.name === 'AbortError') && !(err instanceof TypeError)) throw err; // offline
		}
	};
}

function address(map: MapLibre, query: URLSearchParams, listed: boolean) {
	const q = new URLSearchParams(query);
	q.set('limit', '100');
	q.delete('cursor');
	if (listed) return `/api/events?${q}`;
	const b = map.getBounds();
	const within = (n: number, most: number) => Math.max(-most, Math.min(most, n)).toFixed(5);
	const whole = b.getEast() - b.getWest() >= 360;
	const lng = (n: number) => within(((((n + 180) % 360) + 360) % 360) - 180, 180);
	q.set('bbox', [whole ? '-180' : lng(b.getWest()), within(b.getSouth(), 90), whole ? '180' : lng(b.getEast()), within(b.getNorth(), 90)].join());
	q.set('zoom', String(Math.max(0, Math.min(20, Math.floor(map.getZoom())))));
	return `/api/events/map?${q}`;
}

// pinLayer draws the points of the source with the same name.
export const pinLayer = (source: string, c: Colors, radius: unknown) => ({
	id: source, source, type: 'circle', paint: {'circle-color': c.pin, 'circle-radius': radius, 'circle-stroke-width': 2, 'circle-stroke-color': c.halo},
}) as Parameters<MapLibre['addLayer']>[0];

function addLayers(map: MapLibre, c: Colors) {
	const empty = collection([]);
	map.addSource('pins', {type: 'geojson', data: empty, cluster: true, clusterRadius: 40, clusterMaxZoom: 16});
	map.addSource('areas', {type: 'geojson', data: empty});
	const count = (source: string, field: string) => ({
		id: `${source}-count`, source, type: 'symbol', filter: ['has', field],
		layout: {'text-field': ['to-string', ['get', field]], 'text-size': 13, 'text-font': ['system-ui'], 'text-allow-overlap': true},
		paint: {'text-color': c.onPin},
	}) as Parameters<MapLibre['addLayer']>[0];
	map.addLayer(pinLayer('pins', c, ['case', ['has', 'point_count'], 16, 9]));
	map.addLayer(count('pins', 'point_count'));
	map.addLayer(pinLayer('areas', c, ['interpolate', ['linear'], ['get', 'count'], 1, 14, 100, 24]));
	map.addLayer(count('areas', 'count'));
	map.addSource('marked', {type: 'geojson', data: empty});
	map.addLayer({id: 'marked', source: 'marked', type: 'circle', paint: {'circle-radius': 15, 'circle-opacity': 0, 'circle-stroke-width': 4, 'circle-stroke-color': c.pin}});
}

// show draws each event, or the areas of the API if there are too many events.
function show(map: MapLibre, found: Found) {
	const areas = found.truncated ? (found.clusters ?? []) : [];
	const pins = areas.length > 0 ? [] : found.items.filter(({location: l}) => l.lat !== null && l.lng !== null);
	source(map, 'areas')?.setData(collection(areas.map((a) => point(a.lng, a.lat, {count: a.count, bbox: a.bbox.join()}))));
	source(map, 'pins')?.setData(collection(pins.map((i) => point(i.location.lng ?? 0, i.location.lat ?? 0, {page: i.event.share_url, title: i.event.title, at: i.event.starts_at, zone: i.event.timezone}))));
}

const source = (map: MapLibre, id: string) => map.getSource(id) as GeoJSONSource | undefined;

function interact(map: MapLibre) {
	for (const layer of ['pins', 'areas']) {
		map.on('mouseenter', layer, () => (map.getCanvas().style.cursor = 'pointer'));
		map.on('mouseleave', layer, () => (map.getCanvas().style.cursor = ''));
	}
	type Click = MapMouseEvent & {features?: {properties: Record<string, unknown>; geometry: unknown}[]};
	map.on('click', 'areas', (e: Click) => {
		const [west, south, east, north] = String(e.features?.[0]?.properties.bbox).split(',').map(Number);
		map.fitBounds([west ?? 0, south ?? 0, east ?? 0, north ?? 0], {padding: 20});
	});
	map.on('click', 'pins', async (e: Click) => {
		const pin = e.features?.[0];
		if (!pin) return;
		const at = (pin.geometry as {coordinates: [number, number]}).coordinates;
		const {cluster_id: cluster, page, title, at: starts, zone} = pin.properties;
		if (cluster === undefined) {
			popup(map, at, [...link(String(page), String(title), String(starts), zone as string | undefined), ...shownBy(cardOf(String(page)))]);
			return;
		}
		const zoom = (await source(map, 'pins')?.getClusterExpansionZoom(Number(cluster))) ?? map.getZoom() + 1;
		if (map.getZoom() < 16.5) map.easeTo({center: at, zoom: Math.min(zoom, 17)});
	});
}

// link returns the title and the start of an event, which is in the time zone of the event, as in the list.
function link(page: string, title: string, starts: string, timeZone?: string) {
	const a = document.createElement('a');
	a.href = new URL(page).pathname;
	a.dir = 'auto';
	a.textContent = title;
	const time = document.createElement('time');
	time.dateTime = starts;
	time.textContent = new Date(starts).toLocaleString(document.documentElement.lang || undefined, {
		timeZone, weekday: 'short', day: 'numeric', month: 'short', ...clock(),
	});
	return [a, time] as const;
}

function popup(map: MapLibre, at: [number, number], about: readonly HTMLElement[]) {
	const content = document.createElement('div');
	content.className = 'event';
	content.append(...about);
	new Popup({offset: 12, maxWidth: '18rem'}).setLngLat(at).setDOMContent(content).addTo(map);
}

// list shows the events of the map as links, for screen readers and keyboards.
function list(links: HTMLElement, map: MapLibre, items: Item[]) {
	const box = map.getBounds();
	const inside = items.filter(({location: l}) => l.lat !== null && l.lng !== null && box.contains([l.lng, l.lat]));
	links.replaceChildren(...inside.map(({event: e}) => {
		const line = document.createElement('li');
		line.append(...link(e.share_url, e.title, e.starts_at, e.timezone));
		return line;
	}));
}

function fit(map: MapLibre, items: Item[], maxZoom: number) {
	const at = items.flatMap(({location: l}) => (l.lat !== null && l.lng !== null ? [[l.lng, l.lat] as const] : []));
	if (at.length === 0) return;
	const lngs = at.map(([lng]) => lng);
	const lats = at.map(([, lat]) => lat);
	map.fitBounds([Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)], {padding: 40, maxZoom, animate: false});
}
