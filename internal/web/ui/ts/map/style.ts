// The style of the map: the world and, where there are some, streets, in the colours of the page. Layers and fields are
// named as in the Protomaps basemap, so that its archives are drawn, too.
import type {FilterSpecification, LayerSpecification, StyleSpecification} from 'maplibre-gl';

const light = {
	sea: '#dbe6e8', land: '#faf7f0', urban: '#efe8da', green: '#e8eddc', building: '#e6ddcc', road: '#ffffff', casing: '#cbbd9f',
	line: '#cbbfa9', text: '#5b5548', halo: '#faf7f0', pin: '#b3402a', onPin: '#ffffff',
};

const dark: typeof light = {
	sea: '#12171a', land: '#211f1c', urban: '#2c2924', green: '#222820', building: '#35312b', road: '#4a453d', casing: '#262320',
	line: '#474136', text: '#cfc8ba', halo: '#1b1a17', pin: '#ff8f73', onPin: '#1b1a17',
};

export type Colors = typeof light;

export const colors = (isDark: boolean): Colors => (isDark ? dark : light);

const font = ['system-ui', 'sans-serif'];

// Archive is an archive of tiles.
export interface Archive {
	url: string;
	layers: Set<string>;
	bounds: [number, number, number, number];
	attribution: string;
}

// nearest is the zoom from which streets cover the map of the world, which stays around them.
const nearest = 7;

// baseStyle draws the layers that the archives have.
export function baseStyle(c: Colors, world: Archive, streets?: Archive): StyleSpecification {
	const layers = drawn('world', world, [...areas('world', c), ...labels('world', c, streets && outside(streets))]);
	const sources: StyleSpecification['sources'] = {world: {type: 'vector', url: world.url}};
	if (streets) {
		sources.streets = {type: 'vector', url: streets.url};
		const details = drawn('streets', streets, [...areas('streets', c), ...roads(c), ...names(c), ...labels('streets', c)]);
		layers.push(...details.map((l) => ({...l, minzoom: Math.max(nearest, l.minzoom ?? 0)}) as LayerSpecification));
	}
	return {version: 8, sources, layers: [{id: 'background', type: 'background', paint: {'background-color': c.sea}}, ...layers]};
}

// drawn gives layers the names of their source, and omits those that the archive lacks.
function drawn(source: string, archive: Archive, layers: LayerSpecification[]): LayerSpecification[] {
	return layers.filter((l) => 'source-layer' in l && archive.layers.has(l['source-layer'] ?? '')).map((l) => ({...l, id: `${source}-${l.id}`}));
}

// outside filters places of the world that are also in the archive with streets.
function outside({bounds: [west, south, east, north]}: Archive): FilterSpecification {
	const ring = [[west, south], [east, south], [east, north], [west, north], [west, south]];
	return ['any', ['<', ['zoom'], nearest], ['!', ['within', {type: 'Polygon', coordinates: [ring]}]]] as unknown as FilterSpecification;
}

// Kinds are the features of a layer of the base map that have one of some kinds.
interface Kinds {
	source: string;
	'source-layer': string;
	filter: FilterSpecification;
}

const of = (source: string, layer: string, kind: string[]): Kinds => ({
	source, 'source-layer': layer, filter: ['in', ['get', 'kind'], ['literal', kind]],
});

// areas are land, water and what stands there.
function areas(source: string, c: Colors): LayerSpecification[] {
	const green = ['park', 'forest', 'wood', 'nature_reserve', 'cemetery', 'grass', 'grassland', 'garden', 'village_green', 'playground', 'pitch', 'meadow'];
	return [
		{id: 'earth', type: 'fill', source, 'source-layer': 'earth', paint: {'fill-color': c.land}},
		{id: 'urban', type: 'fill', ...of(source, 'landcover', ['urban_area']), paint: {'fill-color': c.urban}},
		{id: 'green', type: 'fill', ...of(source, 'landuse', green), paint: {'fill-color': c.green}},
		{id: 'water', type: 'fill', source, 'source-layer': 'water', filter: ['==', ['geometry-type'], 'Polygon'], paint: {'fill-color': c.sea}},
		{
			id: 'rivers', type: 'line', ...of(source, 'water', ['river', 'canal', 'stream']),
			paint: {'line-color': c.sea, 'line-width': ['interpolate', ['linear'], ['zoom'], 4, 0.5, 8, 1.5, 14, 4]},
		},
		{
			id: 'buildings', type: 'fill', source, 'source-layer': 'buildings', filter: ['==', ['geometry-type'], 'Polygon'],
			paint: {'fill-color': c.building, 'fill-outline-color': c.line},
		},
		{id: 'borders', type: 'line', ...of(source, 'boundaries', ['country']), paint: {'line-color': c.line, 'line-width': 1, 'line-dasharray': [3, 2]}},
	];
}

