// <share-event> around a link or a hidden button lets it open the dialog of the device for sharing, where there is one.
import { define } from "../define";

define("share-event", (host) => {
	const control = host.querySelector<HTMLAnchorElement>("a, button")!, { address: url, title } = host.dataset;
	if (!navigator.share) return;
	control.hidden = false;
	control.onclick = (event) => {
		event.preventDefault();
		navigator.share({ url, title }).catch((err) => err.name === "AbortError" || location.assign(control.href ?? url!));
	};
});
