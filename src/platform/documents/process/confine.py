"""
Runs a program that reads untrusted files. It gets limits of memory, time and file sizes, ends with the process that
started it, and a seccomp filter refuses it the network, other processes and io_uring. See seccomp(2).

    confine.py MAX_DATA_BYTES MAX_CPU_SECONDS PROGRAM [ARGUMENT...]
"""

import ctypes
import os
import resource
import signal
import sys
from ctypes import POINTER, c_int, c_uint8, c_uint16, c_uint32

NOT_CONFINED = 21

AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# socket, connect, accept, sendto, sendmsg, bind, listen, accept4, ptrace, process_vm_readv, process_vm_writev, kill,
# pidfd_open, io_uring_setup, pidfd_getfd.
REFUSED_CALLS = {
    "x86_64": [41, 42, 43, 44, 46, 49, 50, 288, 101, 310, 311, 62, 434, 425, 438],
    "aarch64": [198, 203, 202, 206, 211, 200, 201, 242, 117, 270, 271, 129, 434, 425, 438],
}
# System calls of the x32 interface are others with the same effect.
X32 = 0x40000000
PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
SECCOMP_RET_ALLOW = 0x7FFF0000
SECCOMP_RET_ERRNO_EPERM = 0x00050000 | 1
SECCOMP_RET_KILL_PROCESS = 0x80000000


class SockFilter(ctypes.Structure):
    _fields_ = [("code", c_uint16), ("jt", c_uint8), ("jf", c_uint8), ("k", c_uint32)]


class SockProgram(ctypes.Structure):
    _fields_ = [("len", c_uint16), ("filter", POINTER(SockFilter))]


def fail(reason):
    sys.stderr.write(reason + "\n")
    sys.exit(NOT_CONFINED)


def call_prctl(libc, *arguments):
    if libc.prctl(*arguments, *[0] * (5 - len(arguments))) != 0:
        fail("prctl(%d): %s" % (arguments[0], os.strerror(ctypes.get_errno())))


def confine(max_data, max_cpu):
    machine = os.uname().machine
    calls = REFUSED_CALLS.get(machine)
    if calls is None:
        fail("no list of system calls for a processor of the kind " + machine)
    for limit, value in (
        (resource.RLIMIT_DATA, max_data),
        (resource.RLIMIT_CPU, max_cpu),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (value, value))
    load_word, jump_equal, jump_at_least, give = 0x20, 0x15, 0x35, 0x06
    program = [
        SockFilter(load_word, 0, 0, 4),
        SockFilter(jump_equal, 1, 0, AUDIT_ARCHITECTURES[machine]),
        SockFilter(give, 0, 0, SECCOMP_RET_KILL_PROCESS),
        SockFilter(load_word, 0, 0, 0),
        SockFilter(jump_at_least, len(calls) + 1, 0, X32),
    ]
    for index, system_call in enumerate(calls):
        program.append(SockFilter(jump_equal, len(calls) - index, 0, system_call))
    program.append(SockFilter(give, 0, 0, SECCOMP_RET_ALLOW))
    program.append(SockFilter(give, 0, 0, SECCOMP_RET_ERRNO_EPERM))
    filters = (SockFilter * len(program))(*program)
    description = SockProgram(len(program), filters)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [c_int, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong, ctypes.c_ulong]
    parent = os.getppid()
    call_prctl(libc, PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        fail("the service has ended")
    call_prctl(libc, PR_SET_NO_NEW_PRIVS, 1)
    call_prctl(libc, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(description))


def main():
    max_data, max_cpu, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    confine(max_data, max_cpu)
    os.execv(program[0], program)


main()
