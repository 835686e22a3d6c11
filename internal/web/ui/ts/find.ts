// The script of the field for a city. Pages load it when the field gets the focus.
export { suggestCities } from "./elements/city-field";
