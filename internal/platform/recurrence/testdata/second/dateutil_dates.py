"""Reads rules as lines of JSON, and writes the moments of their first dates, as dateutil and zoneinfo find them."""
import itertools
import json
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

for line in sys.stdin:
    case = json.loads(line)
    start = datetime.fromisoformat(case["start"]).replace(tzinfo=ZoneInfo(case["zone"]))
    dates = itertools.islice(rrulestr(case["rule"], dtstart=start), case["n"])
    moments = [d.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ") for d in dates if d.year < 2099]
    print(json.dumps(moments))
