// Reads calendars as lines of JSON strings, and writes their content lines as ical.js reads them: the path of numbered components, the name,
// the parameters with their first values, and the value. Without its knowledge of properties, ical.js leaves values as they are.
import {readFileSync} from "node:fs";
import ICAL from "ical.js";

const design = ICAL.design.defaultSet;
design.property = {};
design.param = {};
design.value = {};

function lines([name, properties, components], path, number) {
  const here = `${path}${name}#${number}`;
  const own = properties.map(([property, parameters, type, ...values]) => {
    const named = Object.entries(parameters).map(([key, value]) => `${key}=${Array.isArray(value) ? value[0] : value}`).sort();
    if (type !== "unknown") named.push(`value=${type}`);
    return [here, property, named.sort().join(";"), values.join(",")];
  });
  return [...own, ...components.flatMap((one, i) => lines(one, `${here}/`, i))];
}

for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  console.log(JSON.stringify(lines(ICAL.parse(JSON.parse(line)), "", 0)));
}
