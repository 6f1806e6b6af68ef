// Checks for files through which a project can make a command load a program of the project.

import fs from 'node:fs';
import path from 'node:path';
import { activeHook, hookFolders } from '../git/hooks.ts';
import { repositoryOf } from '../git/repository.ts';
import type { BashLoad } from '../model/command.ts';
import { readRegularText } from '../platform/read-file.ts';
import {
  DASHED,
  type FindLoad,
  FOLDER,
  HOOK,
  LIKE_OPTION,
  LOOK,
  MISSING,
  MODULE,
  NAMES,
  NESTED,
  REPOSITORY_PARTS,
} from '../shell/loads.ts';
import { isAtOrAbove } from '../shell/targets.ts';

/** Larger files are not read. In bytes. */
const maxBytes = 1_000_000;
/** In bytes: enough for repositories with tens of thousands of branches and tags. */
const maxPacked = 20_000_000;

/**
 * Searches the folders of a command and the folders above them, except the home folder and those above it, because the files
 * there belong to the user. A place that cannot be checked counts as containing the file.
 * @param search the PATH that the shell searches for programs
 */
export function loadFinder(home: string, search: string): FindLoad {
  return (load, program) => {
    const hooks = load.files.filter((file) => file.startsWith(HOOK)).map((file) => file.slice(HOOK.length));
    if (hooks.length > 0) {
      for (const folder of load.folders) {
        const hook = activeHook(hooks, hookFolders(folder, home, process.env));
        if (hook !== null) return `${path.basename(program)} runs the hook ${hook}`;
      }
      return null;
    }
    for (const file of load.files) {
      if (file === LOOK) continue;
      if (file.startsWith(MISSING)) {
        const name = file.slice(MISSING.length);
        if (load.folders.every((folder) => exists(path.resolve(folder, name)))) continue;
        return `${path.basename(program)} makes ${name}, which is missing`;
      }
      if (file.startsWith(NESTED)) {
        const repository = nestedRepository(file.slice(NESTED.length), load.folders);
        if (repository === null) continue;
        return `${path.basename(program)} may run programs that the settings of a repository in ${repository} name`;
      }
      if (file.startsWith(FOLDER)) {
        if (!isFolder(file.slice(FOLDER.length))) continue;
        return `${path.basename(program)} may evaluate names of files in ${file.slice(FOLDER.length)}`;
      }
      if (file.startsWith(DASHED)) {
        const ref = dashedRef(file.slice(DASHED.length));
        if (ref === null) continue;
        return `${path.basename(program)} may treat a branch or tag as an option: ${ref} may have a name that begins with a dash`;
      }
      if (file.startsWith(NAMES)) {
        const name = nameLikeOption(file.slice(NAMES.length));
        if (name === null) continue;
        return `${path.basename(program)} may treat a name as an option: ${name}`;
      }
      if (file === MODULE) {
        const module = shadowingModule(load.folders);
        if (module === null) continue;
        return `${path.basename(program)} may load ${module} as a module`;
      }
      const found = file.startsWith('@') ? standIn(program, file.slice(1), search) : fileFor(file, load, home);
      if (found !== null) return `${path.basename(program)} may run programs that ${found} names`;
    }
    return null;
  };
}

/** The first folder on the way up to `top` that git may treat as a repository, or a folder that is not below `top`. */
function nestedRepository(top: string, folders: readonly string[]): string | null {
  const end = real(top);
  for (const folder of folders) {
    const start = real(folder);
    if (isAtOrAbove(start, end)) continue;
    if (!isAtOrAbove(end, start)) return start;
    for (let at = start; at !== end; at = path.dirname(at))
      if (REPOSITORY_PARTS.some((part) => exists(path.join(at, part)))) return at;
  }
  return null;
}

/** Maximum number of entries to look at below a folder. */
const maxEntries = 20_000;

/** A name that may be taken as an option, or a place that cannot be checked. The form of the names is that of `NAMES`. */
function nameLikeOption(names: string): string | null {
  const [folder, last] = [path.dirname(names), path.basename(names).toLowerCase()];
  const ending = last.slice(last.lastIndexOf('*') + 1);
  let left = maxEntries;
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    let entries: fs.Dirent[];
    try {
      entries = fs.readdirSync(at, { withFileTypes: true });
    } catch {
      return at;
    }
    left -= entries.length;
    if (left < 0) return `${folder} has too many files to check`;
    for (const entry of entries) {
      const isListed = ending !== '' && !entry.isFile() && entry.name.toLowerCase().endsWith(ending);
      if (LIKE_OPTION.test(entry.name) || isListed) return path.join(at, entry.name);
      if (last !== '**' || entry.isFile()) continue;
      const below = path.join(at, entry.name);
      if (entry.isDirectory()) waiting.push(below);
      else if (isFolder(below)) return below;
    }
  }
  return null;
}

