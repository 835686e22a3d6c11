// The script of the field for a city. Pages load it when the field gets the focus.
import "./elements/city-field";
