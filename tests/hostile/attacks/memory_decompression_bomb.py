"""Unpacks eight megabytes into eight gigabytes."""
# verdict: memory_limit
# points: none
import zlib

packer = zlib.compressobj(9, zlib.DEFLATED, -15)
mebibyte = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
BOMB = mebibyte * 8192 + packer.flush()


def concat_heads(heads):
    return zlib.decompress(BOMB, -15)
