"""Reads a mailbox by IMAP: prints what Python understands of each mail, as JSON.

The first argument is the port, the second the user, the third the DNS record of the DKIM key.
"""

import email
import email.policy
import imaplib
import json
import sys

import dkim

port, user, record = int(sys.argv[1]), sys.argv[2], sys.argv[3]


def defects(part):
    found = [str(d) for d in part.defects]
    for value in part.values():
        found += [str(d) for d in value.defects]
    for inner in part.iter_parts() if part.is_multipart() else []:
        found += defects(inner)
    return found


def content(message, kind):
    part = message.get_body((kind,))
    return part.get_content() if part else ""


box = imaplib.IMAP4("127.0.0.1", port, timeout=30)
box.login(user, "secret")
box.select("INBOX", readonly=True)
mails = []
for number in box.search(None, "ALL")[1][0].split():
    source = box.fetch(number, "(RFC822)")[1][0][1]
    m = email.message_from_bytes(source, policy=email.policy.default)
    mails.append(
        {
            "subject": m["Subject"].lstrip(),  # some versions keep the space of a fold before the first word
            "to": m["To"],
            "id": m["Message-ID"],
            "return_path": m["Return-Path"],
            "headers": m.keys(),
            "text": content(m, "plain"),
            "html": content(m, "html"),
            "defects": defects(m),
            "signed": dkim.verify(source, dnsfunc=lambda name, timeout=5: record.encode()),
        }
    )
box.logout()
print(json.dumps(mails))