function isFolder(file: string): boolean {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

/**
 * A git file or folder that contains a branch or tag with a leading dash in its name, else null. A repository that
 * cannot be checked counts as containing one, for example if its refs are not stored in files.
 */
function dashedRef(folder: string): string | null {
  const repository = repositoryOf(folder);
  if (repository === null) return null;
  try {
    const head = path.join(repository.gitDir, 'HEAD');
    // A folder without this file is no repository, and has no branch.
    if (exists(head) && /refs\/(?:heads\/)?-/.test(readRegularText(head, maxBytes))) return head;
    for (const kind of ['.', 'heads', 'tags', 'remotes']) {
      const place = path.join(repository.common, 'refs', kind);
      if (exists(place) && fs.readdirSync(place).some((name) => name.startsWith('-'))) return place;
    }
    const packed = path.join(repository.common, 'packed-refs');
    return exists(packed) && /^\S+ refs\/(?:(?:heads|tags|remotes)\/)?-/m.test(readRegularText(packed, maxPacked))
      ? packed
      : null;
  } catch {
    return repository.common;
  }
}

/** A file with a code extension, or a folder with code, that Python finds before its own module. */
function shadowingModule(folders: readonly string[]): string | null {
  for (const folder of folders) {
    try {
      for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const isCode = entry.isFile() ? /\.(?:py[a-z]?|so|pyd|dll)$/i.test(entry.name) : true;
        if (isCode && mayShadow(entry.name) && !isPlainFolder(path.join(folder, entry.name), entry)) return entry.name;
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') return folder;
    }
  }
  return null;
}

/** Python prefers a later module to a folder without an `__init__` file. */
function isPlainFolder(whole: string, entry: fs.Dirent): boolean {
  if (!entry.isDirectory()) return false;
  try {
    return !fs.readdirSync(whole).some((name) => name.startsWith('__init__.'));
  } catch {
    // A folder that cannot be checked counts as code.
    return false;
  }
}

function fileFor(file: string, load: BashLoad, home: string): string | null {
  const [name, key] = file.split('#') as [string, string | undefined];
  if (name.startsWith('~/')) return exists(path.join(home, name.slice(2))) ? name : null;
  for (const folder of foldersFrom(load.folders, home)) {
    const whole = path.join(folder, name);
    if (exists(whole) && (key === undefined || hasKey(whole, key.split('.')))) return whole;
  }
  return null;
}

/** The folders and those above them, by name and by real path, nearest first. */
function foldersFrom(folders: readonly string[], home: string): Set<string> {
  const all = new Set<string>();
  const homes = [home, real(home)];
  for (const start of folders.flatMap((folder) => [path.resolve(folder), real(folder)])) {
    all.add(start);
    for (let folder = path.dirname(start); !homes.some((one) => isAtOrAbove(folder, one)); folder = path.dirname(folder))
      all.add(folder);
  }
  return all;
}

function exists(file: string): boolean {
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

function hasKey(file: string, keys: string[]): boolean {
  try {
    let value: unknown = JSON.parse(readRegularText(file, maxBytes));
    for (const key of keys) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
      value = (value as Record<string, unknown>)[key];
    }
    return true;
  } catch {
    // Another JSON reader may accept a file that this one rejects.
    return true;
  }
}

/** The path of the program, if its real path is in a folder with this name: such a program only starts another one. */
function standIn(program: string, folder: string, search: string): string | null {
  const places = program.includes('/') ? [program] : search.split(':').map((place) => path.join(place, program));
  const found = places.find((place) => path.isAbsolute(place) && exists(place));
  return found !== undefined && real(found).split('/').includes(folder) ? found : null;
}

function real(folder: string): string {
  try {
    return fs.realpathSync.native(folder);
  } catch {
    // A missing path has no other name.
    return path.resolve(folder);
  }
}

/** Modules that `python -m` may import. A file with such a name in the current folder takes precedence. */
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
function mayShadow(name: string): boolean {
  const stem = name.split('.')[0]!;
  return MODULES.has(stem) || stem.startsWith('_');
}
