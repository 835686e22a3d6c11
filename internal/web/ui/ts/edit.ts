// The script of the form of an event.
import "./elements/event-form";
import "./elements/cover-input";
import "./elements/place-picker";
