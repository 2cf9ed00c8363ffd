"""The index of nodes of an Outlook data file (MS-PST 2.2.2.7.7), read without libpff, and views of the file with a part of it.

libpff looks for the folder of each node among all others when it opens a file, and for each message of a folder among all messages
of the folder, so its time grows with the square of their number. It is therefore given views in which the index has some
hundred messages, all in the root folder; the rest of the file is as it is on disk. Which messages there are, and in which folders, is read
here from the whole index. So messages are also found whose folder has a table that is damaged.

The version with pages of 4 KiB is not in the specification; it is described with libpff.
"""

import ctypes
import os
import struct
import zlib
from array import array
from ctypes import CFUNCTYPE, POINTER, c_int, c_int64, c_size_t, c_ssize_t, c_uint64, c_void_p

# Types of nodes: the last five bits of their identifiers (MS-PST 2.2.2.1).
FOLDER = 0x02
MESSAGE = 0x04
TYPE_BITS = 0x1F
ROOT_FOLDER = 0x122
# The message store and the names of properties: libpff reads them for each view.
STORE_NODES = (0x21, 0x61)
NODE_PAGE = 0x81
MAX_LEVEL = 8
HEADER_BYTES = 564
# Identifiers of the pages that are made, which no page of a file has.
FIRST_PAGE_IDENTIFIER = 0x7FFF0000
PAGE_OF_4_KIB = 4096


class IndexDamaged(Exception):
    pass


def checksum(data):
    """The CRC of the format, which starts and ends with zeros (MS-PST 5.3)."""
    return zlib.crc32(data, 0xFFFFFFFF) ^ 0xFFFFFFFF


class Folder:
    def __init__(self, identifier, parent):
        self.identifier, self.parent = identifier, parent
        self.children = []
        # Places of its messages in the index.
        self.messages = array("I")


