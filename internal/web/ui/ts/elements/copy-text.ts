// <copy-text> around a field and a hidden button shows the button, which copies the value of the field.
import { define } from "../define";

define("copy-text", (host) => {
	const button = host.querySelector("button")!, field = host.querySelector("input")!;
	button.hidden = !navigator.clipboard;
	button.onclick = async () => {
		await navigator.clipboard.writeText(field.value);
		button.textContent = host.querySelector("output")!.value = button.dataset.done!;
	};
});
