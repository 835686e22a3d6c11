// <install-app> around a hidden offer shows it if the browser can install the web client, and installs it when the visitor asks.
import { define } from "./define";

define("install-app", (host) => {
	addEventListener("beforeinstallprompt", (event: any) => {
		event.preventDefault(); // no banner: only the button asks
		host.hidden = false;
		host.querySelector("button")!.onclick = () => event.prompt();
	});
	addEventListener("appinstalled", () => { host.hidden = true; });
});
