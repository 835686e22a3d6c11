// A client of Moothall's realtime interface, for browsers and Node. It delivers every message of a
// chat once and in order. After a lost connection it resumes after the last message that it has.
// Each message names the position of the one before, so that the client finds gaps.
//
//   const realtime = new Realtime({ url: "https://moothall.example.org", token: () => accessToken });
//   realtime.onFrame = (frame) => { if (frame.op === "message") show(frame.message); };
//   realtime.onState = (state) => { banner.hidden = state !== "catching up"; };
//   realtime.subscribe(`chat:${eventId}`, lastPosition);
//   realtime.start();

/** A topic: "chat:" or "event:" with the id of an event, or "me". */
export type Topic = string;

/** The position of a message in its chat: microseconds since 1970, in digits. */
export type Position = string;

/** A frame from the server. api/asyncapi.yaml describes the members for each `op`. Ignore frames with an unknown `op`. */
export interface Frame {
  op: string;
  id?: number;
  topic?: Topic; // also of an error, if it ends a subscription
  position?: Position | null;
  prev?: Position;
  message?: unknown; // of message: EventChatMessage of the HTTP contract
  watching?: number; // users, of presence
  user_ids?: string[]; // of presence
  [member: string]: unknown;
}

/**
 * "connecting": no connection; the client connects, or waits to try again. "catching up": messages
 * of a chat are missing. "live": all messages are there. "ended": the session has ended; sign in
 * again. "replaced": the user has opened too many sockets. After the last two, the client does not
 * reconnect until start().
 */
export type State = "stopped" | "connecting" | "catching up" | "live" | "ended" | "replaced";

export interface Options {
  /** The base address of the API. */
  url: string;
  /** Returns a valid access token. refused is the latest one that the server has refused. Without a token, the client uses the cookie of the session. */
  token?: (refused?: string) => string | undefined | Promise<string | undefined>;
  /** WebSocket and fetch replace those of the platform. */
  WebSocket?: typeof WebSocket;
  fetch?: typeof fetch;
}

interface Subscription {
  id: number;
  last?: bigint; // position of the last message that the client has, for a chat
  behind: boolean; // messages of a chat are missing
  refusals: number; // since the server last accepted it
}

// A connection, by a WebSocket or by server-sent events, or the request for a ticket before it.
interface Connection {
  send?(frame: Record<string, unknown>): void; // only a WebSocket can send
  close(): void;
}

const minDelay = 500, maxDelay = 20_000, maxDelayOnStop = 10_000; // milliseconds
const handshakeTimeout = 8_000; // milliseconds until the first frame

// The server closes a socket from which it gets more than 120 frames in 10 seconds. Pongs count,
// too.
const maxFrames = 110, frameWindow = 10_000;

// The errors after which the client tries a subscription again.
const temporary = ["service_unavailable", "internal_error"];

export class Realtime {
  onFrame: (frame: Frame) => void = () => {};
  onState: (state: State) => void = () => {};

  private topics = new Map<Topic, Subscription>();
  private connection?: Connection; // accepted by the server
  private opening?: Connection; // not accepted yet
  private attempt = 0; // number of the latest attempt to connect
  private failures = 0; // since the server last accepted a connection
  private lastId = 0;
  private state: State = "stopped";
  private cookieFailed = false; // the latest handshake had only the cookie, and was not accepted
  private refused?: string; // the latest token that the server has refused
  private retry?: ReturnType<typeof setTimeout>;
  private maxSilence = handshakeTimeout; // milliseconds without data after which a connection counts as lost
  private silence?: ReturnType<typeof setTimeout>;

  constructor(private options: Options) {}

  /** Connects, and reconnects whenever the connection is lost, until stop. */
  start(): void {
    if (this.state !== "stopped" && this.state !== "ended" && this.state !== "replaced") return;
    this.failures = 0;
    this.cookieFailed = false;
    void this.connect();
  }

  stop(): void { this.end("stopped"); }

  /**
   * Subscribes until unsubscribe, or until a frame "revoked" or "error" with this topic. The server
   * refuses more than 100 topics with the error "rate_limited". after is the position of the last
   * message of a chat that the caller has. Without it, the server sends messages from now on.
   */
  subscribe(topic: Topic, after?: Position): void {
    const s: Subscription = { id: 0, last: after === undefined ? undefined : BigInt(after), behind: false, refusals: 0 };
    this.topics.set(topic, s);
    if (this.connection) this.ask(topic, s);
  }

