// Reads {"calendar": iCalendar text, "zones": {uid: IANA zone}} and writes what
// two independent parsers find in it, each as a list of events. Wall clocks are
// those of ICU's time zones, which know nothing of Go's.
import fs from 'node:fs';
import ICAL from 'ical.js';
import nodeIcal from 'node-ical';

const { calendar, zones } = JSON.parse(fs.readFileSync(0, 'utf8'));

const wall = (date, zone) => zone && new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(date);
const day = (date) => date.toISOString().slice(0, 10); // TZ is UTC
const iso = (date) => date && date.toISOString();
const plain = (value) => (value && typeof value === 'object' && 'val' in value ? value.val : value ?? null);

const times = (uid, start, end, allDay) => ({
  all_day: allDay,
  start: allDay ? day(start) : iso(start),
  end: end ? (allDay ? day(end) : iso(end)) : null,
  wall: allDay ? null : wall(start, zones?.[uid]) ?? null,
});

const byIcalJs = () => {
  const root = new ICAL.Component(ICAL.parse(calendar));
  return root.getAllSubcomponents('vevent').map((component) => {
    const text = (name) => component.getFirstPropertyValue(name);
    const start = text('dtstart');
    const end = text('dtend');
    return {
      uid: text('uid'), sequence: Number(text('sequence')), status: text('status'), summary: text('summary'),
      description: text('description'), location: text('location'), url: text('url'), category: text('categories'),
      geo: text('geo'), stamp: iso(text('dtstamp').toJSDate()), modified: iso(text('last-modified').toJSDate()),
      ...times(text('uid'), start.toJSDate(), end && end.toJSDate(), start.isDate),
    };
  });
};

const byNodeIcal = () => Object.values(nodeIcal.sync.parseICS(calendar)).filter((item) => item.type === 'VEVENT').map((event) => ({
  uid: event.uid, sequence: Number(event.sequence), status: event.status, summary: plain(event.summary),
  description: plain(event.description), location: plain(event.location), url: plain(event.url), category: event.categories?.join(',') ?? null,
  geo: event.geo ? [event.geo.lat, event.geo.lon] : null, stamp: iso(event.dtstamp), modified: iso(event.lastmodified),
  ...times(event.uid, event.start, /^DTEND/m.test(calendar) ? event.end : null, event.datetype === 'date'),
}));

process.stdout.write(JSON.stringify({ 'ical.js': byIcalJs(), 'node-ical': byNodeIcal() }));
