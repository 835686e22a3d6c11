// The badges of notifications and chats: elements with data-count="notifications", or the id of an event.
import { listen } from "./connection";

const most = 99;

function show(place: HTMLElement, count: number) {
	place.replaceChildren();
	if (!count) return;
	const shown = count > most ? most + "+" : String(count);
	const badge = document.createElement("span"), text = document.createElement("span");
	badge.className = "badge";
	badge.ariaHidden = "true";
	badge.textContent = shown;
	text.className = "visually-hidden";
	text.textContent = place.dataset.text!.replace("%s", shown);
	place.append(badge, text);
}

listen("me", (frame) => {
	if (frame.op !== "counts") return;
	const counts: Record<string, number> = { ...frame.chats as Record<string, number>, notifications: Number(frame.notifications) };
	for (const place of document.querySelectorAll<HTMLElement>("[data-count]")) show(place, counts[place.dataset.count!] ?? 0);
});