  unsubscribe(topic: Topic): void {
    this.topics.delete(topic);
    this.connection?.send?.({ op: "unsubscribe", topic });
  }

  /** Marks the messages of a chat up to a position as read. Without a WebSocket, it does nothing. */
  markRead(topic: Topic, position: Position): void { this.connection?.send?.({ op: "read", topic, position }); }

  /** Tells the others in a chat that the user is typing. Call it at most every 3 seconds. Without a WebSocket, it does nothing. */
  typing(topic: Topic): void { this.connection?.send?.({ op: "typing", topic }); }

  private ask(topic: Topic, s: Subscription): void {
    s.id = ++this.lastId;
    s.behind = topic.startsWith("chat:");
    if (this.connection && !this.connection.send) this.lost(0); // a stream subscribes when it is opened
    this.connection?.send?.({ op: "subscribe", id: s.id, topic, ...(s.last === undefined ? {} : { after: String(s.last) }) });
  }

  private async connect(): Promise<void> {
    const attempt = ++this.attempt, abort = new AbortController();
    this.opening = { close: () => abort.abort() };
    this.maxSilence = handshakeTimeout;
    this.heard();
    this.setState("connecting");
    try {
      // For networks that block WebSockets: after two failures, every other attempt is a stream.
      if (this.failures >= 2 && this.failures % 2 === 0) await this.openStream(attempt, this.opening, abort.signal);
      else await this.openSocket(attempt, abort.signal);
    } catch {
      if (attempt === this.attempt) this.lost(0);
    }
  }

