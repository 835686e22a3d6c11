// The module of maps. Pages load it only when they show one.
export {drawEvents} from './map/events';
export {drawPlace} from './map/place';
export {drawPicker} from './map/picker';
