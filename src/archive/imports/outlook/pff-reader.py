"""Reads the items of an Outlook data file (PST, OST) with libpff and writes them to standard output as frames.

It runs in a process of its own, because libpff is written in C and the file comes from outside: `pff-process.ts` starts it.
Before the first byte of the file is parsed, the process gives up everything but reading that file and writing to its pipe: limits
of memory, time, open files and file sizes, and a seccomp filter that refuses every other system call (no network, no
other file, no program, no signal to another process).

Usage: pff-reader.py FILE FIRST_POSITION MAX_ITEM_BYTES MAX_MEMORY_BYTES MAX_CPU_SECONDS SHARE_CPU_SECONDS PROPERTY_ID[,PROPERTY_ID...]
    SET:NAME:PROPERTY_ID[,SET:NAME:PROPERTY_ID...]

The last argument gives named properties (NAME is a number or a text), whose identifiers differ between files, identifiers of the service.

A frame is one byte (its kind), four bytes (big endian, the length of the payload) and the payload:

  H  JSON    the file was opened: number of items, damage of its index, folders with a role, folders whose names cannot be read
  F  JSON    a folder: index, path, identifier; before its first item that is read
  I  JSON    an item begins: position in the file, identifier, folder
  P  binary  a property of the current object: its 32-bit tag (big endian) and its bytes
  R          a recipient begins in the current message
  A  JSON    an attachment begins in the current message: its kind (d data, i item, r reference)
  D  binary  a part of the current attachment's bytes
  M          an embedded message begins in the current attachment
  e          the current recipient, attachment or embedded message has ended
  X  JSON    the item could not be read, and why
  Z          the item has ended
  Q  JSON    the end: whether items are left for another process

The walk goes by folders from the root down, and by items within a folder in the order of their identifiers, as the index of nodes has
them (`pst_nodes.py`). The file is not changed, so a position names the same item in every process. libpff sees some hundred items at
a time; what it holds of them is freed with the view.
"""

import ctypes
import json
import os
import struct
import sys
import time
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_ssize_t, c_uint32, c_uint64, c_void_p

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from pst_nodes import ROOT_FOLDER, FileView, IndexDamaged, NodeIndex  # noqa: E402

sys.path.insert(0, os.path.join(sys.path[0], "../../../platform/confinement"))
from seccomp import NotConfined, allow_only, set_limits  # noqa: E402

# Exit codes that `pff-process.ts` knows.
NO_LIBRARY = 20
NOT_CONFINED = 21
NOT_OPENED = 22
UNREADABLE = 23

CHUNK = 256 * 1024
MAX_DEPTH = 100
MAX_FOLDERS = 100_000
# Items or folders in a view of the file. The time of libpff grows with their square; each view costs some hundred microseconds.
IN_VIEW = 256
MAX_EMBEDDED = 8
# Most folders that are reported as unreadable.
MAX_UNREAD = 1_000
# Most properties, recipients or attachments that are read of one object. Messages have some hundreds.
MAX_COUNT = 20_000
# Longest text that is the name of a property, in bytes: the names that are looked for are shorter.
MAX_NAME = 512
READ_ONLY = 1
FIRST_NAMED_PROPERTY = 0x8000
# Properties of the store that name folders: the top of the mailbox, and folders with a role (MS-OXOSFLD 2.2.3).
FOLDER_ROLES = {0x35E0: "top", 0x35E2: "outbox", 0x35E3: "trash", 0x35E4: "sent"}
# An entry identifier of a data file ends with the identifier of the node (MS-PST 2.4.3.2).
ENTRY_IDENTIFIER_BYTES = 24


class ItemTooLarge(Exception):
    pass


class PffError(Exception):
    pass


def fail(code, reason):
    sys.stderr.write(reason + "\n")
    sys.stderr.flush()
    os._exit(code)


def load(name):
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        fail(NO_LIBRARY, str(error))


def declare(library, name, *arguments, result=c_int):
    function = getattr(library, name)
    function.argtypes = list(arguments)
    function.restype = result
    return function


pff = load("libpff.so.1")
bfio = load("libbfio.so.1")

HANDLE = POINTER(c_void_p)
ERROR = POINTER(c_void_p)
BYTES = c_void_p

