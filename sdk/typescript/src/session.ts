import { readError } from "./error.js";
import { newKey, send } from "./retry.js";

/** The tokens of a session, as a sign-in returns them. They are secret. */
export interface Tokens {
  access_token: string;
  access_token_expires_at: string;
  refresh_token: string;
  /**
   * The Idempotency-Key of every refresh of the session; start makes one if it is missing. By it the service recognizes a refresh
   * that is repeated, or that another program with the same store has begun at the same moment.
   */
  refresh_key?: string;
}

/** Stores the tokens of a session, with all their fields. Several programs may share a store. */
export interface Store {
  /** The name of a store that several tabs share. Only one of them refreshes at a time. */
  readonly name?: string;
  load(): Tokens | undefined | Promise<Tokens | undefined>;
  /** Replaces the tokens; undefined deletes them. */
  save(tokens: Tokens | undefined): void | Promise<void>;
}

/** Returns a store that all tabs of a web site share, in its localStorage. */
export function localStore(name = "moothall"): Store {
  return {
    name,
    load: () => JSON.parse(localStorage.getItem(name) ?? "null") as Tokens | null ?? undefined,
    save: (tokens) => tokens ? localStorage.setItem(name, JSON.stringify(tokens)) : localStorage.removeItem(name),
  };
}

const refreshBefore = 30_000; // milliseconds before its expiry at which an access token is replaced
const settling = 100; // milliseconds for other tabs to get new tokens

/**
 * Holds the tokens of a signed-in user. It refreshes them once for all requests, and with a named store once for all tabs. All
 * programs that share the store refresh with the same key, because the service ends a session whose refresh token it gets twice
 * with different keys.
 */
export class Session {
  /** Called when the user signs in or out, also in another tab. */
  onChange: (signedIn: boolean) => void = () => {};

  private tokens?: Tokens;
  private loaded = false; // tokens are those of the store, or newer ones
  private loading?: Promise<void>;
  private skewed = false; // the clock of this machine is wrong: new tokens seemed to have expired
  private channel?: BroadcastChannel;
  private turn: Promise<unknown> = Promise.resolve(); // settles with the latest task of exclusive, if there are no Web Locks

  constructor(private url: string, private fetch: (request: Request) => Promise<Response>, private store?: Store) {
    if (!store?.name || !globalThis.BroadcastChannel) return;
    this.channel = new BroadcastChannel(store.name);
    this.channel.onmessage = ({ data }) => this.set(data as Tokens | null ?? undefined);
    (this.channel as { unref?(): void }).unref?.(); // it must not keep Node running
  }

  /** Begins a session with the tokens of a sign-in. */
  start(tokens: Tokens): Promise<void> {
    const { access_token, access_token_expires_at, refresh_token, refresh_key = newKey() } = tokens;
    return this.replace({ access_token, access_token_expires_at, refresh_token, refresh_key });
  }

  /** Ends the session, here and at the service. Without a session, it does nothing. */
  async end(): Promise<void> {
    await this.load();
    if (!this.tokens) return;
    const response = await this.post("/auth/logout", this.tokens, {});
    if (!response.ok) throw await readError(response);
    await this.replace(undefined);
  }

  /** Returns a valid access token, or undefined without a session. The session replaces a token that the service has refused. */
  async token(refused?: string): Promise<string | undefined> {
    await this.load();
    if (!this.tokens) return undefined;
    const { access_token } = this.tokens;
    if (access_token !== refused && (this.skewed || untilExpiry(this.tokens) > refreshBefore)) return access_token;
    return this.refresh(access_token);
  }

  /** Replaces an access token that was refused. Returns the new one, or undefined if the session has ended. */
  refresh(stale: string): Promise<string | undefined> {
    return this.exclusive(async () => {
      const stored = await this.store?.load();
      if (stored && stored.access_token !== stale) this.set(stored); // another tab has replaced it
      if (this.tokens?.access_token === stale) await this.rotate(this.tokens);
      return this.tokens?.access_token;
    });
  }

  // rotate exchanges the refresh token for new tokens. All attempts of all programs have the same key. 401 ends the session.
  private async rotate(old: Tokens): Promise<void> {
    const refresh_key = old.refresh_key ?? newKey();
    if (!old.refresh_key) { // a program has stored the tokens itself
      this.tokens = { ...old, refresh_key };
      await this.store?.save(this.tokens);
    }
    const response = await this.post("/auth/refresh", old, { "Idempotency-Key": refresh_key });
    const stored = await this.stored();
    if (this.tokens?.access_token !== old.access_token) return; // start or end has replaced the session
    if (stored && stored.access_token !== old.access_token) this.set(stored); // another program has replaced it
    else if (response.ok) await this.start({ ...await response.json() as Tokens, refresh_key });
    else if (response.status === 401) await this.replace(undefined);
    else throw await readError(response);
  }

  // stored reads the store again. If that fails, the response of a refresh must not be lost.
  private async stored(): Promise<Tokens | undefined> {
    try {
      return await this.store?.load();
    } catch {
      return undefined;
    }
  }

  private post(path: string, { refresh_token }: Tokens, headers: Record<string, string>): Promise<Response> {
    const request = new Request(this.url + path, {
      method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify({ refresh_token }), credentials: "omit",
    });
    return send(request, this.fetch, true);
  }

  // exclusive runs one task at a time in all tabs. Without Web Locks it runs one task at a time in this tab.
  private exclusive<T>(task: () => Promise<T>): Promise<T> {
    const locks = this.store?.name ? globalThis.navigator?.locks : undefined;
    if (!locks) {
      const result = this.turn.then(task);
      this.turn = result.catch(() => {});
      return result;
    }
    return new Promise((resolve, reject) => {
      locks.request(this.store!.name!, async () => {
        const before = this.tokens?.access_token;
        await task().then(resolve, reject);
        if (this.tokens?.access_token !== before) await new Promise((done) => setTimeout(done, settling));
      }).catch(reject); // the browser refuses locks
    });
  }

  // load reads the store until that succeeds. Tokens that arrive in the meantime win.
  private load(): Promise<void> {
    if (this.loaded) return Promise.resolve();
    return this.loading ??= this.read().finally(() => { this.loading = undefined; });
  }

  private async read(): Promise<void> {
    const stored = await this.store?.load();
    if (!this.loaded) this.set(stored);
  }

  private async replace(tokens: Tokens | undefined): Promise<void> {
    this.set(tokens);
    this.skewed = tokens !== undefined && untilExpiry(tokens) <= refreshBefore;
    await this.store?.save(tokens);
    this.channel?.postMessage(tokens ?? null);
  }

  private set(tokens: Tokens | undefined): void {
    const changed = !tokens !== !this.tokens;
    this.tokens = tokens;
    this.loaded = true;
    if (changed) this.onChange(tokens !== undefined);
  }
}

function untilExpiry(tokens: Tokens): number { return Date.parse(tokens.access_token_expires_at) - Date.now(); }
