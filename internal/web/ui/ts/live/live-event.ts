// <live-event event="ID" etag="..." going="9"> asks htmx, by the event "stale", to load a part of the page again when the
// event or the number of its guests has changed.
import { listen, unlisten } from "./connection";

// All who watch an event learn of a change at once. They load it within a while, when all instances of the service know
// of it, and several changes together.
const delay = () => 1_000 + Math.random() * 2_000; // milliseconds

// The fields that change neither the ETag nor the number of guests.
const waits = ["seats_left", "waitlist_count"];

class LiveEvent extends HTMLElement {
	private pending?: ReturnType<typeof setTimeout>;

	private get topic() { return "event:" + this.getAttribute("event"); }

	connectedCallback() {
		let shown = this.getAttribute("etag")! + this.getAttribute("going");
		listen(this.topic, (frame) => {
			const now = `${frame.etag}${frame.participant_count}`;
			if (frame.op !== "changed" || now === shown && !frame.fields.some((name: string) => waits.includes(name))) return;
			shown = now;
			this.pending ??= setTimeout(this.load, delay());
		});
	}

	disconnectedCallback() {
		clearTimeout(this.pending);
		unlisten(this.topic);
	}

	private load = () => {
		this.pending = undefined;
		this.dispatchEvent(new Event("stale"));
	};
}

customElements.define("live-event", LiveEvent);
