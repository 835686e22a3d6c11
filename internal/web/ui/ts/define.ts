/** Defines an element that a function prepares when it enters the page. */
export const define = (name: string, prepare: (element: HTMLElement) => void) =>
	customElements.define(name, class extends HTMLElement {
		connectedCallback() { prepare(this); }
	});
