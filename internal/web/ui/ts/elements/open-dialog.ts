// <open-dialog> around a <dialog> makes it modal if it is open, and when its button with data-opens is pressed. Without script the
// dialog is a part of the page, and the button sends a form whose response has the dialog open.
import { define } from "../define";

define("open-dialog", (host) => {
	const dialog = host.querySelector("dialog")!;
	const show = () => {
		dialog.close();
		dialog.showModal();
	};
	if (dialog.open && !dialog.matches(":modal")) show();
	host.querySelector("[data-opens]")?.addEventListener("click", (event) => {
		event.preventDefault();
		requestAnimationFrame(() => setTimeout(show)); // after the frame that shows the press: the next one draws the whole page
	});
});
