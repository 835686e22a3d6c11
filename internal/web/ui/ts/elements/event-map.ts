// <event-map> around a button shows the events of a list on a map. The map loads after everything else on wide screens,
// and by the button on others. Without it, the list is complete. A map of one place loads only by the button.
import {loadMap} from '../load-map';

const whenIdle = window.requestIdleCallback ?? ((call: () => void) => setTimeout(call, 200));

class EventMap extends HTMLElement {
	static observedAttributes = ['data-query', 'data-center'];
	private map?: Promise<{update(): void}>;

	connectedCallback() {
		this.querySelector('button')?.addEventListener('click', () => this.draw());
		if (!this.hasAttribute('data-place') && matchMedia('(min-width: 64rem)').matches) whenIdle(() => this.draw(), {timeout: 2_000}); // a busy browser is never idle
	}

	attributeChangedCallback(name: string) {
		if ((name === 'data-center') === this.hasAttribute('data-place')) this.map?.then((map) => map.update(), () => {});
	}

	private async draw() {
		if (this.map) return;
		this.map = loadMap(this).then((module) => this.hasAttribute('data-place') ? module.drawPlace(this) : module.drawEvents(this));
		try {
			await this.map;
		} catch {
			this.hidden = true; // such as a browser without WebGL
		}
	}
}

customElements.define('event-map', EventMap);
