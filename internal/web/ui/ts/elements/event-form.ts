// <event-form> around the form of an event shows what is entered in the preview beside it. A new event of a visitor who must sign in
// first is kept in the tab. Without the element, the preview shows what is stored.
import { define } from "../define";

const kept = "new-event";
const date = new Intl.DateTimeFormat(document.documentElement.lang, { timeZone: "UTC", weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

define("event-form", (host) => {
	const form = host.querySelector("form")!, preview = host.querySelector(".card-preview")!, { keeps } = host.dataset;
	const show = () => {
		const entered = new FormData(form), at = Date.parse(entered.get("starts_at") + "Z");
		for (const part of host.querySelectorAll<HTMLElement>("[data-show]")) {
			const text = (entered.get(part.dataset.show!) as string).trim();
			if (part.textContent!.trim() !== text) part.textContent = text; // what is stored has links
		}
		if (at) for (const { type, value } of date.formatToParts(at)) for (const part of preview.querySelectorAll(".date ." + type)) part.textContent = value;
		preview.className = "sheet card-preview " + form.querySelector("[name=theme]:checked")!.parentElement!.className;
	};
	if (keeps !== undefined) restore(form, keeps);
	show();
	host.oninput = () => {
		host.querySelector("[data-saved]")?.remove();
		if (keeps) sessionStorage[kept] = JSON.stringify([...new FormData(form)]);
		show();
	};
	host.addEventListener("cover", (e) => {
		const picture = new Image(), frame = preview.firstElementChild!;
		picture.src = (e as CustomEvent<string>).detail;
		picture.alt = "";
		frame.className = "cover";
		frame.replaceChildren(picture);
	});
});

// restore fills a form in as the visitor has left it. It deletes the stored form once the visitor is signed in.
function restore(form: HTMLFormElement, keeps: string) {
	for (const [name, value] of JSON.parse(sessionStorage[kept] ?? "[]") as [string, string][]) {
		const field = form.elements.namedItem(name) as HTMLInputElement | null;
		if (field && field.type !== "hidden") field.value = value; // also of a list of radio buttons
	}
	if (!keeps) delete sessionStorage[kept];
}
