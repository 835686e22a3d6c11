// Requests of pages that the service is too busy for.
const maxAttempts = 4;

// A form with a key takes effect once, however often it is sent.
const hasKey = (body: unknown) => (body instanceof FormData || body instanceof URLSearchParams) && body.has("key");

/**
 * Is fetch, but sends a request again after 503, at most three times, after the time that the service names. It repeats only what
 * is safe to repeat: a GET, a form with a key, and whatever the caller calls repeatable.
 */
export async function fetchAgain(address: string, init: RequestInit = {}, repeatable = (init.method ?? "GET") === "GET" || hasKey(init.body)): Promise<Response> {
	for (let attempt = 1; ; attempt++) {
		const response = await fetch(address, init);
		if (response.status !== 503 || !repeatable || attempt === maxAttempts) return response;
		const seconds = Number(response.headers.get("Retry-After")) || 1;
		await new Promise((resolve) => setTimeout(resolve, (seconds + Math.random()) * 1000)); // at random, so that pages do not return together
	}
}
