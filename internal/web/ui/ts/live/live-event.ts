// <live-event event="ID" etag="..." going="9"> asks htmx, by the event "stale", to load a part of the page again when the
// event, the number of its guests or its waiting list has changed. With the attribute "waits", also after a lost connection:
// meanwhile the place of the visitor in the list may have changed.
import { listen, unlisten } from "./connection";

// All who watch an event learn of a change at once. They load it within a while, when all instances of the service know
// of it, and several changes together.
const delay = () => 1_000 + Math.random() * 2_000; // milliseconds

class LiveEvent extends HTMLElement {
	private pending?: ReturnType<typeof setTimeout>;

	private get topic() { return "event:" + this.getAttribute("event"); }

	connectedCallback() {
		let shown = this.getAttribute("etag")! + this.getAttribute("going");
		let subscribed = false;
		listen(this.topic, (frame) => {
			let stale = frame.op === "waitlist_changed";
			if (frame.op === "changed") {
				const now = `${frame.etag}${frame.participant_count}`;
				const again = subscribed && !frame.fields.length && this.hasAttribute("waits");
				stale = now !== shown || frame.fields.includes("seats_left") || again;
				shown = now;
				subscribed = true;
			}
			if (stale) this.pending ??= setTimeout(this.load, delay());
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
