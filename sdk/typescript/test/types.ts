// Compiles only if optional fields are optional and enums that may grow are strings.
import type { components } from "@moothall/client";

type Schemas = components["schemas"];
export const event: Schemas["CreateEventRequest"] = { title: "Tea", starts_at: "2026-12-05T16:00:00Z" };
export const entry: Schemas["CreateCalendarEntryRequest"] = { title: "Tea", starts_at: "2026-12-05T16:00:00Z" };
export const post: Schemas["CreateEventPostRequest"] = { body: "News" };
export const report: Schemas["UpdateReportStatusRequest"] = { status: "resolved" };
export const kind: Schemas["NotificationKind"] = "a kind of tomorrow";
export const error: Schemas["ApiError"] = { error: "a code of tomorrow" };
