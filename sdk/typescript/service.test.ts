// Reads 40 messages of a chat of a running service, and loses the connection in between. Argument:
// address of the service.
import { Realtime } from "./realtime.js";

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

const sockets: WebSocket[] = [];
class Recorded extends WebSocket {
  constructor(address: string, protocols: string[]) { super(address, protocols); sockets.push(this); }
}
const shown: string[] = [], sent: string[] = [];
const realtime = new Realtime({ url, token: () => guest, WebSocket: Recorded as typeof WebSocket });
await new Promise<void>((done) => {
  realtime.onState = (state) => { if (state === "live") done(); };
  realtime.subscribe(`chat:${event.id}`, "0");
  realtime.start();
});
const all = new Promise<void>((done) => {
  realtime.onFrame = (frame) => { if (frame.op === "message" && shown.push((frame.message as { body: string }).body) === 40) done(); };
});
for (let i = 0; i < 40; i++) {
  sent.push(`message ${i}`);
  await post(`/events/${event.id}/messages`, organizer, { body: sent[i] });
  if (i === 20) sockets[0].close();
}
await all;
realtime.stop();
if (shown.join() !== sent.join() || sockets.length < 2) throw new Error(`${sockets.length} sockets: ${shown}, want ${sent}`);
process.exit(0);
