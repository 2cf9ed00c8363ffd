"""Reads messages with Python's email package, for a comparison. Paths come on standard input, a line each; answers are JSON lines."""

import email
import email.policy
import email.utils
import json
import sys
from datetime import timezone


def value_of(read):
    try:
        return read()
    except Exception as error:  # The package throws errors of many kinds for headers that are malformed.
        return f"!{type(error).__name__}"


def date_of(message):
    header = message["date"]
    if header is None:
        return None
    date = email.utils.parsedate_to_datetime(str(header))
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return date.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def sender_of(message):
    header = message["from"]
    if header is None:
        return ""
    addresses = getattr(header, "addresses", ())
    return addresses[0].addr_spec if addresses else email.utils.parseaddr(str(header))[1]


def files_of(message):
    files = []
    for part in message.walk():
        if part.is_multipart():
            continue
        name = value_of(part.get_filename)
        if name:
            content = value_of(lambda: part.get_payload(decode=True))
            files.append([name, len(content) if isinstance(content, bytes) else -1])
    return files


def text_of(message):
    body = message.get_body(preferencelist=("plain", "html"))
    return "" if body is None else body.get_content()


def read(path):
    with open(path, "rb") as file:
        message = email.message_from_binary_file(file, policy=email.policy.default)
    return {
        "subject": value_of(lambda: str(message["subject"] or "")),
        "sender": value_of(lambda: sender_of(message)),
        "date": value_of(lambda: date_of(message)),
        "files": value_of(lambda: files_of(message)),
        "text": value_of(lambda: text_of(message)),
    }


for line in sys.stdin:
    print(json.dumps(value_of(lambda: read(line.rstrip("\n")))), flush=True)