error_sprint = declare(pff, "libpff_error_sprint", c_void_p, c_char_p, c_size_t)
error_free = declare(pff, "libpff_error_free", ERROR, result=None)
file_initialize = declare(pff, "libpff_file_initialize", HANDLE, ERROR)
file_open_handle = declare(pff, "libpff_file_open_file_io_handle", c_void_p, c_void_p, c_int, ERROR)
file_close = declare(pff, "libpff_file_close", c_void_p, ERROR)
file_free = declare(pff, "libpff_file_free", HANDLE, ERROR)
file_item = declare(pff, "libpff_file_get_item_by_identifier", c_void_p, c_uint32, HANDLE, ERROR)
message_store = declare(pff, "libpff_file_get_message_store", c_void_p, HANDLE, ERROR)
item_free = declare(pff, "libpff_item_free", HANDLE, ERROR)
item_identifier = declare(pff, "libpff_item_get_identifier", c_void_p, POINTER(c_uint32), ERROR)
item_sets = declare(pff, "libpff_item_get_number_of_record_sets", c_void_p, POINTER(c_int), ERROR)
item_set = declare(pff, "libpff_item_get_record_set_by_index", c_void_p, c_int, HANDLE, ERROR)
set_free = declare(pff, "libpff_record_set_free", HANDLE, ERROR)
set_entries = declare(pff, "libpff_record_set_get_number_of_entries", c_void_p, POINTER(c_int), ERROR)
set_entry = declare(pff, "libpff_record_set_get_entry_by_index", c_void_p, c_int, HANDLE, ERROR)
entry_name = declare(pff, "libpff_record_entry_get_name_to_id_map_entry", c_void_p, HANDLE, ERROR)
name_set = declare(pff, "libpff_name_to_id_map_entry_get_guid", c_void_p, BYTES, c_size_t, ERROR)
name_number = declare(pff, "libpff_name_to_id_map_entry_get_number", c_void_p, POINTER(c_uint32), ERROR)
name_text_size = declare(pff, "libpff_name_to_id_map_entry_get_utf8_string_size", c_void_p, POINTER(c_size_t), ERROR)
name_text = declare(pff, "libpff_name_to_id_map_entry_get_utf8_string", c_void_p, BYTES, c_size_t, ERROR)
entry_free = declare(pff, "libpff_record_entry_free", HANDLE, ERROR)
entry_type = declare(pff, "libpff_record_entry_get_entry_type", c_void_p, POINTER(c_uint32), ERROR)
entry_value_type = declare(pff, "libpff_record_entry_get_value_type", c_void_p, POINTER(c_uint32), ERROR)
entry_size = declare(pff, "libpff_record_entry_get_data_size", c_void_p, POINTER(c_size_t), ERROR)
entry_data = declare(pff, "libpff_record_entry_get_data", c_void_p, BYTES, c_size_t, ERROR)
folder_name_size = declare(pff, "libpff_folder_get_utf8_name_size", c_void_p, POINTER(c_size_t), ERROR)
folder_name = declare(pff, "libpff_folder_get_utf8_name", c_void_p, BYTES, c_size_t, ERROR)
message_attachments = declare(pff, "libpff_message_get_number_of_attachments", c_void_p, POINTER(c_int), ERROR)
message_attachment = declare(pff, "libpff_message_get_attachment", c_void_p, c_int, HANDLE, ERROR)
message_recipients = declare(pff, "libpff_message_get_recipients", c_void_p, HANDLE, ERROR)
attachment_type = declare(pff, "libpff_attachment_get_type", c_void_p, POINTER(c_int), ERROR)
attachment_size = declare(pff, "libpff_attachment_get_data_size", c_void_p, POINTER(c_uint64), ERROR)
attachment_read = declare(
    pff, "libpff_attachment_data_read_buffer", c_void_p, BYTES, c_size_t, ERROR, result=c_ssize_t
)
attachment_item = declare(pff, "libpff_attachment_get_item", c_void_p, HANDLE, ERROR)


def call(function, *arguments):
    """Calls a function of libpff. Returns whether it found something; raises PffError."""
    error = c_void_p()
    result = function(*arguments, byref(error))
    if result < 0:
        text = ctypes.create_string_buffer(512)
        if error.value:
            error_sprint(error, text, 512)
            error_free(byref(error))
        raise PffError(text.value.decode("utf-8", "replace") or "the file is damaged")
    return result


