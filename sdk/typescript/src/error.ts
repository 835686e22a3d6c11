import type { components } from "./contract.js";
import type { ErrorCode, ForbiddenReason } from "./tables.js";

/** A response that is not a success. Branch on the status first, then on the code. A failure of the network is another error. */
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
    super(`${status} ${code ?? ""}${reason ? ` (${reason})` : ""}${fields.map((f) => `; ${f.pointer} ${f.detail}`).join("")}, request ${requestId}`);
  }
}

/** Reads the error of a response. */
export async function readError(response: Response): Promise<MoothallError> {
  const problem = await response.clone().json().catch(() => undefined) as Partial<components["schemas"]["Problem"]> | undefined;
  return new MoothallError(response.status, problem?.error, problem?.reason, problem?.detail, problem?.errors ?? [],
    response.headers.get("X-Request-Id") ?? undefined, retryAfter(response));
}

/** Returns the Retry-After of a response in seconds. */
export function retryAfter(response: Response): number | undefined {
  const seconds = response.headers.get("Retry-After");
  return seconds && /^\d+$/.test(seconds) ? Number(seconds) : undefined;
}
