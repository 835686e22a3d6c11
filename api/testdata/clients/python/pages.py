"""Reads all events of an organizer in pages of 7. Arguments: address of the server, user id."""
import importlib
import inspect
import pkgutil
import sys
from uuid import UUID

import client
from client.api.events import list_events
from client.api.images import proxy_image
from client.types import UNSET, File

# Every generated module can be imported.
for module in pkgutil.walk_packages(client.__path__, "client."):
    importlib.import_module(module.name)

images = inspect.signature(proxy_image.sync).return_annotation
assert File.__name__ in str(images), f"images are {images}, want File"

ids, cursor = [], UNSET
server = client.Client(sys.argv[1])
while len(ids) <= 30:
    page = list_events.sync(client=server, organizer_id=UUID(sys.argv[2]), limit=7, cursor=cursor)
    ids += [item.event.id for item in page.items]
    cursor = page.next_cursor
    if cursor is None:
        break
assert len(ids) == len(set(ids)) == 30, f"{len(ids)} events, {len(set(ids))} different, want 30"
