// <print-page> around a hidden button shows the button, which prints the page.
import { define } from "../define";

define("print-page", (host) => {
	const button = host.querySelector("button")!;
	button.hidden = false;
	button.onclick = () => print();
});