class Handle:
    """A handle of libpff that is freed at the end of a `with` block."""

    def __init__(self, free):
        self.pointer = c_void_p()
        self.free = free

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pointer.value:
            error = c_void_p()
            self.free(byref(self.pointer), byref(error))
            if error.value:
                error_free(byref(error))

    @property
    def reference(self):
        return byref(self.pointer)

    def __bool__(self):
        return bool(self.pointer.value)


def number(function, handle, kind=c_int):
    value = kind()
    return value.value if call(function, handle.pointer, byref(value)) else 0


# --- confinement ---------------------------------------------------------------------------------------------------

# Reading, writing, memory, the end, and what the C library and Python ask of themselves; nothing that opens.
SYSTEM_CALLS = {
    "x86_64": [0, 1, 3, 5, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19, 20, 24, 25, 28, 39, 60, 96, 98, 131, 186, 202, 228, 230, 231, 318],
    "aarch64": [57, 62, 63, 64, 65, 66, 67, 80, 93, 94, 98, 113, 115, 124, 132, 134, 135, 139, 165, 169, 172, 178, 214, 215, 216, 222, 226, 233, 278],
}
MAX_OPEN_FILES = 16


def confine(max_memory, max_cpu):
    """Gives up everything but reading what is open and writing to the pipes."""
    try:
        set_limits(MAX_OPEN_FILES, max_cpu, address_space=max_memory)
        allow_only(SYSTEM_CALLS)
    except (NotConfined, OSError) as error:
        fail(NOT_CONFINED, str(error))


# --- frames --------------------------------------------------------------------------------------------------------


class Output:
    """Collects frames and writes them to standard output."""

    def __init__(self):
        self.buffer = bytearray()

    def frame(self, kind, payload=b""):
        self.buffer += struct.pack(">cI", kind, len(payload))
        self.buffer += payload
        if len(self.buffer) >= CHUNK:
            self.flush()

    def json(self, kind, value):
        self.frame(kind, json.dumps(value).encode("ascii"))

    def flush(self):
        view = memoryview(self.buffer)
        while len(view) > 0:
            view = view[os.write(1, view) :]
        self.buffer = bytearray()


# --- the walk ------------------------------------------------------------------------------------------------------


