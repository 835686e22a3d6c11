import { readProblem, retryAfter } from "./error.js";

type Fetch = (request: Request) => Promise<Response>;

const maxAttempts = 4, minDelay = 200; // milliseconds; doubles with each attempt
const maxWait = 30; // seconds: the longest Retry-After for which the client waits

/**
 * Sends a request, and repeats it if the contract guarantees that it takes effect only once. isPublic: the operation needs no
 * access token, such as a sign-in.
 */
export async function send(request: Request, fetch: Fetch, isPublic: boolean): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const last = attempt === maxAttempts;
    try {
      const response = await fetch(request.clone());
      if (response.headers.get("Content-Type")?.includes("json")) await response.clone().arrayBuffer(); // a response that ends too early is a lost one
      if (last || response.ok || !await isRepeatable(request, response, isPublic)) return response;
      await wait((retryAfter(response) ?? 0) * 1000, attempt, request.signal);
    } catch (failure) {
      if (last || request.signal.aborted || !isSafe(request, isPublic)) throw failure;
      await wait(0, attempt, request.signal);
    }
  }
}

async function isRepeatable(request: Request, response: Response, isPublic: boolean): Promise<boolean> {
  if ((retryAfter(response) ?? 0) > maxWait) return false;
  if (response.status === 429) return true; // nothing was done
  const { error } = await readProblem(response);
  switch (error) {
    case "service_unavailable": // nothing was done
    case "conflict":
      return true;
    case "outcome_unknown":
      return request.headers.has("Idempotency-Key");
    case undefined: // from a proxy, which may have lost the response
      return response.status >= 502 && response.status <= 504 && isSafe(request, isPublic);
  }
  return false;
}

// isSafe reports whether the request may be repeated after its response was lost. A sign-in may not: its code works once. Nor may
// a change with If-Match, which fails the second time.
function isSafe({ headers, method }: Request, isPublic: boolean): boolean {
  return headers.has("Idempotency-Key") || method === "GET" || !isPublic && !headers.has("If-Match");
}

// wait adds a random time, so that clients that failed together do not return together.
function wait(least: number, attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => { clearTimeout(timer); reject(signal.reason); };
    const timer = setTimeout(() => { signal.removeEventListener("abort", abort); resolve(); }, least + Math.random() * minDelay * 2 ** attempt);
    signal.addEventListener("abort", abort, { once: true });
  });
}

/** Returns a random Idempotency-Key. crypto.randomUUID is missing on pages without https. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
