// The style of the map: layers of the base map in the colours of the page. Layers and fields are
// named as in the Protomaps basemap, so that its archives are drawn, too.
import type {FilterSpecification, LayerSpecification, StyleSpecification} from 'maplibre-gl';

const light = {
	sea: '#dbe6e8', land: '#faf7f0', urban: '#efe8da', green: '#e8eddc', building: '#e6ddcc', road: '#ffffff', casing: '#e2d8c6',
	line: '#cbbfa9', text: '#5b5548', halo: '#faf7f0', pin: '#b3402a', onPin: '#ffffff',
};

const dark: typeof light = {
	sea: '#12171a', land: '#211f1c', urban: '#2c2924', green: '#222820', building: '#35312b', road: '#3b3731', casing: '#262320',
	line: '#474136', text: '#cfc8ba', halo: '#1b1a17', pin: '#ff8f73', onPin: '#1b1a17',
};

export type Colors = typeof light;

export const colors = (isDark: boolean): Colors => (isDark ? dark : light);

const font = ['system-ui', 'sans-serif'];

// baseStyle draws the layers that the archive at url has.
export function baseStyle(c: Colors, url: string, available: Set<string>): StyleSpecification {
	const of = (layer: string, kind: string[]): Kinds => ({
		source: 'base', 'source-layer': layer, filter: ['in', ['get', 'kind'], ['literal', kind]],
	});
	const layers: LayerSpecification[] = [
		{id: 'earth', type: 'fill', source: 'base', 'source-layer': 'earth', paint: {'fill-color': c.land}},
		{id: 'urban', type: 'fill', ...of('landcover', ['urban_area']), paint: {'fill-color': c.urban}},
		{id: 'green', type: 'fill', ...of('landuse', ['park', 'forest', 'wood', 'nature_reserve', 'cemetery', 'grass']), paint: {'fill-color': c.green}},
		{id: 'water', type: 'fill', source: 'base', 'source-layer': 'water', filter: ['==', ['geometry-type'], 'Polygon'], paint: {'fill-color': c.sea}},
		{
			id: 'rivers', type: 'line', ...of('water', ['river', 'canal', 'stream']),
			paint: {'line-color': c.sea, 'line-width': ['interpolate', ['linear'], ['zoom'], 4, 0.5, 8, 1.5, 14, 4]},
		},
		{id: 'buildings', type: 'fill', source: 'base', 'source-layer': 'buildings', paint: {'fill-color': c.building}},
		...roads(c, of),
		{id: 'borders', type: 'line', ...of('boundaries', ['country']), paint: {'line-color': c.line, 'line-width': 1, 'line-dasharray': [3, 2]}},
		{
			id: 'countries', type: 'symbol', ...of('places', ['country']), maxzoom: 6,
			layout: {'text-field': ['get', 'name'], 'text-font': font, 'text-size': 12, 'text-letter-spacing': 0.1, 'text-transform': 'uppercase', 'text-max-width': 7},
			paint: {'text-color': c.text, 'text-opacity': 0.75, 'text-halo-color': c.halo, 'text-halo-width': 1.2},
		},
		{
			id: 'places', type: 'symbol', source: 'base', 'source-layer': 'places',
			filter: ['all', ['in', ['get', 'kind'], ['literal', ['locality', 'macrohood', 'neighbourhood']]], ['<=', ['coalesce', ['get', 'min_zoom'], 0], ['+', ['zoom'], 1]]],
			layout: {
				'text-field': ['get', 'name'], 'text-font': font, 'text-max-width': 8,
				'text-size': ['interpolate', ['linear'], ['coalesce', ['get', 'population_rank'], 0], 0, 11, 7, 17],
				'symbol-sort-key': ['-', ['coalesce', ['get', 'population_rank'], 0]],
			},
			paint: {'text-color': c.text, 'text-halo-color': c.halo, 'text-halo-width': 1.4},
		},
	];
	return {
		version: 8,
		sources: {base: {type: 'vector', url}},
		layers: [
			{id: 'background', type: 'background', paint: {'background-color': c.sea}},
			...layers.filter((l) => 'source-layer' in l && available.has(l['source-layer'] ?? '')),
		],
	};
}

// Kinds are the features of a layer of the base map that have one of some kinds.
interface Kinds {
	source: 'base';
	'source-layer': string;
	filter: FilterSpecification;
}

type Of = (layer: string, kind: string[]) => Kinds;

// roads draws streets with an edge. The embedded archive has none.
function roads(c: Colors, of: Of): LayerSpecification[] {
	const width = (wide: number) => ['interpolate', ['exponential', 1.6], ['zoom'], 6, 0.3, 12, wide / 4, 18, wide * 4];
	return ([['minor', ['minor_road', 'path'], 3], ['major', ['major_road', 'highway'], 6]] as const).flatMap(([id, kinds, wide]) => [
		{id: `${id}-edge`, type: 'line', ...of('roads', [...kinds]), paint: {'line-color': c.casing, 'line-width': width(wide + 1)}},
		{id, type: 'line', ...of('roads', [...kinds]), paint: {'line-color': c.road, 'line-width': width(wide)}},
	]) as LayerSpecification[];
}
