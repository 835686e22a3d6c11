// The service worker. Without network it shows the page /offline, which has the calendar of the visitor and their next events. It shows push
// messages. It stores no other page, and the browser removes it with all that it has stored when the visitor signs out.
declare const ICON: string; // address of an icon, set by the build

const scope = self as any; // a ServiceWorkerGlobalScope

const page = "/offline";
const freshFor = 10 * 60_000; // milliseconds
let storedAt = 0;
let changes = 0; // forms that were sent, one of which may have ended the session

// store stores the page and the assets that it shows, and deletes those of earlier versions.
async function store() {
	const before = changes;
	storedAt = Date.now();
	const response = await fetch(page);
	if (!response.ok || response.headers.has("Refresh") || before !== changes) return;
	const wanted = new Set((await response.clone().text()).match(/\/assets\/[\w.-]+/g));
	const cache = await caches.open("offline");
	const known = new Set((await cache.keys()).map((request) => new URL(request.url).pathname));
	await cache.addAll([...wanted].filter((asset) => !known.has(asset)));
	if (before !== changes) { // a sign-out may have emptied the cache meanwhile
		await caches.delete("offline");
		return;
	}
	await cache.put(page, response);
	for (const path of known) if (path !== page && !wanted.has(path)) await cache.delete(path);
}

async function navigate(event: any) {
	try {
		const response = (await event.preloadResponse) ?? (await fetch(event.request));
		if (Date.now() - storedAt > freshFor) event.waitUntil(store().catch(() => {}));
		return response;
	} catch {
		return (await caches.match(page, { ignoreVary: true })) ?? Response.error();
	}
}

scope.addEventListener("install", (event: any) => event.waitUntil(store().then(() => scope.skipWaiting())));

scope.addEventListener("activate", (event: any) => event.waitUntil(Promise.all([scope.clients.claim(), scope.registration.navigationPreload?.enable()])));

scope.addEventListener("fetch", (event: any) => {
	const { request } = event;
	const url = new URL(request.url);
	if (url.origin !== location.origin) return;
	if (request.method !== "GET") {
		changes++;
		storedAt = 0;
		if (/sign_?in|login|verify|logout|deleteMe/i.test(url.pathname)) event.waitUntil(caches.delete("offline")); // another account may follow
	} else if (request.mode === "navigate") {
		event.respondWith(navigate(event));
	} else if (url.pathname.startsWith("/assets/")) {
		event.respondWith(caches.match(request, { ignoreVary: true }).then((stored) => stored ?? fetch(request)));
	}
});

scope.addEventListener("push", (event: any) => {
	const message = event.data.json();
	event.waitUntil(Promise.all([
		scope.registration.showNotification(message.title, { body: message.body ?? "", tag: message.tag, icon: ICON, data: message.page ?? message.href }),
		(navigator as any).setAppBadge?.(message.unread_count),
	]));
});

scope.addEventListener("notificationclick", (event: any) => {
	event.notification.close();
	const target = new URL(event.notification.data ?? "/notifications", location.origin);
	if (target.origin === location.origin) event.waitUntil(scope.clients.openWindow(target.href));
});