class NodeIndex:
    """All messages and folders of a file. Pages that cannot be read are passed over; `damage` then says so."""

    def __init__(self, descriptor):
        self.descriptor, self.size = descriptor, os.fstat(descriptor).st_size
        self.damage = None
        self.entries = bytearray()
        self.places = {}
        self.folders = {}
        # Messages whose folder is not in the index.
        self.strays = Folder(0, 0)

    def read(self, length, at):
        data = os.pread(self.descriptor, length, at) if 0 <= at < self.size else b""
        if len(data) < length or at + length > self.size:
            raise IndexDamaged("the file ends too early")
        return data

    def survey(self):
        """Reads the index; raises IndexDamaged where nothing of it can be read."""
        self.header = self.read(HEADER_BYTES, 0)
        version = struct.unpack_from("<H", self.header, 10)[0]
        self.is_ansi, self.page = version <= 15, PAGE_OF_4_KIB if version >= 36 else 512
        self.wide, self.branch = ("<I", "<III") if self.is_ansi else ("<Q", "<QQQ")
        self.end_at, self.root_at = (168, 184) if self.is_ansi else (184, 216)
        self.meta = 4056 if self.page == PAGE_OF_4_KIB else 496 if self.is_ansi else 488
        self.width = 16 if self.is_ansi else 32
        self.parent_at = 12 if self.is_ansi else 24
        if struct.unpack_from(self.wide, self.header, self.end_at)[0] > self.size:
            self.damage = "the file ends too early"
        root = struct.unpack_from(self.wide, self.header, self.root_at + struct.calcsize(self.wide))[0]
        self.root_page = self.read(self.page, root)
        messages = self.read_tree(root)
        if ROOT_FOLDER not in self.places:
            raise IndexDamaged(self.damage or "its folders cannot be found")
        for place in messages:
            folder = self.folders.get(self.parent_of(place)) or self.strays
            if not folder.messages or self.identifier_of(place) > self.identifier_of(folder.messages[-1]):
                folder.messages.append(place)
        for folder in self.folders.values():
            parent = self.folders.get(folder.parent)
            if parent and parent is not folder:
                parent.children.append(folder)

    def read_tree(self, root):
        """Keeps the entries of folders, messages and the store. Returns the places of messages in the order of their identifiers."""
        messages, waiting, pages = array("I"), [(root, None)], 0
        while waiting:
            at, level = waiting.pop()
            pages += 1
            if pages > self.size // self.page:
                self.damage = "the index of items leads back to itself"
                break
            try:
                entries, found, width = self.node_page(at, level)
            except IndexDamaged as error:
                if level is None:
                    raise
                self.damage = str(error)
                continue
            if found > 0:
                below = [struct.unpack_from(self.wide, entries, at + (8 if self.is_ansi else 16))[0] for at in range(0, len(entries), width)]
                waiting.extend((place, found - 1) for place in reversed(below))
                continue
            for entry in range(0, len(entries), width):
                self.keep(entries[entry : entry + self.width], messages)
        return sorted(messages, key=self.identifier_of)

    def keep(self, entry, messages):
        identifier = struct.unpack_from("<I", entry)[0]
        place = len(self.entries) // self.width
        kind = identifier & TYPE_BITS
        if kind == MESSAGE:
            messages.append(place)
        elif kind == FOLDER or identifier in STORE_NODES:
            self.places.setdefault(identifier, place)
            if kind == FOLDER and identifier not in self.folders:
                self.folders[identifier] = Folder(identifier, struct.unpack_from("<I", entry, self.parent_at)[0])
        else:
            return
        self.entries += entry

    def node_page(self, at, level):
        """The entries of a page, its level, and the width of an entry."""
        page = self.read(self.page, at)
        if self.page == PAGE_OF_4_KIB:
            number_of, width, found, kind = *struct.unpack_from("<H2xBB", page, 4056), page[4072]
        else:
            number_of, width, found, kind = page[self.meta], page[self.meta + 2], page[self.meta + 3], page[500 if self.is_ansi else 496]
        least = self.width if found == 0 else struct.calcsize(self.branch)
        if kind != NODE_PAGE or width < least or number_of * width > self.meta:
            raise IndexDamaged("the index of items is damaged")
        if found > MAX_LEVEL or (level is not None and found != level):
            raise IndexDamaged("the index of items is damaged")
        return page[: number_of * width], found, width

    def identifier_of(self, place):
        return struct.unpack_from("<I", self.entries, place * self.width)[0]

    def parent_of(self, place):
        return struct.unpack_from("<I", self.entries, place * self.width + self.parent_at)[0]

    def ordered_folders(self):
        """The folders from the root down, those that do not lead there, and the messages without a folder: in the same order each time."""
        done, ordered = set(), []
        for start in [self.folders[ROOT_FOLDER], *sorted(self.folders.values(), key=lambda folder: folder.identifier)]:
            waiting = [start]
            while waiting:
                folder = waiting.pop()
                if folder.identifier in done:
                    continue
                done.add(folder.identifier)
                ordered.append(folder)
                waiting.extend(sorted(folder.children, key=lambda child: child.identifier, reverse=True))
        return [*ordered, self.strays]

    def part(self, places, base):
        """A header and an index with these nodes and the store, whose pages lie from an offset on. All nodes are in the root folder."""
        stores = [self.places[each] for each in (*STORE_NODES, ROOT_FOLDER) if each in self.places]
        entries = {}
        for place in (*stores, *places):
            entry = self.entries[place * self.width : (place + 1) * self.width]
            identifier = self.identifier_of(place)
            if identifier not in STORE_NODES:
                struct.pack_into("<I", entry, self.parent_at, ROOT_FOLDER)
            entries[identifier] = bytes(entry)
        pages, level, items, width = bytearray(), 0, sorted(entries.items()), self.width
        identifier = FIRST_PAGE_IDENTIFIER
        while True:
            most, above = self.meta // width, []
            for first in range(0, len(items), most):
                some = items[first : first + most]
                identifier += 4
                at = base + len(pages)
                pages += self.make_page([entry for _, entry in some], most, width, level, identifier, at)
                above.append((some[0][0], struct.pack(self.branch, some[0][0], identifier, at)))
            if len(above) == 1:
                return self.make_header(identifier, at, base + len(pages)), bytes(pages)
            items, level, width = above, level + 1, struct.calcsize(self.branch)

    def make_page(self, entries, most, width, level, identifier, at):
        page = bytearray(self.page)
        content = b"".join(entries)
        page[: len(content)] = content
        signature = ((at ^ identifier) >> 16 ^ (at ^ identifier)) & 0xFFFF
        if self.page == PAGE_OF_4_KIB:
            struct.pack_into("<HHBB", page, 4056, len(entries), most, width, level)
            page[4072:] = self.root_page[4072:]
            struct.pack_into("<IQ", page, 4076, checksum(page[:4072]), identifier)
        elif self.is_ansi:
            struct.pack_into("<4B", page, 496, len(entries), most, width, level)
            struct.pack_into("<BBHII", page, 500, NODE_PAGE, NODE_PAGE, signature, identifier, checksum(page[:500]))
        else:
            struct.pack_into("<4B", page, 488, len(entries), most, width, level)
            struct.pack_into("<BBHIQ", page, 496, NODE_PAGE, NODE_PAGE, signature, checksum(page[:496]), identifier)
        return page

    def make_header(self, identifier, at, end):
        header = bytearray(self.header)
        struct.pack_into(self.wide, header, self.end_at, end)
        struct.pack_into(self.wide + self.wide[1], header, self.root_at, identifier, at)
        if not self.is_ansi:
            struct.pack_into("<I", header, 524, checksum(header[8:524]))
        struct.pack_into("<I", header, 4, checksum(header[8:479]))
        return bytes(header)


