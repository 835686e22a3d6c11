// The script of every page. Pages work without it.
import htmx from "htmx.org";
import "./elements/local-time";
import "./elements/open-dialog";
import "./elements/near-me";
import "./elements/event-map";
import "./elements/copy-text";
import "./elements/date-chips";
import "./elements/own-zone";
import "./elements/print-page";
import "./elements/share-event";
import { fetchAgain } from "./retry";

// htmx may insert the HTML of this service, and never runs code in attributes.
const refuse = () => { throw new TypeError("attributes contain no code"); };
const worker = "/sw.js";
const policy = window.trustedTypes?.createPolicy("htmx", { createHTML: (html: string) => html, createScript: refuse, createScriptURL: (url: string) => (url === worker ? url : refuse()) });
htmx.registerExtension("strict", { init: (api: { initSecurity(...args: unknown[]): void }) => api.initSecurity(policy, refuse, refuse) });

document.addEventListener("htmx:config:request", (event) => { Object.assign(event.detail.ctx, { fetch: fetchAgain }); });

// Who is signed in sees their calendar also without network. The browser removes the worker when they sign out.
if (document.documentElement.hasAttribute("data-worker")) {
	addEventListener("load", () => navigator.serviceWorker?.register((policy?.createScriptURL(worker) ?? worker) as string).catch(() => {}));
}

// The address of a list has no parameters that say nothing.
document.addEventListener("formdata", ({ target, formData }) => {
	if ((target as HTMLFormElement).method !== "get") return;
	for (const [name, value] of [...formData]) if (!value) formData.delete(name);
	if (!formData.has("date") && !formData.has("day")) formData.delete("tz");
	if (!formData.has("city") && !formData.has("lat")) formData.delete("radius_km");
});

// Some fields load their script when they get the focus.
document.addEventListener("focusin", ({ target }) => {
	const host = (target as Element).closest<HTMLElement>("[data-suggests]");
	if (host) void import(host.dataset.suggests!).then(({ suggestCities }) => suggestCities(host));
});

// What changes while the page is open. Its module is large, and only for visitors who are signed in.
const { live } = document.documentElement.dataset;
if (live) void import(live);
