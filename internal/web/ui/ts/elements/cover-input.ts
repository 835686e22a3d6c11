// <cover-input> stores a picture as soon as it is chosen, and saves a new event as a draft before. Without the element, the form sends
// the file.
import { define } from "../define";

define("cover-input", (host) => {
	const form = host.closest("form")!, field = host.querySelector<HTMLInputElement>("[type=file]")!;
	const output = host.querySelector("output")!, bar = host.querySelector("progress")!, { failed, refused, stored } = host.dataset;
	let last = Promise.resolve(), waiting = 0; // pictures that are being stored, one after the other
	// A picture that did not arrive stays in the field, so that the form sends it again.
	const store = async (file: File) => {
		output.textContent = "";
		bar.hidden = false;
		const { status, response } = await eventOf(form).then((event) => upload(event, file, bar)).catch(() => ({ status: 0, response: null }));
		const isRefused = status >= 400 && status < 500 && status !== 429;
		if ((response?.image || isRefused) && field.files![0] === file) field.value = "";
		output.textContent = response?.image ? stored! : isRefused ? refused! : failed!;
		if (response?.image) host.dispatchEvent(new CustomEvent("cover", { bubbles: true, detail: new URL(response.image.url).pathname }));
		bar.hidden = true;
		waiting--;
	};
	field.onchange = () => {
		const [file] = field.files!;
		if (!file) return;
		waiting++;
		last = last.then(() => store(file));
	};
	form.addEventListener("submit", (e) => { // the page must stay until then
		if (!waiting) return;
		e.preventDefault();
		e.stopImmediatePropagation();
		void last.then(() => form.requestSubmit(e.submitter));
	}, true);
});

// eventOf returns the id of the event of a form. It saves a new one as a draft, which the form then changes.
async function eventOf(form: HTMLFormElement) {
	const id = form.querySelector<HTMLInputElement>("[name=event_id]")!;
	if (!id.value) {
		const body = new FormData(form);
		body.delete("cover");
		const response = await fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } });
		[, id.value] = /^\/events\/(.+)\/edit/.exec(response.headers.get("HX-Redirect")!)! as unknown as [string, string];
		history.replaceState(null, "", `/events/${id.value}/edit`);
	}
	return id.value;
}

// upload stores the cover of an event, and shows how much has arrived. It returns the request with its response, which is null if there is none.
function upload(event: string, file: File, bar: HTMLProgressElement) {
	return new Promise<{ status: number; response: { image?: { url: string } } | null }>((resolve) => {
		const request = new XMLHttpRequest();
		request.open("PUT", `/api/events/${event}/cover`);
		request.setRequestHeader("Content-Type", file.type);
		request.responseType = "json";
		request.upload.onprogress = (e) => { bar.value = e.loaded / e.total; };
		request.onloadend = () => resolve(request);
		request.send(file);
	});
}
