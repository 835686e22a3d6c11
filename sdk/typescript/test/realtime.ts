// Runs the client against a fake server. Fails if a result is wrong.
import { Realtime, type Frame, type Options, type State } from "@moothall/client/realtime";

function check(what: string, got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want)) throw new Error(`${what}: ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

// The delays of timers, without the timer that waits for a sign of life. wake runs the latest one.
const delays: number[] = [];
let due: (() => void) | undefined, silence: { run: () => void; delay: number } | undefined;
const later = globalThis.setTimeout;
globalThis.setTimeout = ((run: () => void, delay: number) => {
  if (delay === 8_000 || delay === 75_000) {
    silence = { run, delay };
    return 1;
  }
  delays.push(delay);
  due = run;
  return 0;
}) as typeof setTimeout;
globalThis.clearTimeout = ((timer?: number) => { if (timer === 1) silence = undefined; }) as typeof clearTimeout;
const settle = () => new Promise<void>((done) => later(done, 5));
async function wake(): Promise<void> { const run = due!; due = undefined; run(); await settle(); }

const chat = "chat:018f3b0a-5c1d-7000-8000-0000000000e1";

// One socket of the fake server.
class Socket {
  static all: Socket[] = [];
  readyState = 1;
  sent: Frame[] = [];
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;
  constructor(public address: string, public protocols: string[]) { Socket.all.push(this); }
  send(text: string): void { this.sent.push(JSON.parse(text) as Frame); }
  close(): void { this.readyState = 3; }
  frames(...frames: object[]): void { for (const f of frames) this.onmessage!({ data: JSON.stringify(f) }); }
  lose(code: number): void { this.readyState = 3; this.onclose!({ code }); }
}

const welcome = { op: "welcome", session_id: "s", server_time: "2026-12-05T16:00:00Z", ping_seconds: 30 };
const message = (at: number, prev = at - 1) => ({ op: "message", topic: chat, position: String(at), prev: String(prev), message: { body: String(at) } });
const caughtUp = (at: number) => ({ op: "caught_up", topic: chat, position: String(at) });

// A client, and what it has shown and requested.
function client(answers: Record<string, () => Response | Promise<Response>> = {}, token: Options["token"] = () => "token") {
  const shown: string[] = [], states: State[] = [], requests: string[] = [], errors: (string | undefined)[] = [];
  Socket.all = [];
  delays.length = 0;
  const realtime = new Realtime({
    url: "https://moothall.example.org/",
    token,
    WebSocket: Socket as unknown as typeof WebSocket,
    fetch: (async (url: string, init: { method?: string; headers: Record<string, string> }) => {
      requests.push(`${init.method ?? "GET"} ${url} ${init.headers.Authorization} ${init.headers["Last-Event-ID"] ?? ""}`.trim());
      const path = new URL(url).pathname;
      return answers[path]?.() ?? new Response(JSON.stringify({ ticket: "t&1", websocket_url: "", ticket_expires_at: "" }));
    }) as typeof fetch,
  });
  realtime.onFrame = (frame) => {
    if (frame.op === "message") shown.push(frame.position!);
    if (frame.op === "error") errors.push(frame.topic);
  };
  realtime.onState = (state) => states.push(state);
  return { realtime, shown, states, requests, errors };
}

async function completeness(): Promise<void> {
  const { realtime, shown, states, requests } = client();
  realtime.subscribe(chat, "3");
  realtime.start();
  await settle();
  const [socket] = Socket.all;
  check("request", requests, ["POST https://moothall.example.org/realtime/tickets Bearer token"]);
  check("address", [socket.address, socket.protocols], ["wss://moothall.example.org/realtime?ticket=t%261", ["moothall.v1"]]);
  check("before the welcome", [socket.sent, states], [[], ["connecting"]]);
  socket.frames(welcome);
  check("subscribe", socket.sent, [{ op: "subscribe", id: 1, topic: chat, after: "3" }]);
  socket.frames({ op: "subscribed", id: 1, topic: chat, position: "3", latest: "5" }, message(4));
  check("while messages are missing", states.at(-1), "catching up");
  socket.frames(message(4), { ...message(5), op: "skip" }, caughtUp(5), message(6), message(5));
  check("repeated and hidden messages", [shown, states.at(-1)], [["4", "6"], "live"]);
  socket.frames(message(9, 8));
  check("a gap", [shown, socket.sent.at(-1)], [["4", "6"], { op: "subscribe", id: 2, topic: chat, after: "6" }]);
  socket.frames(message(10, 9), { op: "subscribed", id: 2, topic: chat, position: "6", latest: "10" }, message(7), message(8), message(9), message(10), caughtUp(10));
  check("after the gap", [shown, states.slice(-2), socket.sent.length], [["4", "6", "7", "8", "9", "10"], ["catching up", "live"], 2]);

  socket.lose(1006);
  check("lost", states.at(-1), "connecting");
  await wake();
  Socket.all[1].frames(welcome);
  check("resumed", Socket.all[1].sent, [{ op: "subscribe", id: 3, topic: chat, after: "10" }]);
  socket.frames(message(11));
  check("a frame of the old socket", shown.at(-1), "10");
  realtime.unsubscribe(chat);
  Socket.all[1].frames(message(11));
  check("unsubscribed", [shown.at(-1), Socket.all[1].sent.at(-1)], ["10", { op: "unsubscribe", topic: chat }]);
  realtime.stop();
  check("stopped", [states.at(-1), Socket.all[1].readyState], ["stopped", 3]);
}

async function fromNow(): Promise<void> {
  const { realtime, shown } = client();
  realtime.start();
  await settle();
  const [socket] = Socket.all;
  socket.frames(welcome);
  realtime.subscribe(chat);
  check("without after", socket.sent, [{ op: "subscribe", id: 1, topic: chat }]);
  socket.frames({ op: "subscribed", id: 1, topic: chat, position: "1795290000123456789", latest: "1795290000123456789" },
    { ...message(0), position: "1795290000123456791", prev: "1795290000123456789" });
  check("positions that no number can hold", shown, ["1795290000123456791"]);
  realtime.markRead(chat, "1795290000123456791");
  realtime.typing(chat);
  check("sent", socket.sent.slice(1), [{ op: "read", topic: chat, position: "1795290000123456791" }, { op: "typing", topic: chat }]);
  socket.frames({ op: "error", id: 1, topic: chat, error: "service_unavailable" });
  await wake();
  check("tried again", Socket.all.length, 2);
  Socket.all[1].frames(welcome);
  check("subscribed again", Socket.all[1].sent, [{ op: "subscribe", id: 2, topic: chat, after: "1795290000123456791" }]);
  Socket.all[1].frames({ op: "revoked", topic: chat, reason: "left" });
  Socket.all[1].lose(1001);
  await wake();
  Socket.all[2].frames(welcome);
  check("a revoked topic", Socket.all[2].sent, []);
}

// Subscribes to 250 topics, of which the server refuses one. Frames wait for the limit of 120 in 10 seconds.
async function frameLimit(): Promise<void> {
  let now = 0;
  const clock = performance.now;
  performance.now = () => now;
  const { realtime, errors } = client();
  const topics = Array.from({ length: 250 }, (_, i) => `event:${i}`);
  for (const topic of topics) realtime.subscribe(topic);
  realtime.start();
  await settle();
  const [socket] = Socket.all;
  socket.frames(welcome);
  check("at once", [socket.sent.length, delays], [110, [10_000]]);
  for (const [later, sent] of [[10_000, 220], [20_000, 250]]) {
    now = later;
    await wake();
    check(`after ${later} ms`, socket.sent.map((f) => f.topic), topics.slice(0, sent));
  }
  socket.frames({ op: "error", id: socket.sent[249].id, topic: "event:249", error: "rate_limited" });
  check("the refusal", [errors, due], [["event:249"], undefined]);
  socket.lose(1006);
  await wake();
  Socket.all[1].frames(welcome);
  now = 30_000;
  await wake();
  now = 40_000;
  await wake();
  check("after it", Socket.all[1].sent.map((f) => f.topic), topics.slice(0, 249));
  realtime.stop();
  performance.now = clock;
}

async function delaysAndEnds(): Promise<void> {
  for (const [code, state] of [[4401, "ended"], [4409, "replaced"]] as const) {
    const { realtime, states } = client();
    realtime.start();
    await settle();
    Socket.all[0].frames(welcome);
    Socket.all[0].lose(code);
    check(`after ${code}`, [states.at(-1), delays], [state, []]);
  }
  const { realtime, states } = client({ "/realtime/tickets": () => new Response("", { status: 401 }) });
  realtime.start();
  await settle();
  await wake(); // the token may have been refused although the session stands
  check("without a session", [states, delays.length], [["connecting", "ended"], 1]);

  const random = Math.random;
  for (const share of [0, 0.999999]) {
    Math.random = () => share;
    const { realtime } = client({ "/realtime/stream": () => new Response("", { status: 502 }) });
    realtime.start();
    await settle();
    for (let n = 0; n < 8; n++) {
      Socket.all.at(-1)!.lose(1006);
      await wake();
      if (due) await wake(); // every other attempt is a stream
    }
    const [least, most] = [Math.min(...delays), Math.max(...delays)];
    check(`delays with ${share}`, share === 0 ? [least, most] : [Math.round(least), Math.round(most)], share === 0 ? [500, 500] : [1000, 20000]);
    Socket.all.at(-1)!.frames(welcome);
    Socket.all.at(-1)!.lose(1001);
    check(`the server stops with ${share}`, Math.round(delays.at(-1)!), share === 0 ? 0 : 10000);
    realtime.stop();
  }
  Math.random = random;
}

// The server accepts each connection, but refuses the subscription: the delays grow nevertheless.
async function refusals(): Promise<void> {
  const random = Math.random;
  Math.random = () => 0.999999;
  const { realtime } = client();
  realtime.subscribe(chat);
  realtime.start();
  await settle();
  for (let n = 0; n < 6; n++) {
    const socket = Socket.all.at(-1)!;
    socket.frames(welcome, { op: "error", id: socket.sent[0]?.id ?? n + 1, topic: chat, error: "internal_error" });
    await wake();
  }
  check("delays after refusals", delays.map(Math.round), [2000, 4000, 8000, 16000, 20000, 20000]);
  const socket = Socket.all.at(-1)!;
  socket.frames(welcome);
  socket.frames({ op: "subscribed", id: socket.sent[0].id, topic: chat, position: "3", latest: "3" });
  socket.lose(1006);
  check("delay after a success", Math.round(delays.at(-1)!), 1000);
  realtime.stop();
  Math.random = random;
}

async function fallback(): Promise<void> {
  const text = [welcome, { op: "subscribed", topic: chat, position: "3", latest: "4" }, message(4), caughtUp(4)]
    .map((frame) => `: comment\nid: 4\ndata: ${JSON.stringify(frame)}\n\n`).join("");
  const stream = () => new Response(new ReadableStream({
    start(controller) { // in pieces that cut events
      for (let at = 0; at < text.length; at += 37) controller.enqueue(new TextEncoder().encode(text.slice(at, at + 37)));
    },
  }));
  const { realtime, shown, states, requests } = client({ "/realtime/stream": stream });
  realtime.subscribe("me");
  realtime.subscribe(chat, "3");
  realtime.start();
  await settle();
  for (const _ of [1, 2]) {
    Socket.all.at(-1)!.lose(1006);
    await wake();
  }
  await settle();
  check("the stream", [shown, states.at(-1), Socket.all.length], [["4"], "live", 2]);
  check("its address", requests.at(-1), `GET https://moothall.example.org/realtime/stream?topic=me&topic=${encodeURIComponent(chat)}&after=3 Bearer token`);
  const other = chat.replace("e1", "e2");
  realtime.subscribe(other); // opens a stream again
  await wake();
  Socket.all.at(-1)!.lose(1006);
  await wake();
  check("one stream for all chats", requests.at(-1),
    `GET https://moothall.example.org/realtime/stream?topic=me&topic=${encodeURIComponent(chat)}&after=4&topic=${encodeURIComponent(other)}&after= Bearer token`);
  realtime.stop();
}

