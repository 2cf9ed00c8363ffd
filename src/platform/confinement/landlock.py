"""Lets a process open nothing but files in some folders, where the kernel has Landlock (Linux 5.13). See landlock(7)."""

import ctypes
import os
import stat

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION = 1
PATH_BENEATH = 1
EXECUTE, READ_FILE, READ_DIR = 1 << 0, 1 << 2, 1 << 3
# All rights of the first version: reading, writing, making and removing files. Truncation came with the third.
FIRST_RIGHTS = (1 << 13) - 1
TRUNCATE = 1 << 14


class RulesetAttributes(ctypes.Structure):
    _fields_ = [("handled_access_fs", ctypes.c_uint64)]


class PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32)]


def allow_reading_only(paths):
    """Refuses to open anything that is not below these paths, and to write. @returns whether the kernel can do it"""
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION)
    if version < 1:
        return False
    rights = FIRST_RIGHTS | (TRUNCATE if version >= 3 else 0)
    attributes = RulesetAttributes(rights)
    rules = check(libc.syscall(CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(8), 0))
    for path in filter(os.path.exists, paths):
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
        is_folder = stat.S_ISDIR(os.fstat(opened).st_mode)
        rule = PathBeneath(EXECUTE | READ_FILE | (READ_DIR if is_folder else 0), opened)
        check(libc.syscall(ADD_RULE, rules, PATH_BENEATH, ctypes.byref(rule), 0))
        os.close(opened)
    check(libc.syscall(RESTRICT_SELF, rules, 0))
    os.close(rules)
    return True


def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "Landlock: " + os.strerror(ctypes.get_errno()))
    return result
