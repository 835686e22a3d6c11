// <push-switch data-key="..."> around a form is defined, and so visible, if the browser has push messages. The browser
// subscribes to them with the public key of the service.
import { AskBrowser } from "./ask-browser";

class PushSwitch extends AskBrowser {
	protected async ask() {
		if (await Notification.requestPermission() !== "granted") throw new Error("denied");
		const { pushManager } = await navigator.serviceWorker.ready;
		await (await pushManager.getSubscription())?.unsubscribe(); // it may have another key
		return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: this.dataset.key });
	}
}

if ("PushManager" in window && "serviceWorker" in navigator) customElements.define("push-switch", PushSwitch);
