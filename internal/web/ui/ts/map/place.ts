// The map of one place, with a pin.
import type {GeoJSONSource} from 'maplibre-gl';
import {open} from './base';
import {pinLayer, type EventsMap} from './events';

export async function drawPlace(host: HTMLElement): Promise<EventsMap> {
	const center = () => (host.dataset.center ?? '').split(',').map(Number) as [number, number];
	const pin = () => ({type: 'Feature' as const, properties: {}, geometry: {type: 'Point' as const, coordinates: center()}});
	const map = await open(host, {center: center(), zoom: Number(host.dataset.zoom)}, (m, c) => {
		m.addSource('place', {type: 'geojson', data: pin()});
		m.addLayer(pinLayer('place', c, 9));
	});
	map.scrollZoom.disable(); // the page scrolls
	return {
		async update() {
			map.getSource<GeoJSONSource>('place')?.setData(pin());
			map.easeTo({center: center()});
		},
	};
}
