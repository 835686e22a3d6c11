// Reads rules as lines of JSON, and writes the local times of their first dates, as ical.js finds them. It ignores UNTIL, a moment, because
// ical.js knows no zones.
import {readFileSync} from "node:fs";
import ICAL from "ical.js";

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const {rule, start, n} = JSON.parse(line);
  const iterator = ICAL.Recur.fromString(rule.replace(/;UNTIL=\w+/, "")).iterator(ICAL.Time.fromDateTimeString(start));
  const dates = [];
  for (let next = iterator.next(); next && next.year < 2099 && dates.length < n; next = iterator.next()) {
    dates.push(next.toString());
  }
  console.log(JSON.stringify(dates));
}
