// The map of a form, with one pin.
import {Marker} from 'maplibre-gl';
import {open} from './base';

export interface Point {
	lat: number;
	lng: number;
}

export interface Picker {
	// move shows the pin at another point.
	move(to: Point): void;
}

// drawPicker calls picked when the user chooses a point: by click, by moving the pin, or by Enter
// for the centre of the map.
export async function drawPicker(host: HTMLElement, at: Point | undefined, picked: (p: Point) => void): Promise<Picker> {
	const pin = document.createElement('div');
	pin.className = 'pin';
	const marker = new Marker({element: pin, draggable: true, anchor: 'bottom'});
	const view = {center: [at?.lng ?? 10, at?.lat ?? 30] as [number, number], zoom: at ? 12 : 1.2};
	const map = await open(host, view, () => {});
	const show = (p: Point) => marker.setLngLat(p).addTo(map);
	const choose = (p: Point) => {
		show(p);
		picked(p);
	};
	if (at) show(at);
	map.on('click', (e) => choose(e.lngLat.wrap()));
	marker.on('dragend', () => picked(marker.getLngLat().wrap()));
	map.getCanvas().addEventListener('keydown', (e) => {
		if (e.key !== 'Enter') return;
		e.preventDefault();
		choose(map.getCenter().wrap());
	});
	return {
		move(to) {
			show(to);
			map.easeTo({center: to, zoom: Math.max(map.getZoom(), 11)});
		},
	};
}
