// <import-progress import="018f..." text="%done of 40"> around a label and a progress bar counts the events of an import while the form of
// its page is sent: the request ends when all of them are imported.
import { define } from "../define";

define("import-progress", (host) => {
	const [label, bar] = host.children as unknown as [HTMLElement, HTMLProgressElement];
	const timer = setInterval(async () => {
		if (!host.isConnected) clearInterval(timer);
		if (!document.querySelector("form.htmx-request")) return;
		const response = await fetch(`/api/me/imports/${host.getAttribute("import")}?limit=1`);
		if (!response.ok) return;
		bar.value = (await response.json()).counts.same;
		label.textContent = host.getAttribute("text")!.replace("%done", `${bar.value}`);
	}, 1000);
});
