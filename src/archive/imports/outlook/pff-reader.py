"""Reads the items of an Outlook data file (PST, OST) with libpff and writes them to standard output as frames.

It runs in a process of its own, because libpff is written in C and the file comes from outside: `pff-process.ts` starts it.
Before the first byte of the file is parsed, the process gives up everything but reading that file and writing to its pipe: limits
of memory, time, open files and file sizes, and a seccomp filter that refuses every other system call (no network, no
other file, no program, no signal to another process).

Usage: pff-reader.py FILE FIRST_POSITION MAX_ITEM_BYTES MAX_MEMORY_BYTES MAX_CPU_SECONDS SHARE_CPU_SECONDS PROPERTY_ID[,PROPERTY_ID...]

A frame is one byte (its kind), four bytes (big endian, the length of the payload) and the payload:

  N  JSON    the number of messages in the index of nodes, before libpff opens the file; null: the index is damaged
  H  JSON    the file was opened: number of items in its folders, number of those that are in none, damage of its index,
             folders with a role, folders that cannot be read
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

The walk goes by folders in the order of the file, and by items within a folder in the order of its table. The file is not
changed, so a position names the same item in every process.
"""

import ctypes
import json
import os
import resource
import struct
import sys
import time
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_ssize_t, c_uint8, c_uint32, c_uint64, c_void_p

# Exit codes that `pff-process.ts` knows.
NO_LIBRARY = 20
NOT_CONFINED = 21
NOT_OPENED = 22
UNREADABLE = 23

CHUNK = 256 * 1024
MAX_DEPTH = 100
MAX_FOLDERS = 100_000
MAX_EMBEDDED = 8
# Most folders that are reported as unreadable.
MAX_UNREAD = 1_000
# Most properties, recipients or attachments that are read of one object. Messages have some hundreds.
MAX_COUNT = 20_000
READ_ONLY = 1
TYPE_SEARCH_FOLDER = 0x03
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
message_store = declare(pff, "libpff_file_get_message_store", c_void_p, HANDLE, ERROR)
root_folder = declare(pff, "libpff_file_get_root_folder", c_void_p, HANDLE, ERROR)
item_free = declare(pff, "libpff_item_free", HANDLE, ERROR)
item_identifier = declare(pff, "libpff_item_get_identifier", c_void_p, POINTER(c_uint32), ERROR)
item_sets = declare(pff, "libpff_item_get_number_of_record_sets", c_void_p, POINTER(c_int), ERROR)
item_set = declare(pff, "libpff_item_get_record_set_by_index", c_void_p, c_int, HANDLE, ERROR)
set_free = declare(pff, "libpff_record_set_free", HANDLE, ERROR)
set_entries = declare(pff, "libpff_record_set_get_number_of_entries", c_void_p, POINTER(c_int), ERROR)
set_entry = declare(pff, "libpff_record_set_get_entry_by_index", c_void_p, c_int, HANDLE, ERROR)
entry_free = declare(pff, "libpff_record_entry_free", HANDLE, ERROR)
entry_type = declare(pff, "libpff_record_entry_get_entry_type", c_void_p, POINTER(c_uint32), ERROR)
entry_value_type = declare(pff, "libpff_record_entry_get_value_type", c_void_p, POINTER(c_uint32), ERROR)
entry_size = declare(pff, "libpff_record_entry_get_data_size", c_void_p, POINTER(c_size_t), ERROR)
entry_data = declare(pff, "libpff_record_entry_get_data", c_void_p, BYTES, c_size_t, ERROR)
folder_name_size = declare(pff, "libpff_folder_get_utf8_name_size", c_void_p, POINTER(c_size_t), ERROR)
folder_name = declare(pff, "libpff_folder_get_utf8_name", c_void_p, BYTES, c_size_t, ERROR)
folder_folders = declare(pff, "libpff_folder_get_number_of_sub_folders", c_void_p, POINTER(c_int), ERROR)
folder_folder = declare(pff, "libpff_folder_get_sub_folder", c_void_p, c_int, HANDLE, ERROR)
folder_messages = declare(pff, "libpff_folder_get_number_of_sub_messages", c_void_p, POINTER(c_int), ERROR)
folder_message = declare(pff, "libpff_folder_get_sub_message", c_void_p, c_int, HANDLE, ERROR)
message_attachments = declare(pff, "libpff_message_get_number_of_attachments", c_void_p, POINTER(c_int), ERROR)
message_attachment = declare(pff, "libpff_message_get_attachment", c_void_p, c_int, HANDLE, ERROR)
message_recipients = declare(pff, "libpff_message_get_recipients", c_void_p, HANDLE, ERROR)
attachment_type = declare(pff, "libpff_attachment_get_type", c_void_p, POINTER(c_int), ERROR)
attachment_size = declare(pff, "libpff_attachment_get_data_size", c_void_p, POINTER(c_uint64), ERROR)
attachment_read = declare(
    pff, "libpff_attachment_data_read_buffer", c_void_p, BYTES, c_size_t, ERROR, result=c_ssize_t
)
attachment_item = declare(pff, "libpff_attachment_get_item", c_void_p, HANDLE, ERROR)
handle_initialize = declare(bfio, "libbfio_file_initialize", HANDLE, ERROR)
handle_set_name = declare(bfio, "libbfio_file_set_name", c_void_p, c_char_p, c_size_t, ERROR)
handle_open = declare(bfio, "libbfio_handle_open", c_void_p, c_int, ERROR)


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

AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# Reading, writing, memory, the end, and what the C library and Python ask of themselves; nothing that opens.
SYSTEM_CALLS = {
    "x86_64": [0, 1, 3, 5, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19, 20, 24, 25, 28, 39, 60, 96, 98, 131, 186, 202, 228, 230, 231, 318],
    "aarch64": [57, 62, 63, 64, 65, 66, 67, 80, 93, 94, 98, 113, 115, 124, 132, 134, 135, 139, 165, 169, 172, 178, 214, 215, 216, 222, 226, 233, 278],
}
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ALLOW = 0x7FFF0000
SECCOMP_RET_ERRNO_EPERM = 0x00050000 | 1
SECCOMP_RET_KILL_PROCESS = 0x80000000


class SockFilter(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("jt", c_uint8), ("jf", c_uint8), ("k", c_uint32)]


class SockProgram(ctypes.Structure):
    _fields_ = [("len", ctypes.c_uint16), ("filter", POINTER(SockFilter))]


def confine(max_memory, max_cpu):
    """Gives up everything but reading what is open and writing to the pipes. See seccomp(2)."""
    for limit, value in (
        (resource.RLIMIT_AS, max_memory),
        (resource.RLIMIT_CPU, max_cpu),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 16),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    machine = os.uname().machine
    calls = SYSTEM_CALLS.get(machine)
    if calls is None:
        fail(NOT_CONFINED, "no list of system calls for a processor of the kind " + machine)
    load_word, jump_equal, give = 0x20, 0x15, 0x06
    program = [
        SockFilter(load_word, 0, 0, 4),
        SockFilter(jump_equal, 1, 0, AUDIT_ARCHITECTURES[machine]),
        SockFilter(give, 0, 0, SECCOMP_RET_KILL_PROCESS),
        SockFilter(load_word, 0, 0, 0),
    ]
    for index, system_call in enumerate(calls):
        program.append(SockFilter(jump_equal, len(calls) - index, 0, system_call))
    program.append(SockFilter(give, 0, 0, SECCOMP_RET_ERRNO_EPERM))
    program.append(SockFilter(give, 0, 0, SECCOMP_RET_ALLOW))
    filters = (SockFilter * len(program))(*program)
    description = SockProgram(len(program), filters)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        fail(NOT_CONFINED, "prctl(PR_SET_NO_NEW_PRIVS): " + os.strerror(ctypes.get_errno()))
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(description), 0, 0) != 0:
        fail(NOT_CONFINED, "prctl(PR_SET_SECCOMP): " + os.strerror(ctypes.get_errno()))


# --- the index of nodes ------------------------------------------------------------------------------------------------


