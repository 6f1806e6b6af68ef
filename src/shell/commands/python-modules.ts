// Modules that `python -m` may import before or while it runs a module of its own. A file with such a name in the current folder
// takes precedence.

const MODULES = new Set(
  `
    __future__ _bootsubprocess _collections_abc _compat_pickle _compression _distutils_hack _json _locale _markupbase _opcode
    _osx_support _py_abc _pydecimal _pyio _sitebuiltins _strptime _threading_local _weakrefset abc aifc annotationlib argparse
    array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi
    cgitb chunk cmath cmd code codecs codeop collections colorama colorsys compileall compression concurrent configparser
    contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest
    email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc
    genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib
    inspect io ipaddress itertools json keyring keyword lib2to3 linecache locale logging lzma macpath mailbox mailcap marshal
    math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode
    operator optparse os ossaudiodev parser pathlib pdb pickle pickletools pip pipes pkg_resources pkgutil platform plistlib
    poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re
    readline reprlib resource rlcompleter runpy sched secrets select selectors setuptools shelve shlex shutil signal site
    sitecustomize smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat
    statistics string stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib
    tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc truststore tty
    turtle turtledemo types typing unicodedata unittest urllib usercustomize uu uuid venv warnings wave weakref webbrowser
    winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
  `
    .trim()
    .split(/\s+/),
);

/**
 * True if a name in the folder may be imported as a module of Python or pip. The name is a file with an extension, or a folder
 * with code.
 */
export function mayShadow(name: string): boolean {
  const stem = name.split('.')[0]!;
  return MODULES.has(stem) || stem.startsWith('_');
}