FREE = CFUNCTYPE(c_int, c_void_p, c_void_p)
CLONE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p)
OPEN = CFUNCTYPE(c_int, c_void_p, c_int, c_void_p)
ASK = CFUNCTYPE(c_int, c_void_p, c_void_p)
READ = CFUNCTYPE(c_ssize_t, c_void_p, c_void_p, c_size_t, c_void_p)
SEEK = CFUNCTYPE(c_int64, c_void_p, c_int64, c_int, c_void_p)
SIZE = CFUNCTYPE(c_int, c_void_p, POINTER(c_uint64), c_void_p)
CLONED_BY_REFERENCE = 2


class FileView:
    """A file as libpff sees it: with another header, and pages behind its end."""

    def __init__(self, descriptor, bfio):
        self.descriptor, self.size = descriptor, os.fstat(descriptor).st_size
        # Pages are aligned; ANSI files, whose offsets have 32 bits, are smaller than 2 GiB.
        self.base = (self.size // PAGE_OF_4_KIB + 1) * PAGE_OF_4_KIB
        self.at, self.header, self.pages = 0, b"", b""
        # They must live as long as the handle.
        self.functions = (
            FREE(lambda _handle, _error: 1),
            CLONE(lambda _to, _handle, _error: -1),
            OPEN(lambda _handle, _flags, _error: 1),
            ASK(lambda _handle, _error: 0),
            READ(self.read),
            READ(lambda _handle, _buffer, _size, _error: -1),
            SEEK(self.seek),
            ASK(lambda _handle, _error: 1),
            ASK(lambda _handle, _error: 1),
            SIZE(self.tell_size),
        )
        self.own = c_int(1)
        self.handle = c_void_p()
        initialize = bfio.libbfio_handle_initialize
        initialize.argtypes = [c_void_p, c_void_p, *[c_void_p] * len(self.functions), ctypes.c_uint8, c_void_p]
        pointers = [ctypes.cast(function, c_void_p) for function in self.functions]
        error = c_void_p()
        if initialize(ctypes.byref(self.handle), ctypes.addressof(self.own), *pointers, CLONED_BY_REFERENCE, ctypes.byref(error)) != 1:
            raise IndexDamaged("libbfio makes no handle")

    def show(self, header, pages):
        self.at, self.header, self.pages = 0, header, pages

    def read(self, _handle, buffer, size, _error):
        at = self.at
        try:
            if at >= self.base:
                data = self.pages[at - self.base : at - self.base + size]
            else:
                data = os.pread(self.descriptor, min(size, self.base - at), at)
                if at < len(self.header):
                    data = self.header[at : at + size] + data[len(self.header) - at :]
        except OSError:
            return -1
        ctypes.memmove(buffer, data, len(data))
        self.at += len(data)
        return len(data)

    def seek(self, _handle, offset, whence, _error):
        start = 0 if whence == os.SEEK_SET else self.at if whence == os.SEEK_CUR else self.base + len(self.pages)
        if start + offset < 0:
            return -1
        self.at = start + offset
        return self.at

    def tell_size(self, _handle, size, _error):
        size[0] = self.base + len(self.pages)
        return 1