class Reader:
    def __init__(self, output, index, view, max_item_bytes, wanted, names):
        self.output = output
        self.index = index
        self.view = view
        self.max_item_bytes = max_item_bytes
        self.wanted = wanted
        self.names = names
        self.known = {}
        self.file = c_void_p()
        self.folders = []
        self.top = None

    def show(self, places):
        """Opens the file with these nodes of its index only."""
        self.close()
        self.view.show(*self.index.part(places, self.view.base))
        call(file_initialize, byref(self.file))
        call(file_open_handle, self.file, self.view.handle, READ_ONLY)

    def close(self):
        if self.file.value:
            error = c_void_p()
            for function, argument in ((file_close, self.file), (file_free, byref(self.file))):
                if function(argument, byref(error)) < 0 and error.value:
                    error_free(byref(error))
                    error = c_void_p()
            self.file = c_void_p()

    def survey(self):
        """Lists the folders with their names and their items."""
        if len(self.index.folders) > MAX_FOLDERS:
            raise PffError("the file has more than %d folders" % MAX_FOLDERS)
        self.show([])
        self.found_roles = self.roles()
        self.top = self.found_roles.get("top")
        ordered = self.index.ordered_folders()
        names = self.read_names([folder.identifier for folder in ordered if folder.identifier != 0])
        for folder in ordered:
            path, error = self.path_of(folder, names)
            entry = {"path": path, "items": folder.messages, "id": folder.identifier}
            if error:
                entry["error"] = error
            self.folders.append(entry)

    def read_names(self, identifiers):
        """The names of folders, and why those that are missing cannot be read."""
        names = {}
        for first in range(0, len(identifiers), IN_VIEW):
            some = identifiers[first : first + IN_VIEW]
            self.show([self.index.places[each] for each in some])
            for identifier in some:
                try:
                    with Handle(item_free) as folder:
                        if not call(file_item, self.file, identifier, folder.reference):
                            raise PffError("it cannot be found")
                        names[identifier] = (self.name_of(folder), None)
                except PffError as error:
                    names[identifier] = ("?", str(error))
        return names

    def path_of(self, folder, names):
        """Names of the folders from the one below the top of the mailbox on, which are no names of its folders."""
        path, current, error = [], folder, None
        while current and current.identifier not in (0, self.top, ROOT_FOLDER):
            name, why = names[current.identifier]
            path.insert(0, name)
            error = error or (why if current is folder else None)
            if len(path) > MAX_DEPTH:
                return path, "folders are nested more than %d deep" % MAX_DEPTH
            current = self.index.folders.get(current.parent)
        return path, error

    def roles(self):
        """Identifiers of the folders with a role. A store without them is no damage."""
        found = {}
        try:
            with Handle(item_free) as store:
                if call(message_store, self.file, store.reference):
                    self.read_roles(store, found)
        except PffError:
            pass
        return found

    def read_roles(self, store, found):
        for index in range(number(item_sets, store)):
            with Handle(set_free) as record_set:
                call(item_set, store.pointer, index, record_set.reference)
                for at in range(self.bounded(number(set_entries, record_set))):
                    with Handle(entry_free) as entry:
                        call(set_entry, record_set.pointer, at, entry.reference)
                        role = FOLDER_ROLES.get(number(entry_type, entry, c_uint32))
                        if role and number(entry_size, entry, c_size_t) == ENTRY_IDENTIFIER_BYTES:
                            data = ctypes.create_string_buffer(ENTRY_IDENTIFIER_BYTES)
                            call(entry_data, entry.pointer, data, ENTRY_IDENTIFIER_BYTES)
                            found[role] = struct.unpack("<I", data.raw[-4:])[0]

    def name_of(self, folder):
        size = number(folder_name_size, folder, c_size_t)
        if size <= 1 or size > 65536:
            return ""
        name = ctypes.create_string_buffer(size)
        call(folder_name, folder.pointer, name, size)
        return name.value.decode("utf-8", "replace")

    def read_from(self, first, until):
        """Writes the items from a position on. Returns whether items are left when the time is up."""
        position = 0
        for number_of_folder, folder in enumerate(self.folders):
            items = folder["items"]
            if len(items) > 0 and position + len(items) > first:
                self.output.json(b"F", {"index": number_of_folder, "path": folder["path"], "id": folder["id"]})
                skipped = max(0, first - position)
                for start in range(skipped, len(items), IN_VIEW):
                    if start > skipped and time.process_time() >= until:
                        return True
                    some = items[start : start + IN_VIEW]
                    self.show(some)
                    for at, place in enumerate(some):
                        self.read_item(self.index.identifier_of(place), number_of_folder, position + start + at)
                if time.process_time() >= until and position + len(items) < self.items:
                    return True
            position += len(items)
        return False

    @property
    def items(self):
        return sum(len(folder["items"]) for folder in self.folders)

    def read_item(self, identifier, number_of_folder, position):
        output = self.output
        self.item_bytes = 0
        with Handle(item_free) as message:
            output.json(b"I", {"position": position, "folder": number_of_folder, "id": identifier})
            # What is being read must be known if this process is ended by it.
            output.flush()
            try:
                if not call(file_item, self.file, identifier, message.reference):
                    raise PffError("it cannot be found")
                self.read_message(message, 0)
            except ItemTooLarge:
                output.json(b"X", {"code": "too-large", "reason": "it is larger than %d bytes" % self.max_item_bytes})
            except (PffError, MemoryError) as error:
                output.json(b"X", {"code": "unreadable", "reason": str(error) or "it needs too much memory"})
            output.frame(b"Z")

    def read_message(self, message, depth):
        self.read_properties(message)
        with Handle(item_free) as recipients:
            if call(message_recipients, message.pointer, recipients.reference):
                self.read_recipients(recipients)
        for index in range(self.bounded(number(message_attachments, message))):
            with Handle(item_free) as attachment:
                call(message_attachment, message.pointer, index, attachment.reference)
                self.read_attachment(attachment, depth)

    def bounded(self, count):
        if count > MAX_COUNT:
            raise PffError("it has %d parts of one kind" % count)
        return count

    def read_properties(self, item):
        for index in range(self.bounded(number(item_sets, item))):
            with Handle(set_free) as record_set:
                if call(item_set, item.pointer, index, record_set.reference):
                    self.read_set(record_set)

    def read_recipients(self, recipients):
        for index in range(self.bounded(number(item_sets, recipients))):
            with Handle(set_free) as record_set:
                if call(item_set, recipients.pointer, index, record_set.reference):
                    self.output.frame(b"R")
                    self.read_set(record_set)
                    self.output.frame(b"e")

    def read_set(self, record_set):
        for index in range(self.bounded(number(set_entries, record_set))):
            with Handle(entry_free) as entry:
                if not call(set_entry, record_set.pointer, index, entry.reference):
                    continue
                identifier = number(entry_type, entry, c_uint32)
                if identifier >= FIRST_NAMED_PROPERTY:
                    identifier = self.identifier_of_name(identifier, entry)
                elif identifier not in self.wanted:
                    continue
                if identifier is None:
                    continue
                tag = (identifier << 16) | (number(entry_value_type, entry, c_uint32) & 0xFFFF)
                size = number(entry_size, entry, c_size_t)
                self.count(size)
                data = ctypes.create_string_buffer(max(1, size))
                if size > 0:
                    call(entry_data, entry.pointer, data, size)
                self.output.frame(b"P", struct.pack(">I", tag) + data.raw[:size])

    def identifier_of_name(self, identifier, entry):
        """The service's identifier of a named property; None: it is not read. Names hold for the whole file."""
        if identifier not in self.known:
            # The name belongs to the file and is not freed.
            name, of_set = c_void_p(), ctypes.create_string_buffer(16)
            known = None
            try:
                if call(entry_name, entry.pointer, byref(name)) and name.value and call(name_set, name, of_set, 16):
                    known = self.names.get((of_set.raw.hex(), self.name_in_set(name)))
            except PffError:
                # The name is damaged.
                pass
            self.known[identifier] = known
        return self.known[identifier]

    def name_in_set(self, name):
        """The number or the text that is the name of a property."""
        value, size = c_uint32(), c_size_t()
        try:
            if call(name_number, name, byref(value)):
                return value.value
        except PffError:
            # It has a text for a name.
            pass
        if not call(name_text_size, name, byref(size)) or size.value > MAX_NAME:
            return None
        text = ctypes.create_string_buffer(max(1, size.value))
        call(name_text, name, text, size.value)
        return text.value.decode("utf-8", "replace")

    def read_attachment(self, attachment, depth):
        kind = chr(number(attachment_type, attachment) or ord("?"))
        self.output.json(b"A", {"kind": kind})
        self.read_properties(attachment)
        if kind == "d":
            self.read_data(attachment)
        elif kind == "i" and depth < MAX_EMBEDDED:
            with Handle(item_free) as embedded:
                if call(attachment_item, attachment.pointer, embedded.reference):
                    self.output.frame(b"M")
                    self.read_message(embedded, depth + 1)
                    self.output.frame(b"e")
        self.output.frame(b"e")

    def read_data(self, attachment):
        left = number(attachment_size, attachment, c_uint64)
        self.count(left)
        buffer = ctypes.create_string_buffer(CHUNK)
        while left > 0:
            read = call(attachment_read, attachment.pointer, buffer, min(CHUNK, left))
            if read == 0:
                raise PffError("the bytes of an attachment end %d early" % left)
            self.output.frame(b"D", buffer.raw[:read])
            left -= read

    def count(self, size):
        self.item_bytes += size
        if self.item_bytes > self.max_item_bytes:
            raise ItemTooLarge()


