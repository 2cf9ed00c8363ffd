"""
Runs a program that reads untrusted files. It gets limits of memory, time and file sizes, ends with the process that
started it, and a seccomp filter refuses it the network, signals to other processes and io_uring.

    confine.py LIMITS PROGRAM [ARGUMENT...]

LIMITS is an object of JSON:

    maxDataBytes    memory that it may write to (RLIMIT_DATA)
    maxCpuSeconds   processor time
    readable        paths below which it may open files; null: all that the user of the service may read
    isAlone         whether it may start neither processes nor threads, and runs with the least priority
"""

import json
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from landlock import allow_reading_only  # noqa: E402
from seccomp import NotConfined, call_prctl, refuse, set_limits  # noqa: E402

NOT_CONFINED = 21
NOT_FOUND = 127
PR_SET_PDEATHSIG = 1
MAX_OPEN_FILES = 64
LEAST_PRIORITY = 19

# socket, connect, accept, sendto, sendmsg, bind, listen, accept4, ptrace, process_vm_readv, process_vm_writev, kill,
# pidfd_open, io_uring_setup, pidfd_getfd.
OUTSIDE = {
    "x86_64": [41, 42, 43, 44, 46, 49, 50, 288, 101, 310, 311, 62, 434, 425, 438],
    "aarch64": [198, 203, 202, 206, 211, 200, 201, 242, 117, 270, 271, 129, 434, 425, 438],
}
# clone, fork, vfork, clone3.
PROCESSES = {"x86_64": [56, 57, 58, 435], "aarch64": [220, 435]}


def fail(code, reason):
    sys.stderr.write(reason + "\n")
    sys.exit(code)


def confine(limits):
    set_limits(MAX_OPEN_FILES, limits["maxCpuSeconds"], data=limits["maxDataBytes"])
    parent = os.getppid()
    call_prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        raise NotConfined("the service has ended")
    is_alone = limits["isAlone"]
    if is_alone:
        os.nice(LEAST_PRIORITY)
    refused = {
        machine: calls + (PROCESSES[machine] if is_alone else []) for machine, calls in OUTSIDE.items()
    }
    refuse(refused)
    if limits["readable"] is not None:
        allow_reading_only(limits["readable"])


def find_program(name):
    """Finds a program before Python loses the right to read its own library, which `os.execvp` needs."""
    if "/" in name:
        return name
    paths = [os.path.join(folder, name) for folder in os.get_exec_path()]
    found = next((path for path in paths if os.access(path, os.X_OK)), None)
    return found or fail(NOT_FOUND, name + ": there is no such program")


def main():
    limits, program = json.loads(sys.argv[1]), sys.argv[2:]
    path = find_program(program[0])
    try:
        confine(limits)
    except (NotConfined, OSError) as error:
        fail(NOT_CONFINED, str(error))
    try:
        os.execv(path, program)
    except OSError as error:
        fail(NOT_FOUND, "%s: %s" % (path, error.strerror))


main()
