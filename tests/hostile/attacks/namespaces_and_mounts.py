"""Becomes root in a user namespace of its own, mounts a file system and changes its root folder."""
# verdict: wrong
# points: none
# needs: seccomp
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
USER, MOUNT = 0x10000000, 0x00020000


def concat_heads(heads):
    for flags in (USER | MOUNT, USER, MOUNT, 0x40000000, 0x20000000):
        if libc.unshare(flags) == 0:
            print("breach: entered a namespace of its own", hex(flags))
    if libc.mount(b"none", b"/mnt", b"tmpfs", 0, None) == 0:
        print("breach: mounted a file system")
        libc.umount2(b"/mnt", 2)
    for change in (os.chroot, os.chdir):
        try:
            change("/tmp")
            if change is os.chroot:
                print("breach: changed its root folder")
        except OSError:
            pass
