"""Opens the reference by C library, by system call and by memory map, not by Python's open."""
# verdict: wrong
# points: none
# needs: landlock
import ctypes
import platform

libc = ctypes.CDLL(None, use_errno=True)
PATHS = """@@READ@@""".splitlines()
AT_FDCWD = -100
OPENAT = {"x86_64": 257, "aarch64": 56}


def concat_heads(heads):
    for path in PATHS:
        name = path.encode()
        attempts = [libc.open(name, 0), libc.openat(AT_FDCWD, name, 0)]
        attempts.append(libc.syscall(OPENAT.get(platform.machine(), 257), AT_FDCWD, name, 0))
        attempts.append(libc.syscall(437, AT_FDCWD, name, (ctypes.c_uint64 * 3)(), 24))  # openat2
        for descriptor in attempts:
            text = ctypes.create_string_buffer(4096)
            if descriptor >= 0 and libc.read(descriptor, text, 4095) > 0:
                print(text.value.decode("utf-8", "replace"))
