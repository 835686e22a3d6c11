# Reads a JSON array of iCalendar objects from standard input and writes what icalendar understands.
import json
import sys

from icalendar import Calendar

parsed = []
for text in json.load(sys.stdin):
    calendar = Calendar.from_ical(text)
    events = calendar.walk("VEVENT")
    event = events[0]
    attendees = event.get("ATTENDEE", [])
    if not isinstance(attendees, list):
        attendees = [attendees]
    parsed.append({
        "Method": str(calendar["METHOD"]),
        "Summary": str(event["SUMMARY"]),
        "Location": str(event["LOCATION"]),
        "Start": event["DTSTART"].dt.isoformat(),
        "UID": str(event["UID"]),
        "Sequence": int(event["SEQUENCE"]),
        "Events": len(events),
        "Attendees": [str(a) for a in attendees],
        "Errors": [str(e) for c in [calendar, event] for e in c.errors],
    })
json.dump(parsed, sys.stdout)