// A page without a token: the browser sends the cookie with the handshake. The status of a refused handshake is hidden from
// scripts, so the next one has a ticket.
async function cookie(): Promise<void> {
  const { realtime, states, requests } = client({ "/realtime/tickets": () => new Response("", { status: 401 }) }, () => undefined);
  realtime.subscribe("me");
  realtime.start();
  await settle();
  Socket.all[0].frames(welcome);
  check("the socket", [Socket.all[0].address, Socket.all[0].sent, requests], ["wss://moothall.example.org/realtime", [{ op: "subscribe", id: 1, topic: "me" }], []]);
  Socket.all[0].lose(1006);
  await wake();
  check("the next socket", [Socket.all[1].address, requests], ["wss://moothall.example.org/realtime", []]);
  realtime.stop();
  realtime.start();
  await settle();
  Socket.all[2].lose(1006); // not accepted
  await wake();
  check("the end", [states.at(-1), Socket.all.length, requests], ["ended", 3, ["POST https://moothall.example.org/realtime/tickets undefined"]]);
}

// A network that drops everything without an error: during the handshake, then on a WebSocket, then on a stream.
async function silentNetwork(): Promise<void> {
  let tickets = 0;
  const never = new Promise<Response>(() => {}), comments: ReadableStreamDefaultController<Uint8Array>[] = [];
  const { realtime, shown, states } = client({
    "/realtime/tickets": () => tickets++ === 0 ? never : Response.json({ ticket: "t" }),
    "/realtime/stream": () => new Response(new ReadableStream({ start(controller) { comments.push(controller); } })),
  });
  realtime.subscribe(chat, "3");
  realtime.start();
  await settle();
  check("the wait for a ticket", silence?.delay, 8_000);
  silence!.run();
  check("after it", [silence, delays.length], [undefined, 1]);
  await wake();
  const [socket] = Socket.all;
  socket.frames(welcome, { op: "subscribed", id: 1, topic: chat, position: "3", latest: "3" }, message(4), caughtUp(4));
  const before = silence;
  socket.frames({ op: "ping" });
  check("a ping", [silence?.delay, silence === before, states.at(-1)], [75_000, false, "live"]);
  silence!.run();
  check("lost", [socket.readyState, states.at(-1), silence], [3, "connecting", undefined]);
  await wake();
  Socket.all[1].frames(welcome);
  check("the missing messages", Socket.all[1].sent.map((f) => f.after), ["4"]);
  Socket.all[1].frames(message(5));
  check("nothing is missing", shown, ["4", "5"]);

  for (const _ of [1, 2]) {
    Socket.all.at(-1)!.lose(1006);
    await wake();
  }
  check("the wait for a stream", [comments.length, silence?.delay], [1, 8_000]);
  const text = (line: string) => new TextEncoder().encode(line + "\n\n");
  comments[0].enqueue(text("data: " + JSON.stringify(welcome)));
  await settle();
  const welcomed = silence;
  comments[0].enqueue(text(":"));
  await settle();
  check("a comment", [silence?.delay, silence === welcomed], [75_000, false]);
  silence!.run();
  check("the stream is lost", states.at(-1), "connecting");
  realtime.stop();
  check("after the end", silence, undefined);
}

await completeness();
await fromNow();
await frameLimit();
await delaysAndEnds();
await refusals();
await fallback();
await cookie();
await silentNetwork();
