import createFetchClient, { type Client as FetchClient, type ClientPathsWithMethod, type FetchResponse, type MaybeOptionalInit } from "openapi-fetch";
import type { paths } from "./contract.js";
import { readError } from "./error.js";
import { newKey, send } from "./retry.js";
import { Session, type Store } from "./session.js";
import { keyedOperations, publicOperations } from "./tables.js";

export interface Options {
  /** The base address of the API. */
  url: string;
  /** Replaces the access token of a session. */
  apiKey?: string;
  /** Stores the tokens of the session. Without it, they are lost when the page or the program ends. */
  store?: Store;
  /** Uses the HttpOnly cookie of the service in place of tokens. It is for web pages from an origin that the service allows. */
  cookie?: boolean;
  /** Replaces the fetch function of the platform. */
  fetch?: (request: Request) => Promise<Response>;
}

type Verb = "get" | "post" | "put" | "patch" | "delete";
type Paths<V extends Verb> = ClientPathsWithMethod<FetchClient<paths>, V>;
type Init<I> = undefined extends I ? [(I & { [key: string]: unknown })?] : [I & { [key: string]: unknown }];

/** Calls an operation. Throws an error response as a MoothallError. */
export type Method<V extends Verb> = <P extends Paths<V>, I extends MaybeOptionalInit<paths[P], V>>(path: P, ...init: Init<I>) =>
  Promise<Success<FetchResponse<paths[P][V] & Record<string, any>, I, `${string}/${string}`>>>;

interface Success<R> {
  data: R extends { data: infer D } ? D : never;
  response: Response;
}

// Lists are the operations whose response has items and the cursor of the next page.
type Lists = { [P in Paths<"get">]: Page<P> extends { items: unknown[]; next_cursor: string | null } ? P : never }[Paths<"get">];
type Page<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { "application/json": infer T } } } } } ? T : never;
type Item<P extends keyof paths> = Page<P> extends { items: (infer T)[] } ? T : never;

/** A client of a service. */
export interface Client {
  /** Has the access token of the requests, unless options set an API key or the cookie. */
  readonly session: Session;
  readonly GET: Method<"get">;
  readonly POST: Method<"post">;
  readonly PUT: Method<"put">;
  readonly PATCH: Method<"patch">;
  readonly DELETE: Method<"delete">;
  /** Reads a list to its end. It requests each page when it is needed. */
  all<P extends Lists, I extends MaybeOptionalInit<paths[P], "get">>(path: P, ...init: Init<I>): AsyncGenerator<Item<P>, void, undefined>;
}

/**
 * Returns a client. It adds the access token to requests, refreshes the session once for all of them, and repeats requests that
 * are safe to repeat.
 *
 *   const moothall = createClient({ url: "https://moothall.example.org" });
 *   for await (const card of moothall.all("/events", { params: { query: { city: "Berlin" } } })) ...
 */
export function createClient(options: Options): Client {
  const url = options.url.replace(/\/$/, ""), platformFetch = options.fetch ?? ((request) => fetch(request));
  const session = new Session(url, platformFetch, options.store);
  const publicRequests = new WeakSet<Request>();

  const authenticateAndSend = async (request: Request): Promise<Response> => {
    const isPublic = publicRequests.has(request);
    const token = isPublic || options.cookie ? undefined : options.apiKey ?? await unlessAborted(request.signal, session.token());
    if (token) request.headers.set("Authorization", `Bearer ${token}`);
    const response = await send(request, platformFetch, isPublic);
    if (response.status !== 401 || !token || options.apiKey) return response;
    const next = await unlessAborted(request.signal, session.token(token));
    if (!next) return response;
    request.headers.set("Authorization", `Bearer ${next}`);
    return send(request, platformFetch, isPublic);
  };

  const client = createFetchClient<paths>({
    baseUrl: url,
    fetch: authenticateAndSend,
    credentials: options.cookie ? "include" : "omit",
    headers: { Accept: "application/problem+json, application/json, */*;q=0.5" },
    bodySerializer: (body: unknown) => body instanceof Blob ? body : JSON.stringify(body), // a Blob is a picture
  });
  client.use({
    onRequest({ request, schemaPath }) {
      const operation = `${request.method} ${schemaPath}`;
      if (publicOperations.has(operation)) publicRequests.add(request);
      if (keyedOperations.has(operation) && !request.headers.has("Idempotency-Key")) request.headers.set("Idempotency-Key", newKey());
    },
    async onResponse({ request, response }) {
      if (!response.ok) throw await readError(response);
      if (response.redirected && request.method !== "GET") throw new Error(`redirected to ${response.url}: its address must be the url of the client`);
    },
  });

  async function* all(path: any, init: any = {}): AsyncGenerator<any> {
    for (let cursor: string | null | undefined = init.params?.query?.cursor; cursor !== null;) {
      const { data } = await (client.GET as any)(path, { ...init, params: { ...init.params, query: { ...init.params?.query, cursor } } });
      yield* data.items;
      cursor = data.next_cursor;
    }
  }

  const { GET, POST, PUT, PATCH, DELETE } = client;
  return { session, GET, POST, PUT, PATCH, DELETE, all } as unknown as Client;
}

// unlessAborted rejects as soon as the signal aborts. The promise goes on.
function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