  private async request(path: string, init: RequestInit, token: string | undefined): Promise<Response> {
    const headers = { ...init.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    const get = this.options.fetch ?? fetch;
    const response = await get(this.options.url.replace(/\/$/, "") + path, { ...init, headers, credentials: token ? "omit" : "include" });
    if (response.status === 401 && (!token || token === this.refused)) this.end("ended");
    else if (response.status === 401) this.refused = token; // and try again with another one
    if (!response.ok) throw new Error(String(response.status));
    return response;
  }

  // openSocket makes a handshake with a ticket, because scripts cannot send the token with it. Without a token, the handshake has
  // the cookie. If that fails, the next one has a ticket: the request for it shows whether the session has ended.
  private async openSocket(attempt: number, signal: AbortSignal): Promise<void> {
    const token = await this.options.token?.(this.refused);
    const query = token || this.cookieFailed ? "?ticket=" + encodeURIComponent(await this.ticket(token, signal)) : "";
    this.cookieFailed = query === ""; // until the welcome
    if (attempt !== this.attempt) return;
    const address = this.options.url.replace(/^http/, "ws").replace(/\/$/, "") + "/realtime" + query;
    const socket = new (this.options.WebSocket ?? WebSocket)(address, ["moothall.v1"]);
    const connection: Connection = { send: paced(socket), close: () => socket.close() };
    this.opening = connection;
    socket.onmessage = (event) => { if (this.isCurrent(connection)) this.receive(connection, JSON.parse(event.data as string) as Frame); };
    socket.onclose = (event) => { if (this.isCurrent(connection)) this.lost(event.code); };
  }

  private async ticket(token: string | undefined, signal: AbortSignal): Promise<string> {
    const response = await this.request("/realtime/tickets", { method: "POST", signal }, token);
    return (await response.json() as { ticket: string }).ticket;
  }

  private async openStream(attempt: number, connection: Connection, signal: AbortSignal): Promise<void> {
    const query = new URLSearchParams();
    for (const [topic, { last }] of this.topics) {
      query.append("topic", topic);
      if (topic.startsWith("chat:")) query.append("after", String(last ?? ""));
    }
    const token = await this.options.token?.(this.refused);
    const response = await this.request("/realtime/stream?" + query, { headers: { Accept: "text/event-stream" }, signal }, token);
    const lost = () => { if (this.isCurrent(connection)) this.lost(0); };
    if (attempt === this.attempt) void this.readStream(connection, response).then(lost, lost);
  }

  private isCurrent(connection: Connection): boolean { return connection === this.opening || connection === this.connection; }

  private async readStream(connection: Connection, response: Response): Promise<void> {
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ;) {
      const { value, done } = await reader.read();
      if (done) return;
      if (this.isCurrent(connection)) this.heard();
      const events = (text + value).split("\n\n");
      text = events.pop()!;
      for (const event of events) {
        const data = event.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5)).join("\n");
        if (data && this.isCurrent(connection)) this.receive(connection, JSON.parse(data) as Frame);
      }
    }
  }

  private receive(connection: Connection, frame: Frame): void {
    if (frame.op === "welcome") {
      this.failures = 0;
      this.cookieFailed = false;
      this.maxSilence = 2500 * Number(frame.ping_seconds);
      this.opening = undefined;
      if (connection.send) this.connection = connection;
      for (const [topic, s] of this.topics) this.ask(topic, s);
      this.connection = connection;
    }
    this.heard();
    if (!this.accept(frame)) return;
    this.onFrame(frame);
    if (this.connection === connection) this.setState([...this.topics.values()].some((s) => s.behind) ? "catching up" : "live");
  }

  // accept reports whether the caller gets the frame. It drops a message that the client has already.
  // It also drops a message after a gap: the server sends it again, after the missing ones.
  private accept(frame: Frame): boolean {
    const topic = frame.topic ?? "", s = this.topics.get(topic);
    const position = BigInt(frame.position ?? 0);
    switch (frame.op) {
      case "ping":
        return false;
      case "changed": // may have been sent before unsubscribe
      case "waitlist_changed":
      case "presence":
      case "typing":
        return s !== undefined;
      case "subscribed":
        if (!s || (frame.id ?? s.id) !== s.id) break;
        s.last ??= position;
        s.refusals = 0;
        break;
      case "message":
      case "skip":
        if (!s || s.last === undefined || position <= s.last) return false;
        if (BigInt(frame.prev ?? 0) !== s.last) {
          if (!s.behind) this.ask(topic, s);
          return false;
        }
        s.last = position;
        break;
      case "caught_up":
        if (s && s.last !== undefined && position > s.last) this.ask(topic, s);
        else if (s) s.behind = false;
        break;
      case "revoked":
        this.topics.delete(topic);
        break;
      case "error":
        if (!s || (frame.id ?? s.id) !== s.id) break;
        if (!temporary.includes(String(frame.error))) this.topics.delete(topic);
        else {
          s.refusals++;
          this.lost(0);
        }
    }
    return true;
  }

  // heard restarts the timer that ends a silent connection. If a network drops a connection, scripts of web pages get no event.
  private heard(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lost(0), this.maxSilence);
  }

  // lost reconnects after a random delay, so that clients that were disconnected together do not
  // return together.
  private lost(code: number): void {
    if (this.state === "stopped" || this.state === "ended" || this.state === "replaced") return;
    if (code === 4401) return this.end("ended");
    if (code === 4409) return this.end("replaced");
    this.disconnect();
    const failures = Math.max(this.failures++, ...[...this.topics.values()].map((s) => s.refusals));
    const longest = code === 1001 ? maxDelayOnStop : Math.min(maxDelay, minDelay * 2 ** (failures + 1));
    const least = code === 1001 ? 0 : minDelay;
    this.setState("connecting");
    this.retry = setTimeout(() => void this.connect(), least + Math.random() * (longest - least));
  }

  private end(state: State): void {
    this.disconnect();
    this.setState(state);
  }

  private disconnect(): void {
    this.attempt++; // so that pending steps of the current attempt have no effect
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    const { connection, opening } = this;
    this.connection = this.opening = undefined;
    connection?.close();
    opening?.close();
  }

  private setState(state: State): void {
    if (state === this.state) return;
    this.state = state;
    this.onState(state);
  }
}

// paced returns a function that sends frames in order, at most maxFrames in any frameWindow.
function paced(socket: WebSocket): (frame: Record<string, unknown>) => void {
  const waiting: string[] = [], sent: number[] = []; // when the latest frames were sent
  const flush = (): void => {
    while (waiting.length > 0 && socket.readyState === 1) {
      const now = performance.now();
      if (sent.length === maxFrames && now < sent[0] + frameWindow) {
        setTimeout(flush, sent[0] + frameWindow - now);
        return;
      }
      if (sent.push(now) > maxFrames) sent.shift();
      socket.send(waiting.shift()!);
    }
  };
  return (frame) => { if (waiting.push(JSON.stringify(frame)) === 1) flush(); };
}
