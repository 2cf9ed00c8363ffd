"""
Limits of the operating system, and filters of system calls, for processes that read untrusted files. See setrlimit(2), seccomp(2) and
prctl(2).
"""

import ctypes
import os
import resource
from ctypes import POINTER, c_int, c_uint8, c_uint16, c_uint32, c_ulong

AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# System calls of the x32 interface are others with the same effect.
X32 = 0x40000000
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ALLOW = 0x7FFF0000
SECCOMP_RET_ERRNO_EPERM = 0x00050000 | 1
SECCOMP_RET_KILL_PROCESS = 0x80000000
LOAD_WORD, JUMP_EQUAL, JUMP_AT_LEAST, GIVE = 0x20, 0x15, 0x35, 0x06


class NotConfined(Exception):
    """The process could not give up a right, and must not read anything."""


class SockFilter(ctypes.Structure):
    _fields_ = [("code", c_uint16), ("jt", c_uint8), ("jf", c_uint8), ("k", c_uint32)]


class SockProgram(ctypes.Structure):
    _fields_ = [("len", ctypes.c_uint16), ("filter", POINTER(SockFilter))]


def set_limits(open_files, cpu_seconds, **memory):
    """Sets limits of open files, of processor time and of memory (`data` or `address_space`). No file may grow, none is dumped."""
    kinds = {"data": resource.RLIMIT_DATA, "address_space": resource.RLIMIT_AS}
    for limit, value in (
        *((kinds[kind], size) for kind, size in memory.items()),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, open_files),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))


def call_prctl(*arguments):
    """Calls prctl(2). @raises NotConfined"""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [c_int, c_ulong, c_ulong, c_ulong, c_ulong]
    if libc.prctl(*arguments, *[0] * (5 - len(arguments))) != 0:
        raise NotConfined("prctl(%d): %s" % (arguments[0], os.strerror(ctypes.get_errno())))


def allow_only(calls):
    """Refuses all system calls but these; `calls` has their numbers by the kind of processor. @raises NotConfined"""
    install(calls, listed=SECCOMP_RET_ALLOW, others=SECCOMP_RET_ERRNO_EPERM)


def refuse(calls):
    """Refuses these system calls; `calls` has their numbers by the kind of processor. @raises NotConfined"""
    install(calls, listed=SECCOMP_RET_ERRNO_EPERM, others=SECCOMP_RET_ALLOW)


def install(calls, listed, others):
    machine = os.uname().machine
    numbers = calls.get(machine)
    if numbers is None:
        raise NotConfined("no list of system calls for a processor of the kind " + machine)
    program = [
        SockFilter(LOAD_WORD, 0, 0, 4),
        SockFilter(JUMP_EQUAL, 1, 0, AUDIT_ARCHITECTURES[machine]),
        SockFilter(GIVE, 0, 0, SECCOMP_RET_KILL_PROCESS),
        SockFilter(LOAD_WORD, 0, 0, 0),
        SockFilter(JUMP_AT_LEAST, 0, 1, X32),
        SockFilter(GIVE, 0, 0, SECCOMP_RET_ERRNO_EPERM),
    ]
    for index, number in enumerate(numbers):
        program.append(SockFilter(JUMP_EQUAL, len(numbers) - index, 0, number))
    program.append(SockFilter(GIVE, 0, 0, others))
    program.append(SockFilter(GIVE, 0, 0, listed))
    filters = (SockFilter * len(program))(*program)
    description = SockProgram(len(program), filters)
    call_prctl(PR_SET_NO_NEW_PRIVS, 1)
    call_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(description))
