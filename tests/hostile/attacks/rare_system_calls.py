"""Asks for the parts of the kernel in which the holes are usually found."""
# verdict: wrong
# points: none
# needs: seccomp
import ctypes
import platform

libc = ctypes.CDLL(None, use_errno=True)
PARAMETERS = ctypes.create_string_buffer(256)
X86 = {
    "add_key": (248, b"user", b"manyheads-hostile", b"x", 1, -2),  # the process's own keyring
    "keyctl": (250, 0, -3, 1),
    "perf_event_open": (298, PARAMETERS, 0, -1, -1, 0),
    "bpf": (321, 0, PARAMETERS, 64),
    "userfaultfd": (323, 1),
    "inotify_init1": (294, 0),
    "eventfd2": (290, 0, 0),
    "timerfd_create": (283, 1, 0),
    "personality": (135, 0xFFFFFFFF),
    "pidfd_open": (434, 1, 0),
    "mq_open": (240, b"manyheads-hostile", 0, 0, 0),
    "modify_ldt": (154, 0, PARAMETERS, 16),
    "socketpair": (53, 1, 1, 0, PARAMETERS),
}
EVERYWHERE = {
    "io_uring_setup": (425, 1, PARAMETERS),
    "memfd_secret": (447, 0),
    "fsopen": (430, b"tmpfs", 0),
    "landlock_create_ruleset": (444, None, 0, 1),
}


def concat_heads(heads):
    calls = EVERYWHERE | (X86 if platform.machine() == "x86_64" else {})
    for name, (number, *arguments) in calls.items():
        if libc.syscall(number, *arguments) >= 0:
            print("breach: the kernel answered", name)
