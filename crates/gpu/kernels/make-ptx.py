"""Makes kernels.ptx.zst from the kernels: python3 make-ptx.py LIBNVRTC

LIBNVRTC is a libnvrtc.so of CUDA 12.4 (its package for Python has one; no GPU is needed). An older compiler makes code
for older drivers: this one's is taken by every driver since 550, and by all GPUs since Turing. The command zstd packs it. A test of
the crate compares the checksum in the first line with the kernels.
"""

import ctypes
import subprocess
import sys
import zlib
from pathlib import Path

FOLDER = Path(__file__).parent
FILES = ["draughts.h", "solver.h", "kernels.cu"]


def source() -> bytes:
    """The headers and the kernels as one text, as the crate makes it."""
    lines = [line for name in FILES for line in (FOLDER / name).read_text().splitlines()]
    own = [line for line in lines if not line.startswith(("#include", "#pragma once"))]
    return "".join(line + "\n" for line in own).encode()


def compile_(library: str) -> bytes:
    builtins = sorted(Path(library).parent.glob("libnvrtc-builtins.so*"))
    for path in builtins[:1]:
        ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    nvrtc = ctypes.CDLL(library)
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source(), b"draughts.cu", 0, None, None)
    options = [b"--gpu-architecture=compute_75", b"--std=c++17"]
    failed = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    ask = ("Log", "PTX")[not failed]
    getattr(nvrtc, f"nvrtcGet{'Program' if failed else ''}{ask}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{'Program' if failed else ''}{ask}")(program, text)
    if failed:
        sys.exit(text.value.decode())
    return text.value


def plain(ptx: str) -> str:
    """The same without comments, and without spaces where none are needed."""
    lines = (" ".join(line.split("//")[0].split()) for line in ptx.splitlines())
    return "".join(line.replace(", ", ",").replace(" ;", ";") + "\n" for line in lines if line)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    ptx = compile_(sys.argv[1])
    text = f"// kernels {zlib.crc32(source()):08x}\n" + plain(ptx.decode())
    packed = subprocess.run(["zstd", "--ultra", "-22", "-c"], input=text.encode(), capture_output=True, check=True)
    (FOLDER / "kernels.ptx.zst").write_bytes(packed.stdout)
