// <cover-input> stores a picture as soon as it is chosen, and saves a new event as a draft before. Without the element, the form sends
// the file.
import { define } from "../define";

define("cover-input", (host) => {
	const form = host.closest("form")!, field = host.querySelector<HTMLInputElement>("[type=file]")!;
	const output = host.querySelector("output")!, bar = host.querySelector("progress")!, { failed, stored } = host.dataset;
	let storing: Promise<void> | undefined; // while a picture is being stored
	// One that was refused stays in the field, so that the form sends it again.
	const store = async (file: File) => {
		output.textContent = "";
		bar.hidden = false;
		try {
			const { image } = await upload(await eventOf(form), file, bar), detail = new URL(image.url).pathname; // throws if it was refused
			field.value = "";
			output.textContent = stored!;
			host.dispatchEvent(new CustomEvent("cover", { bubbles: true, detail }));
		} catch {
			output.textContent = failed!;
		}
		bar.hidden = true;
		storing = undefined;
	};
	field.onchange = () => {
		const [file] = field.files!;
		if (file) storing = store(file);
	};
	form.addEventListener("submit", (e) => { // the page must stay until then
		if (!storing) return;
		e.preventDefault();
		e.stopImmediatePropagation();
		void storing.then(() => form.requestSubmit(e.submitter));
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

// upload stores the cover of an event, and shows how much has arrived. It returns the response; null if there is none.
function upload(event: string, file: File, bar: HTMLProgressElement) {
	return new Promise<{ image: { url: string } }>((resolve) => {
		const request = new XMLHttpRequest();
		request.open("PUT", `/api/events/${event}/cover`);
		request.setRequestHeader("Content-Type", file.type);
		request.responseType = "json";
		request.upload.onprogress = (e) => { bar.value = e.loaded / e.total; };
		request.onloadend = () => resolve(request.response);
		request.send(file);
	});
}