class NodeIndex:
    """Counts the messages of a data file by its B-tree of nodes (MS-PST 2.2.2.7.7), without libpff.

    libpff passes over folders and tables that are damaged as if they were empty. The tree tells how many messages there
    must be. The version with pages of 4 KiB is not in the specification; it is described with libpff.
    """

    MESSAGE = 0x04
    NODE_PAGE = 0x81
    MAX_LEVEL = 8

    def __init__(self, descriptor):
        self.descriptor, self.size = descriptor, os.fstat(descriptor).st_size

    def read(self, length, at):
        data = os.pread(self.descriptor, length, at) if 0 <= at < self.size else b""
        if len(data) < length or at + length > self.size:
            raise PffError("the file ends too early")
        return data

    def count_messages(self):
        """Returns the number of messages; raises PffError where the tree is damaged."""
        header = self.read(564, 0)
        version = struct.unpack_from("<H", header, 10)[0]
        self.is_ansi, self.page = version <= 15, 4096 if version >= 36 else 512
        wide = "<I" if self.is_ansi else "<Q"
        if struct.unpack_from(wide, header, 168 if self.is_ansi else 184)[0] > self.size:
            raise PffError("the file ends too early")
        root = struct.unpack_from(wide, header, 188 if self.is_ansi else 224)[0]
        count, waiting, pages = 0, [(root, None)], 0
        while waiting:
            at, level = waiting.pop()
            pages += 1
            if pages > self.size // self.page:
                raise PffError("the index of items leads back to itself")
            entries, found, width = self.node_page(at)
            if found > self.MAX_LEVEL or (level is not None and found != level):
                raise PffError("the index of items is damaged")
            for entry in range(0, len(entries), width):
                if found > 0:
                    place = struct.unpack_from(wide, entries, entry + (8 if self.is_ansi else 16))[0]
                    waiting.append((place, found - 1))
                elif entries[entry] & 0x1F == self.MESSAGE:
                    count += 1
        return count

    def node_page(self, at):
        """The entries of a page, its level, and the width of an entry."""
        page = self.read(self.page, at)
        if self.page == 4096:
            number_of, width, level, kind = *struct.unpack_from("<H2xBB", page, 4056), page[4072]
        else:
            meta = 496 if self.is_ansi else 488
            number_of, width, level, kind = page[meta], page[meta + 2], page[meta + 3], page[500 if self.is_ansi else 496]
        least = (16 if self.is_ansi else 32) if level == 0 else (12 if self.is_ansi else 24)
        if kind != self.NODE_PAGE or width < least or number_of * width > self.page:
            raise PffError("the index of items is damaged")
        return page[: number_of * width], level, width


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
    def __init__(self, output, max_item_bytes, wanted):
        self.output = output
        self.max_item_bytes = max_item_bytes
        self.wanted = wanted
        self.file = c_void_p()
        self.folders = []
        self.top = None

    def open(self, handle):
        call(file_initialize, byref(self.file))
        call(file_open_handle, self.file, handle, READ_ONLY)

    def survey(self):
        """Lists the folders and counts their items. A folder that cannot be read is listed with its reason."""
        with Handle(item_free) as root:
            self.top = self.roles().get("top")
            if not call(root_folder, self.file, root.reference):
                raise PffError("its folders cannot be found")
            self.list_folder(root, [], [])

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

    def list_folder(self, folder, path, place):
        identifier = number(item_identifier, folder, c_uint32)
        # The folder at the top of the mailbox and those above it are no names of its folders.
        path = [] if identifier == self.top else path
        entry = {"path": path, "place": place, "items": 0, "id": identifier}
        if len(self.folders) >= MAX_FOLDERS:
            raise PffError("the file has more than %d folders" % MAX_FOLDERS)
        self.folders.append(entry)
        try:
            # A search folder shows items of other folders.
            if entry["id"] & 0x1F != TYPE_SEARCH_FOLDER:
                entry["items"] = number(folder_messages, folder)
        except PffError as error:
            entry["error"] = str(error)
        try:
            count = number(folder_folders, folder)
        except PffError as error:
            entry["error"] = str(error)
            return
        if len(place) >= MAX_DEPTH:
            entry["error"] = "folders are nested more than %d deep" % MAX_DEPTH
            return
        for index in range(count):
            try:
                with Handle(item_free) as sub:
                    call(folder_folder, folder.pointer, index, sub.reference)
                    self.list_folder(sub, path + [self.name_of(sub)], place + [index])
            except PffError as error:
                if len(self.folders) >= MAX_FOLDERS:
                    raise
                self.folders.append({"path": path + ["?"], "place": [], "items": 0, "id": 0, "error": str(error)})

    def name_of(self, folder):
        try:
            size = number(folder_name_size, folder, c_size_t)
            if size <= 1 or size > 65536:
                return ""
            name = ctypes.create_string_buffer(size)
            call(folder_name, folder.pointer, name, size)
            return name.value.decode("utf-8", "replace")
        except PffError:
            return ""

    def read_from(self, first, until):
        """Writes the items from a position on. Returns whether items are left when the time is up."""
        position = 0
        for index, folder in enumerate(self.folders):
            items = folder["items"]
            if items > 0 and position + items > first:
                self.output.json(b"F", {"index": index, "path": folder["path"], "id": folder["id"]})
                skipped = max(0, first - position)
                if not self.read_folder(index, folder["place"], position, skipped, until):
                    return True
            position += items
        return False

    def read_folder(self, index, place, position, skipped, until):
        with Handle(item_free) as folder:
            self.descend(place, folder)
            for number_in_folder in range(skipped, self.folders[index]["items"]):
                if time.process_time() >= until and number_in_folder > skipped:
                    return False
                self.read_item(folder, number_in_folder, index, position + number_in_folder)
        return True

    def descend(self, place, folder):
        with Handle(item_free) as current:
            call(root_folder, self.file, current.reference)
            for index in place:
                child = c_void_p()
                call(folder_folder, current.pointer, index, byref(child))
                parent = current.pointer
                current.pointer = child
                with Handle(item_free) as done:
                    done.pointer = parent
            folder.pointer = current.pointer
            current.pointer = c_void_p()

    def read_item(self, folder, number_in_folder, index, position):
        output = self.output
        self.item_bytes = 0
        with Handle(item_free) as message:
            try:
                call(folder_message, folder.pointer, number_in_folder, message.reference)
                identifier = number(item_identifier, message, c_uint32)
            except PffError as error:
                output.json(b"I", {"position": position, "folder": index, "id": None})
                output.flush()
                output.json(b"X", {"code": "unreadable", "reason": str(error)})
                output.frame(b"Z")
                return
            output.json(b"I", {"position": position, "folder": index, "id": identifier})
            # What is being read must be known if this process is ended by it.
            output.flush()
            try:
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
                if identifier not in self.wanted:
                    continue
                tag = (identifier << 16) | (number(entry_value_type, entry, c_uint32) & 0xFFFF)
                size = number(entry_size, entry, c_size_t)
                self.count(size)
                data = ctypes.create_string_buffer(max(1, size))
                if size > 0:
                    call(entry_data, entry.pointer, data, size)
                self.output.frame(b"P", struct.pack(">I", tag) + data.raw[:size])

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
    path, first, max_item_bytes, max_memory, max_cpu, share, wanted = sys.argv[1:]
    handle = c_void_p()
    try:
        name = os.fsencode(path)
        call(handle_initialize, byref(handle))
        call(handle_set_name, handle, name, len(name))
        call(handle_open, handle, READ_ONLY)
    except PffError as error:
        fail(NOT_OPENED, str(error))
    nodes = NodeIndex(os.open(path, os.O_RDONLY))
    os.nice(10)
    confine(int(max_memory), int(max_cpu))
    output = Output()
    reader = Reader(output, int(max_item_bytes), {int(identifier) for identifier in wanted.split(",")})
    messages, damage = None, None
    try:
        messages = nodes.count_messages()
    except PffError as error:
        damage = str(error)
    output.json(b"N", {"messages": messages})
    output.flush()
    try:
        reader.open(handle)
        reader.survey()
        items = sum(folder["items"] for folder in reader.folders)
        unread = [{"path": each["path"], "reason": each["error"]} for each in reader.folders if "error" in each]
        missing = 0 if messages is None else max(0, messages - items)
        if items == 0 and damage is not None:
            raise PffError(damage)
        output.json(b"H", {"items": items, "missing": missing, "damage": damage, "roles": reader.roles(), "unread": unread[:MAX_UNREAD]})
        # Memory that libpff holds for what was read is given back by a new process, long before the limit of time.
        # Opening takes libpff a time that grows with the square of the number of items: no more than a fifth goes to it.
        opened = time.process_time()
        is_more = reader.read_from(int(first), opened + max(float(share), 4 * opened))
    except (PffError, MemoryError) as error:
        output.flush()
        fail(UNREADABLE, str(error) or "the file needs too much memory")
    output.json(b"Q", {"more": is_more})
    output.flush()
    os._exit(0)


main()