def main():
    path, first, max_item_bytes, max_memory, max_cpu, share, wanted, names = sys.argv[1:]
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError as error:
        fail(NOT_OPENED, str(error))
    index, view = NodeIndex(descriptor), FileView(descriptor, bfio)
    os.nice(10)
    confine(int(max_memory), int(max_cpu))
    output = Output()
    named = {
        (of_set, int(in_set) if in_set.isdigit() else in_set): int(identifier)
        for of_set, in_set, identifier in (name.split(":") for name in names.split(","))
    }
    reader = Reader(output, index, view, int(max_item_bytes), {int(identifier) for identifier in wanted.split(",")}, named)
    try:
        index.survey()
        reader.survey()
        unread = [{"path": each["path"], "reason": each["error"]} for each in reader.folders if "error" in each]
        if reader.items == 0 and index.damage is not None:
            raise PffError(index.damage)
        output.json(b"H", {"items": reader.items, "damage": index.damage, "roles": reader.found_roles, "unread": unread[:MAX_UNREAD]})
        # Memory that libpff may not have freed is given back by a new process.
        is_more = reader.read_from(int(first), time.process_time() + float(share))
    except (PffError, IndexDamaged, MemoryError) as error:
        output.flush()
        fail(UNREADABLE, str(error) or "the file needs too much memory")
    output.json(b"Q", {"more": is_more})
    output.flush()
    os._exit(0)


main()
