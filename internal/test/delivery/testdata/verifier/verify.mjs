// Reads messages as JSON [{secret, body, headers}], prints for each "ok" or why it is refused.
import { Webhook } from "standardwebhooks";
import { readFileSync } from "node:fs";

const results = JSON.parse(readFileSync(0, "utf8")).map(({ secret, body, headers }) => {
  try {
    new Webhook(secret).verify(body, headers);
    return "ok";
  } catch (error) {
    return String(error.message);
  }
});
console.log(JSON.stringify(results));
