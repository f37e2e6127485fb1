"""Calls the kernel by its 32-bit door, whose numbers mean other things to a filter of system calls (x86-64)."""
# verdict: crashed | wrong
# points: none
# needs: seccomp
import ctypes
import mmap
import platform

GETPID = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20; int 0x80; ret


def concat_heads(heads):
    if platform.machine() != "x86_64":
        return
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(GETPID)
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
    if call() > 0:
        print("breach: a 32-bit system call was answered")
