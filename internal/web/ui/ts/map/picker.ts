// The map of a form. The user chooses a point by moving the map below a pin in its centre, with pointer, touch or keyboard.
import type {LngLat} from 'maplibre-gl';
import {open} from './base';

export interface Point {
	lat: number;
	lng: number;
}

export interface Picker {
	// move shows another point.
	move(to: Point): void;
}

// Without a point, the map shows most of the world.
const world = {center: [10, 30] as [number, number], zoom: 1.2};

// drawPicker draws the map around a point, and calls picked with the one that the user chooses.
export async function drawPicker(host: HTMLElement, at: Point | undefined, picked: (p: Point) => void): Promise<Picker> {
	const nearby = host.dataset.streets ? 15.5 : 13;
	const map = await open(host, at ? {center: at, zoom: nearby} : world, () => {});
	const pin = document.createElement('div');
	pin.className = 'pin';
	host.shadowRoot?.append(pin);
	map.scrollZoom.enable({around: 'center'});
	map.touchZoomRotate.enable({around: 'center'});
	let shown: LngLat = map.getCenter();
	map.on('click', (e) => map.easeTo({center: e.lngLat}));
	map.on('moveend', (e: object) => {
		const center = map.getCenter().wrap();
		const moved = center.distanceTo(shown) > 1; // metres; a new size of the window moves nothing
		shown = center;
		if (moved && !('byProgram' in e)) picked(center);
	});
	return {move: (to) => map.easeTo({center: to, zoom: Math.max(map.getZoom(), nearby)}, {byProgram: true})};
}
