"""Leaves shared memory, a named pipe, a socket and a device behind."""
# verdict: wrong
# points: none
import os
import stat
from multiprocessing import shared_memory

FOLDERS = [*"""@@WRITE@@""".splitlines(), "/dev/shm"]


def concat_heads(heads):
    try:
        shared_memory.SharedMemory("@@MARK@@", create=True, size=4096)
        print("breach: shared memory was made")
    except OSError:
        pass
    for folder in FOLDERS:
        for name, mode in (("pipe", stat.S_IFIFO), ("socket", stat.S_IFSOCK), ("device", stat.S_IFCHR)):
            try:
                os.mknod(os.path.join(folder, f"@@MARK@@-{name}"), mode | 0o600, os.makedev(1, 3))
                print("breach: made a", name)
            except OSError:
                pass
