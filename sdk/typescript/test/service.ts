// Reads a chat of a running service twice: over a WebSocket, then over server-sent events because
// each WebSocket fails. Each time it loses the connection once. Argument: address of the service.
import { Realtime, type Frame, type Options } from "@moothall/client/realtime";

declare const process: { argv: string[]; exit(code: number): never };

const url = process.argv[2];

async function post(path: string, token: string, body: object): Promise<any> {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function signIn(email: string): Promise<string> {
  const { dev_code: code } = await post("/auth/dev/start", "", { email });
  return (await post("/auth/dev/verify", "", { email, code })).access_token;
}

const organizer = await signIn("realtime-organizer@example.org"), guest = await signIn("realtime-guest@example.org");
const { event } = await post("/events", organizer, { title: "Chess", starts_at: new Date(Date.now() + 86_400_000).toISOString() });
await post(`/events/${event.id}/publish`, organizer, {});
await post(`/events/${event.id}/join`, guest, {});

// read lets a client read 40 messages, and cuts its connection after half of them.
async function read(transport: string, options: Partial<Options>, cut: () => void): Promise<void> {
  const shown: string[] = [], sent: string[] = [], refused: Frame[] = [];
  const realtime = new Realtime({ url, token: () => guest, ...options });
  const invisible = "chat:018f3b0a-5c1d-7000-8000-0000000000e1";
  await new Promise<void>((done) => {
    realtime.onState = (state) => { if (state === "live") done(); };
    realtime.onFrame = (frame) => { if (frame.op === "error") refused.push(frame); };
    realtime.subscribe(`chat:${event.id}`);
    realtime.subscribe("me");
    realtime.subscribe(invisible);
    realtime.start();
  });
  const all = new Promise<void>((done) => {
    realtime.onFrame = (frame) => { if (frame.op === "message" && shown.push((frame.message as { body: string }).body) === 40) done(); };
  });
  for (let i = 0; i < 40; i++) {
    sent.push(`${transport} ${i}`);
    await post(`/events/${event.id}/messages`, organizer, { body: sent[i] });
    if (i === 20) cut();
  }
  await all;
  realtime.stop();
  if (shown.join() !== sent.join()) throw new Error(`${transport}: ${shown}, want ${sent}`);
  if (refused.map((frame) => `${frame.topic} ${frame.error}`).join() !== `${invisible} not_found`) throw new Error(`${transport}: ${JSON.stringify(refused)}`);
}

const sockets: WebSocket[] = [];
class Recorded extends WebSocket {
  constructor(address: string, protocols: string[]) { super(address, protocols); sockets.push(this); }
}
await read("WebSocket", { WebSocket: Recorded as typeof WebSocket }, () => sockets[0].close());
if (sockets.length < 2) throw new Error(`${sockets.length} WebSockets`);

class Broken {
  onclose?: (event: { code: number }) => void;
  constructor() { setTimeout(() => this.onclose!({ code: 1006 })); }
  close(): void {}
}
const streams: AbortController[] = [];
const recorded = (address: string, init: RequestInit) => {
  const cut = new AbortController();
  if (address.includes("/realtime/stream")) streams.push(cut);
  return fetch(address, { ...init, signal: AbortSignal.any([cut.signal, ...(init.signal ? [init.signal] : [])]) });
};
await read("stream", { WebSocket: Broken as unknown as typeof WebSocket, fetch: recorded as typeof fetch }, () => streams.forEach((cut) => cut.abort()));
if (streams.length !== 2) throw new Error(`${streams.length} streams, want one before and one after the loss`);
process.exit(0);
