"""Reads texts as systemd reads a file of EnvironmentFile=, with systemd's own library.

Arguments: the library. Input: a JSON list of texts, each a list of bytes. Output: a JSON list with, for each text, an
object of the variables, or null where systemd refuses the file.
"""

import ctypes
import json
import sys

library = ctypes.CDLL(sys.argv[1])
libc = ctypes.CDLL(None)
libc.fmemopen.restype = ctypes.c_void_p
libc.fmemopen.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p]
libc.fclose.argtypes = [ctypes.c_void_p]
library.load_env_file.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
library.strv_env_clean_with_callback.restype = ctypes.c_void_p
library.strv_env_clean_with_callback.argtypes = [ctypes.c_void_p] * 3
library.strv_free.argtypes = [ctypes.c_void_p]


def read(text):
    stream = libc.fmemopen(text, len(text), b"r")
    strings = ctypes.POINTER(ctypes.c_char_p)()
    outcome = library.load_env_file(stream, None, ctypes.byref(strings))
    libc.fclose(stream)
    if outcome < 0:
        return None
    variables = {}
    # Names that are none are removed, as the manager does.
    library.strv_env_clean_with_callback(strings, None, None)
    place = 0
    while strings and strings[place] is not None:
        name, _, value = strings[place].decode().partition("=")
        variables[name] = value
        place += 1
    library.strv_free(strings)
    return variables


json.dump([read(bytes(text)) for text in json.load(sys.stdin)], sys.stdout)
