import type { components } from "./contract.js";
import type { ErrorCode, ForbiddenReason } from "./tables.js";

/** An error response. Branch on the status first, then on the code. Failures of the network are other errors. */
export class MoothallError extends Error {
  override name = "MoothallError";

  constructor(
    readonly status: number,
    /** Undefined for 304, or if another server answered, such as a proxy. */
    readonly code: ErrorCode | (string & {}) | undefined,
    /** Of 403. */
    readonly reason: ForbiddenReason | (string & {}) | undefined,
    /** For developers. */
    readonly detail: string | undefined,
    /** Of 400: what is wrong with the request. */
    readonly fields: components["schemas"]["ProblemField"][],
    /** Identifies the request in the log of the service. */
    readonly requestId: string | undefined,
    /** Of 429 and 503, in seconds. */
    readonly retryAfter: number | undefined,
  ) {
    super(`${status}${code ? ` ${code}` : ""}${reason ? ` (${reason})` : ""}${detail ? `: ${detail}` : ""}` +
      fields.map((f) => `; ${f.pointer} ${f.detail}`).join("") + (requestId ? `, request ${requestId}` : ""));
  }
}

/** Reads the error of a response. */
export async function readError(response: Response): Promise<MoothallError> {
  const { error, reason, detail, errors } = await readProblem(response);
  return new MoothallError(response.status, error, reason, detail, errors ?? [], response.headers.get("X-Request-Id") ?? undefined, retryAfter(response));
}

/** Reads the body of an error response. It is empty if another server answered, such as a proxy. */
export async function readProblem(response: Response): Promise<Partial<components["schemas"]["Problem"]>> {
  const problem = await response.clone().json().catch(() => undefined) as components["schemas"]["Problem"] | null | undefined;
  return typeof problem?.error === "string" ? problem : {};
}

/** Returns the Retry-After of a response in seconds. From some proxies it is a date. */
export function retryAfter(response: Response): number | undefined {
  const value = response.headers.get("Retry-After") ?? "";
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
