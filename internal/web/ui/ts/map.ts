// The module of maps. Pages load it only when they show one.
export {drawEvents} from './map/events';
export {drawPicker} from './map/picker';
