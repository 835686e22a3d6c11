// What every map of the page shares: the renderer, the base map, colours, and labels.
import {Map as MapLibre, NavigationControl, addProtocol, setWorkerUrl, type LngLatLike} from 'maplibre-gl';
import {PMTiles, Protocol} from 'pmtiles';
import {baseStyle, colors, type Colors} from './style';

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
	addProtocol('pmtiles', protocol.tile);
}

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
	const {worker = '', stylesheet = '', tiles = '', strings} = host.dataset;
	prepare(worker);
	const archive = new PMTiles(new URL(tiles, location.href).href);
	protocol.add(archive);
	const root = host.shadowRoot ?? host.attachShadow({mode: 'open'});
	const [metadata] = await Promise.all([archive.getMetadata() as Promise<Metadata>, loadStylesheet(stylesheet, root)]);
	const available = new Set((metadata.vector_layers ?? []).map((l) => l.id));
	const canvas = document.createElement('div');
	canvas.className = 'canvas';
	root.append(canvas, credit(metadata));
	const style = () => baseStyle(colors(darkPage()), `pmtiles://${archive.source.getKey()}`, available);
	const map = new MapLibre({
		container: canvas, ...view, style: style(), attributionControl: false, maxZoom: 17, dragRotate: false, pitchWithRotate: false,
		touchPitch: false, locale: JSON.parse(strings || '{}') as Record<string, string>,
	});
	map.touchZoomRotate.disableRotation();
	map.keyboard.disableRotation();
	map.addControl(new NavigationControl({showCompass: false}));
	map.on('style.load', () => draw(map, colors(darkPage())));
	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => map.setStyle(style(), {diff: false}));
	map.on('idle', () => (canvas.dataset.ready = ''));
	return map;
}

interface Metadata {
	attribution?: string;
	vector_layers?: {id: string}[];
}

// credit names the sources of the base map, as text.
function credit(metadata: Metadata) {
	const text = document.createElement('small');
	text.className = 'credit';
	text.textContent = (metadata.attribution ?? '').replace(/<[^>]*>/g, '');
	return text;
}
