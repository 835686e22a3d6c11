export { createClient, type Client, type Method, type Options } from "./client.js";
export { MoothallError } from "./error.js";
export { localStore, type Session, type Store, type Tokens } from "./session.js";
export type { ErrorCode, ForbiddenReason } from "./tables.js";
export type { components, operations, paths } from "./contract.js";
