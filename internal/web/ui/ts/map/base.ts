// What every map of the page shares: the renderer, the base map, colours, and labels.
import {Map as MapLibre, NavigationControl, addProtocol, setWorkerUrl, type AddProtocolAction, type LngLatLike} from 'maplibre-gl';
import {PMTiles, Protocol} from 'pmtiles';
import {baseStyle, colors, type Archive, type Colors} from './style';

const protocol = new Protocol();
let prepared = false;

// prepare lets the browser run MapLibre's worker. Trusted Types allow no other script address.
function prepare(worker: string) {
	if (prepared) return;
	prepared = true;
	const allowed = new URL(worker, location.href).href;
	const types = window.trustedTypes;
	if (types && !types.defaultPolicy) {
		types.createPolicy('default', {
			createScriptURL(url: string) {
				if (new URL(url, location.href).href === allowed) return url;
				throw new TypeError(`not allowed as a script: ${url}`);
			},
		});
	}
	setWorkerUrl(allowed);
	addProtocol('pmtiles', tile);
}

// tile requests a tile again if the browser fails: Chromium does so for some ranges of a file after it has aborted others.
const tile: AddProtocolAction = async (request, controller) => {
	try {
		return await protocol.tile(request, controller);
	} catch (err) {
		if (!(err instanceof TypeError) || controller.signal.aborted) throw err;
		return protocol.tile(request, controller);
	}
};

function loadStylesheet(url: string, root: ShadowRoot) {
	return new Promise<void>((resolve) => {
		const link = document.createElement('link');
		link.rel = 'stylesheet';
		link.href = url;
		link.onload = link.onerror = () => resolve();
		root.append(link);
	});
}

// darkPage reports whether the page is dark now: by its own choice, or else by the system's.
function darkPage() {
	const scheme = getComputedStyle(document.documentElement).colorScheme;
	return scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
}

export interface View {
	center: LngLatLike;
	zoom: number;
}

// open draws the base map in the shadow tree of host, which htmx does not touch. draw adds layers; it runs again when
// the colours change.
export async function open(host: HTMLElement, view: View, draw: (map: MapLibre, c: Colors) => void): Promise<MapLibre> {
	const {worker = '', stylesheet = '', tiles = '', streets: address, strings} = host.dataset;
	prepare(worker);
	const root = host.shadowRoot ?? host.attachShadow({mode: 'open'});
	const [world, streets] = await Promise.all([
		load(tiles), address ? load(address).catch(() => undefined) : undefined, loadStylesheet(stylesheet, root), // without streets, the world is enough
	]);
	const canvas = document.createElement('div');
	canvas.className = 'canvas';
	root.append(canvas, credit([world, ...(streets ? [streets] : [])]));
	const style = () => baseStyle(colors(darkPage()), world, streets);
	const map = new MapLibre({
		container: canvas, ...view, style: style(), attributionControl: false, maxZoom: streets ? 18 : 17, dragRotate: false, pitchWithRotate: false,
		touchPitch: false, locale: JSON.parse(strings || '{}') as Record<string, string>,
	});
	map.touchZoomRotate.disableRotation();
	map.keyboard.disableRotation();
	map.addControl(new NavigationControl({showCompass: false}));
	const moves = () => delete canvas.dataset.ready;
	map.on('style.load', () => draw(map, colors(darkPage())));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
		moves();
		map.setStyle(style(), {diff: false});
	});
	map.on('movestart', moves);
	map.on('idle', () => (canvas.dataset.ready = ''));
	return map;
}

interface Metadata {
	attribution?: string;
	vector_layers?: {id: string}[];
}

// load reads what an archive contains.
async function load(address: string): Promise<Archive> {
	const archive = new PMTiles(new URL(address, location.href).href);
	protocol.add(archive);
	const [header, metadata] = await Promise.all([archive.getHeader(), archive.getMetadata() as Promise<Metadata>]);
	return {
		url: `pmtiles://${archive.source.getKey()}`, layers: new Set((metadata.vector_layers ?? []).map((l) => l.id)),
		bounds: [header.minLon, header.minLat, header.maxLon, header.maxLat], attribution: (metadata.attribution ?? '').replace(/<[^>]*>/g, ''),
	};
}

const osm = 'OpenStreetMap';

// credit names the sources of the maps. OpenStreetMap asks for a link.
function credit(archives: Archive[]) {
	const text = document.createElement('small');
	text.className = 'credit';
	const [before, ...after] = archives.map((a) => a.attribution).filter(Boolean).reverse().join(' · ').split(osm);
	text.append(before ?? '');
	if (after.length > 0) {
		const link = document.createElement('a');
		link.href = 'https://www.openstreetmap.org/copyright';
		link.textContent = osm;
		text.append(link, after.join(osm));
	}
	return text;
}
