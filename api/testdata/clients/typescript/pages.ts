// Reads all events of an organizer in pages of 7. Arguments: address of the server, user id.
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { argv: string[] };

const [baseUrl, organizer_id] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl });
const ids: string[] = [];
let cursor: string | undefined;
do {
  const { data, error } = await client.GET("/events", { params: { query: { organizer_id, limit: 7, cursor } } });
  if (!data) throw new Error(JSON.stringify(error));
  ids.push(...data.items.map((item) => item.event.id));
  cursor = data.next_cursor ?? undefined;
} while (cursor && ids.length <= 30);
if (ids.length !== 30 || new Set(ids).size !== 30) {
  throw new Error(`${ids.length} events, ${new Set(ids).size} different, want 30`);
}
