// Calls a running service. Fails if a result is wrong. Argument: address of the service.
import { createClient, localStore, MoothallError, type Client, type Options } from "@moothall/client";

declare const process: { argv: string[]; exit(code: number): never };

const url = process.argv[2];

function check(what: string, got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

async function signIn(name: string, options: Partial<Options> = {}): Promise<Client> {
  const client = createClient({ url, ...options }), email = `${name}@example.org`;
  const { data: { dev_code } } = await client.POST("/auth/dev/start", { body: { email } });
  const { data } = await client.POST("/auth/dev/verify", { body: { email, code: dev_code! } });
  await client.session.start(data);
  return client;
}

async function failure(call: Promise<unknown>): Promise<MoothallError> {
  const error = await call.then(() => undefined, (error: unknown) => error);
  if (!(error instanceof MoothallError)) throw new Error(`${error}, want a MoothallError`);
  return error;
}

const event = { title: "Chess", starts_at: new Date(Date.now() + 86_400_000).toISOString(), description: "Long" };
const idOf = (client: Client) => client.GET("/me").then(({ data }) => data.user.id);

async function pages(): Promise<void> {
  const org = await signIn("ts-pages"), want: string[] = [], got: string[] = [];
  for (let n = 0; n < 7; n++) {
    const { data } = await org.POST("/events", { body: event });
    await org.POST("/events/{event_id}/publish", { params: { path: { event_id: data.event.id } } });
    want.push(data.event.id);
  }
  const query = { organizer_id: await idOf(org), limit: 3 };
  for await (const card of createClient({ url }).all("/events", { params: { query } })) got.push(card.event.id);
  check("all pages", got.sort(), want.sort());
}

async function errors(): Promise<void> {
  const ann = await signIn("ts-errors"), path = { event_id: "018f3b0a-5c1d-7000-8000-0000000000e1" };
  const unknown = await failure(ann.GET("/events/{event_id}", { params: { path } }));
  check("an unknown event", [unknown.status, unknown.code, typeof unknown.requestId], [404, "not_found", "string"]);
  const wrong = await failure(ann.POST("/events", { body: { ...event, title: "" } }));
  check("a wrong field", [wrong.status, wrong.code, wrong.fields.map((f) => f.pointer)], [400, "invalid_request", ["/title"]]);
  const { data } = await ann.POST("/events", { body: event });
  const params = { path: { event_id: data.event.id } };
  const forbidden = await failure(ann.POST("/events/{event_id}/reviews", { params, body: { rating: 5 } }));
  check("an own event", [forbidden.status, forbidden.reason], [403, "own_event"]);
  const { data: changed, response } = await ann.PATCH("/events/{event_id}", { params, body: { description: null } });
  check("null clears", [changed.event.description, response.headers.has("ETag")], [null, true]);
  check("without a session", (await failure(createClient({ url }).GET("/me"))).status, 401);
}

// The first response to each change is lost, also to a refresh. No change takes effect twice.
async function lostResponses(): Promise<void> {
  const seen = new Set<string>();
  const lossy = async (request: Request) => {
    const key = request.method + request.url + await request.clone().text(), response = await fetch(request);
    if (request.method === "GET" || seen.has(key)) return response;
    seen.add(key);
    throw new TypeError("lost");
  };
  let stored: any;
  await signIn("ts-lost", { store: { load: () => stored, save: (tokens) => { stored = tokens; } } });
  const client = createClient({ url, fetch: lossy });
  await client.session.start({ ...stored, access_token: "expired" });
  const { data } = await client.POST("/events", { body: event });
  const params = { path: { event_id: data.event.id } };
  await client.POST("/events/{event_id}/publish", { params });
  for (const body of ["0", "1", "2"]) await client.POST("/events/{event_id}/messages", { params, body: { body } });
  const bodies: string[] = [];
  for await (const message of client.all("/events/{event_id}/messages", { params })) bodies.push(message.body);
  check("messages", bodies.sort(), ["0", "1", "2"]);
  let events = 0;
  for await (const _ of client.all("/events", { params: { query: { organizer_id: await idOf(client) } } })) events++;
  check("events", events, 1);
}

async function retries(): Promise<void> {
  for (const [what, answers, call, want] of [
    ["nothing was done", ["503 service_unavailable"], (c: Client) => c.POST("/auth/dev/start", { body: { email: "a@example.org" } }), 2],
    ["it may have been done", ["503 outcome_unknown"], (c: Client) => c.POST("/events/{event_id}/publish", { params: { path: { event_id: "e" } } }), 1],
    ["a creation may have been done", ["503 outcome_unknown"], (c: Client) => c.POST("/events", { body: event }), 2],
    ["a lost sign-in", ["lost"], (c: Client) => c.POST("/auth/dev/start", { body: { email: "a@example.org" } }), 1],
    ["a guarded change", ["lost"], (c: Client) => c.PATCH("/events/{event_id}", { params: { path: { event_id: "e" }, header: { "If-Match": '"1"' } }, body: {} }), 1],
    ["too long", ["429 rate_limited 3600"], (c: Client) => c.GET("/events"), 1],
    ["a proxy has too many requests", ["429"], (c: Client) => c.POST("/auth/dev/start", { body: { email: "a@example.org" } }), 2],
    ["a proxy is down for long", ["503 - 3600"], (c: Client) => c.GET("/events"), 1],
    ["a creation whose response ends early", ["cut"], (c: Client) => c.POST("/events", { body: event }), 2],
    ["an error page", ["502 <html>"], (c: Client) => c.GET("/events"), 2],
    ["a bug", ["500 internal_error"], (c: Client) => c.GET("/events"), 1],
  ] as const) {
    const keys: (string | null)[] = [];
    const client = createClient({ url, apiKey: "mk_1", fetch: async (request) => {
      const answer = answers[keys.push(request.headers.get("Idempotency-Key")) - 1];
      if (!answer) return Response.json({});
      if (answer === "lost") throw new TypeError("lost");
      if (answer === "cut") return new Response(new ReadableStream({ start: (body) => body.error(new TypeError("lost")) }), { headers: { "Content-Type": "application/json" } });
      const [status, error, seconds] = answer.split(" ");
      if (error === "<html>") return new Response("<html>", { status: Number(status) });
      return Response.json({ error: error === "-" ? { text: "busy" } : error }, { status: Number(status), headers: seconds ? { "Retry-After": seconds } : {} });
    } });
    await call(client).catch(() => {});
    check(what, [keys.length, new Set(keys).size], [want, 1]);
  }
}

// A call ends when its signal aborts, also while a refresh that it waits for goes on.
async function abort(): Promise<void> {
  const tokens = { access_token: "old", access_token_expires_at: new Date().toISOString(), refresh_token: "r" };
  const client = createClient({ url, store: { load: () => tokens, save: () => {} }, fetch: () => new Promise(() => {}) });
  const stop = new AbortController(), call = client.GET("/me", { signal: stop.signal }).catch((failure: Error) => failure.name);
  setTimeout(() => stop.abort());
  check("an aborted call", await call, "AbortError");
}

// A proxy redirects to https: fetch repeats a POST as a GET, which creates nothing.
async function redirect(): Promise<void> {
  const fetch = async () => Object.defineProperties(Response.json({ items: [] }), { redirected: { value: true }, url: { value: "https://service/events" } });
  const failure = await createClient({ url, apiKey: "mk_1", fetch }).POST("/events", { body: event }).catch((failure: Error) => failure.message);
  check("a redirected creation", failure, "redirected to https://service/events: its address must be the url of the client");
}

// The store fails once. Then it responds only after the user has signed in: the new tokens stay.
async function slowStore(): Promise<void> {
  let respond = (_: undefined) => {}, loads = 0;
  const load = () => loads++ === 0 ? Promise.reject(new Error("busy")) : new Promise<undefined>((done) => { respond = done; });
  const { session } = createClient({ url, store: { load, save: () => {} } });
  check("a store that fails", await session.token().catch((failure: Error) => failure.message), "busy");
  const pending = session.token();
  await session.start({ access_token: "new", access_token_expires_at: "2100-01-01T00:00:00Z", refresh_token: "r" });
  respond(undefined);
  check("after a sign-in", [await pending, await session.token(), loads], ["new", "new", 2]);
}

// Two programs with one store begin a refresh of the same tokens before either has a response. The second request follows only after
// the time for which the service expects races of tabs. Both stay signed in.
async function sharedStore(): Promise<void> {
  let stored: any;
  const arrived: (() => void)[] = [];
  const store = { load: () => stored, save: (tokens: any) => { stored = tokens; } };
  const meet = async (request: Request) => {
    if (!request.url.endsWith("/auth/refresh") || arrived.length === 2) return fetch(request);
    await new Promise<void>((done) => { if (arrived.push(done) === 2) arrived.forEach((leave, n) => setTimeout(leave, n * 3500)); });
    return fetch(request);
  };
  const clients = [await signIn("ts-shared", { store, fetch: meet }), createClient({ url, store, fetch: meet })];
  await clients[1]!.GET("/me");
  const refreshed = await Promise.all(clients.map((client) => client.session.refresh(stored.access_token)));
  check("refreshes", arrived.length, 2);
  check("both have the tokens of the store", refreshed, [stored.access_token, stored.access_token]);
  for (const client of clients) await idOf(client);
}

// Node 20 has neither Web Locks nor tabs. Each client stands for a tab, and shares locks of this test.
async function tabs(): Promise<void> {
  const turns = new Map<string, Promise<unknown>>(), values = new Map<string, string>();
  const request = (name: string, task: () => Promise<unknown>) => {
    const turn = (turns.get(name) ?? Promise.resolve()).then(task);
    turns.set(name, turn);
    return turn;
  };
  const platform = globalThis as unknown as Record<string, unknown>;
  Object.defineProperty(platform, "navigator", { configurable: true, value: { locks: { request } } });
  platform.localStorage = {
    getItem: (name: string) => values.get(name) ?? null, setItem: (name: string, value: string) => values.set(name, value), removeItem: (name: string) => values.delete(name),
  };
  let refreshes = 0;
  const counting = (request: Request) => {
    if (request.url.endsWith("/auth/refresh")) refreshes++;
    return fetch(request);
  };
  const first = await signIn("ts-tabs", { store: localStore(), fetch: counting });
  const all = [first, ...Array.from({ length: 4 }, () => createClient({ url, store: localStore(), fetch: counting }))];
  const signedIn: boolean[] = [];
  all[4].session.onChange = (now) => signedIn.push(now);
  await Promise.all(all.map((tab) => tab.GET("/me")));
  check("no refresh yet", refreshes, 0);
  const tokens = JSON.parse(values.get("moothall")!);
  for (const [round, access_token_expires_at] of [[1, new Date().toISOString()], [2, tokens.access_token_expires_at]]) {
    // Round 1: all see that the token expires. Round 2: the service refuses it.
    const current = JSON.parse(values.get("moothall")!), access_token = round === 1 ? current.access_token : "expired";
    values.set("moothall", JSON.stringify({ ...current, access_token, access_token_expires_at }));
    const reopened = Array.from({ length: 4 }, () => createClient({ url, store: localStore(), fetch: counting }));
    await Promise.all(reopened.flatMap((tab) => [tab.GET("/me"), tab.GET("/me/chats")]));
    check("refreshes", refreshes, round);
  }
  await first.session.end();
  await new Promise((done) => setTimeout(done, 100));
  check("signed out in another tab", [signedIn, await all[4].session.token(), values.size], [[true, false], undefined, 0]);
}

await pages();
await errors();
await lostResponses();
await retries();
await abort();
await redirect();
await slowStore();
await sharedStore();
await tabs();
process.exit(0);