// roads are railways, streets with an edge, and paths.
function roads(c: Colors): LayerSpecification[] {
	const width = (wide: number) => ['interpolate', ['exponential', 1.6], ['zoom'], 6, 0.3, 12, wide / 4, 18, wide * 4];
	const round = {'line-cap': 'round', 'line-join': 'round'};
	const dashed = (id: string, dash: number[]) => ({
		id, type: 'line', ...of('streets', 'roads', [id]), minzoom: 12, paint: {'line-color': c.line, 'line-width': width(1), 'line-dasharray': dash},
	});
	return [dashed('rail', [4, 1]), dashed('path', [2, 1.5]), ...([['minor_road', 3], ['major_road', 6], ['highway', 7]] as const).flatMap(([id, wide]) => [
		{id: `${id}-edge`, type: 'line', ...of('streets', 'roads', [id]), layout: round, paint: {'line-color': c.casing, 'line-width': width(wide + 1)}},
		{id, type: 'line', ...of('streets', 'roads', [id]), layout: round, paint: {'line-color': c.road, 'line-width': width(wide)}},
	])] as LayerSpecification[];
}

const name = ['get', 'name'] as ['get', string];

// names are those of streets, along them, and of waters.
function names(c: Colors): LayerSpecification[] {
	const paint = {'text-color': c.text, 'text-halo-color': c.halo, 'text-halo-width': 1.4};
	return [
		{
			id: 'street-names', type: 'symbol', ...of('streets', 'roads', ['highway', 'major_road', 'minor_road', 'path']), minzoom: 13,
			layout: {'symbol-placement': 'line', 'text-field': name, 'text-font': font, 'text-size': ['interpolate', ['linear'], ['zoom'], 13, 10, 18, 14]},
			paint,
		},
		{
			id: 'water-names', type: 'symbol', source: 'streets', 'source-layer': 'water', filter: ['==', ['geometry-type'], 'Point'], minzoom: 11,
			layout: {'text-field': name, 'text-font': font, 'text-size': 11, 'text-max-width': 8}, paint,
		},
	];
}

// labels are the names of countries and places.
function labels(source: string, c: Colors, shown: FilterSpecification = true): LayerSpecification[] {
	return [
		{
			id: 'countries', type: 'symbol', ...of(source, 'places', ['country']), maxzoom: 6,
			layout: {'text-field': name, 'text-font': font, 'text-size': 12, 'text-letter-spacing': 0.1, 'text-transform': 'uppercase', 'text-max-width': 7},
			paint: {'text-color': c.text, 'text-opacity': 0.75, 'text-halo-color': c.halo, 'text-halo-width': 1.2},
		},
		{
			id: 'places', type: 'symbol', source, 'source-layer': 'places',
			filter: ['all', ['in', ['get', 'kind'], ['literal', ['locality', 'macrohood', 'neighbourhood']]], ['<=', ['coalesce', ['get', 'min_zoom'], 0], ['+', ['zoom'], 1]], shown] as FilterSpecification,
			layout: {
				'text-field': name, 'text-font': font, 'text-max-width': 8,
				'text-size': ['interpolate', ['linear'], ['coalesce', ['get', 'population_rank'], 0], 0, 11, 7, 17],
				'symbol-sort-key': ['-', ['coalesce', ['get', 'population_rank'], 0]],
			},
			paint: {'text-color': c.text, 'text-halo-color': c.halo, 'text-halo-width': 1.4},
		},
	];
}
