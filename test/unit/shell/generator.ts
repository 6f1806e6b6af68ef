// Random command lines made from the tables themselves: every option that is listed, with operands of the fixture.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { CHANGING } from '../../../src/shell/commands/git/changing.ts';
import { LISTING } from '../../../src/shell/commands/git/listing.ts';
import { SUBCOMMANDS } from '../../../src/shell/commands/git/options.ts';
import type { CommandEntry } from '../../../src/shell/entry.ts';
import { type OptionTable, table } from '../../../src/shell/options.ts';
import { allEntries } from '../../../src/shell/registry.ts';

/** A small generator of numbers, so that a failure can be repeated from its seed. */
export function random(seed: number): (below: number) => number {
  let x = seed >>> 0 || 1;
  return (below) => {
    x ^= x << 13;
    x >>>= 0;
    x ^= x >>> 17;
    x ^= x << 5;
    x >>>= 0;
    return x % below;
  };
}

const OPERANDS = [
  'a.txt',
  'b.txt',
  'src',
  'src/app.js',
  'data.json',
  'nums.txt',
  '-',
  '.',
  'docs/guide.md',
  'new.txt',
  'HEAD',
  'seed',
  "'*.txt'",
  '*.txt',
  './*',
  'main',
  '1',
  "'s/a/b/'",
  "'{print $1}'",
  '.k',
  'v1.0',
  'app.db',
  "'select 1'",
  '.tables',
];
const VALUES = ['1', '2', 'a.txt', 'new.txt', 'seed', 'always', 'out', 'HEAD', '%H', "','", 'c', 'x', 'short', 'src'];

// Commands that wait, need a terminal, another host, or too long.
const LEFT_OUT =
  /^(?:yes|sleep|top|watch|ping6?|dig|nslookup|host|drill|whois|traceroute|tracepath|mtr|journalctl|systemctl|docker|podman|nerdctl|kubectl|oc|gh|glab|helm|terraform|tofu|aws|npm|pnpm|yarn|yarnpkg|bun|deno|brew|cargo|go|uv|poetry|pip3?|gem|bundle|bundler|composer|curl|wget|ssh|scp|service|sudo|doas|exec|exit|logout|read|wait|nvidia-smi|system_profiler|man|apropos|whatis|apt|apt-cache|apt-get|aptitude|strace|ltrace|lsof|shutdown|last|lastlog|vmstat|iostat|mpstat|dmesg|launchctl|more|less|eval|source|trap|.|stty|clear|setsid|nohup|flock|vim?)$/;

function option(t: OptionTable, pick: (n: number) => number): string {
  const short = [...t.short];
  const long = [...t.long];
  const n = pick(short.length + long.length || 1);
  const value = () => VALUES[pick(VALUES.length)]!;
  if (n < short.length) {
    const [c, spec] = short[n]!;
    return spec.arity === 1 ? `-${c} ${value()}` : spec.arity === 2 ? `-${c}${pick(2) ? '1' : ''}` : `-${c}`;
  }
  const found = long[n - short.length];
  if (!found) return '';
  const [name, spec] = found;
  return spec.arity === 1
    ? pick(2)
      ? `--${name}=${value()}`
      : `--${name} ${value()}`
    : spec.arity === 2 && pick(2)
      ? `--${name}=${value()}`
      : `--${name}`;
}

function line(name: string, t: OptionTable, pick: (n: number) => number, single = false): string {
  const words = [name];
  for (let i = pick(4); i > 0; i--) {
    const o = option(t, pick);
    words.push(single ? o.replace(/^--/, '-') : o);
  }
  for (let i = pick(4); i > 0; i--) words.push(OPERANDS[pick(OPERANDS.length)]!);
  return words.join(' ');
}

/** Programs that are here, with the entries that have subcommands or one form for help and versions. */
const installed = new Map<string, CommandEntry>();

function present(): [string, CommandEntry][] {
  if (installed.size === 0) {
    const folders = (process.env.PATH ?? '').split(':');
    for (const entry of allEntries())
      for (const name of entry.names.split(' '))
        if (folders.some((folder) => folder !== '' && existsSync(join(folder, name)))) installed.set(name, entry);
  }
  return [...installed];
}

/** These take a second or more to start. */
const SLOW = /^(?:gcloud|gsutil|aws|npm|npx|terraform|java|javac|gradle|mvn|kubectl|pip3?|pipx|ansible|conda)$/;
const FORMS = ['--help', '--version', '-h', '-V', 'help', 'version', '-v', '-version', '-help'];

/** They follow what goes on, or wait for somebody. */
const WAITS =
  /^(?:watch|top|htop|journalctl|dmesg|yes|tail|read|sleep|w|last|docker|podman|systemctl) (?!-|help|version)|(?: -f| -w| --follow| --watch)\b/;

/** `PROGRAM --help`, or a subcommand of a program that is here with options of its table. */
function ofPresent(pick: (n: number) => number): string | null {
  const all = present();
  const [name, entry] = all[pick(all.length)]!;
  if (SLOW.test(name) && pick(12) > 0) return null;
  const verbs = Object.keys(entry.verbs ?? {});
  if (verbs.length === 0 || pick(3) === 0) return `${name} ${FORMS[pick(FORMS.length)]!}`;
  const key = verbs[pick(verbs.length)]!;
  const words = key.split('|');
  const verb = entry.verbs![key]!;
  const options = typeof verb === 'string' ? '' : (verb.options ?? '');
  const text = line(
    `${name} ${words[pick(words.length)]!.replaceAll('*', 'whatever')}`,
    table(`${entry.options ?? ''} ${options}`),
    pick,
    entry.style?.includes('single-dash'),
  );
  return pick(6) === 0 ? `${text} --help` : text;
}

/** What the tables do not spell out: modules, databases, variables in front of a program. */
const PHRASES = [
  'python3 -m json.tool data.json',
  'cat data.json | python3 -m json.tool --sort-keys',
  'python3 -m json.tool data.json out',
  'sqlite3 app.db "select 1"',
  'sqlite3 -json app.db .tables',
  'sqlite3 new.db .schema',
  'FOO=1 ls',
  'FOO=1 grep seed a.txt',
  `awk 'BEGIN{while((getline l < "a.txt")>0) n++; print n}'`,
  'gpg --list-keys',
  'gpg -K --with-colons',
  'gpg --verify a.txt b.txt',
  'gpg --list-packets a.txt',
  'git ls-remote --heads .',
  'git -C src status',
  'git -C docs log --oneline',
  'git -C src diff --stat',
  'f=($(find . -name "*.txt")); echo "${f[@]}"',
];

/** A random simple command out of the tables. */
export function randomCommand(pick: (n: number) => number): string {
  const entries = allEntries();
  for (;;) {
    if (pick(6) === 0) {
      const text = ofPresent(pick);
      if (text === null || WAITS.test(text)) continue;
      return text;
    }
    if (pick(20) === 0) return PHRASES[pick(PHRASES.length)]!;
    if (pick(3) === 0) {
      const subs = [
        ...Object.entries(SUBCOMMANDS),
        ...[...Object.entries(LISTING), ...Object.entries(CHANGING)].map(([k, v]) => [k, v.options] as const),
      ];
      const [sub, options] = subs[pick(subs.length)]!;
      return line(pick(5) === 0 ? `git -C src ${sub}` : `git ${sub}`, table(options), pick);
    }
    const entry: CommandEntry = entries[pick(entries.length)]!;
    const names = entry.names.split(' ');
    const name = names[pick(names.length)]!;
    if (LEFT_OUT.test(name)) continue;
    const t = table(entry.options ?? '');
    return line(name, t, pick, entry.style?.includes('single-dash'));
  }
}

/** Control flow and substitutions around commands. */
export function compose(commands: string[], pick: (n: number) => number): string {
  const [a, b] = commands as [string, string];
  const shapes = [
    `${a}`,
    `${a} | ${b}`,
    `${a} && ${b}`,
    `if ${a}; then ${b}; fi`,
    `for f in *.txt; do ${a}; done`,
    `cd src && ${a}`,
    `for ((i = 0; i < 2; i++)); do ${a}; done`,
    `A1=x ${a}`,
    `echo "$(${a})"`,
    `( ${a}; ${b} )`,
    `x=$(${a}); echo "$x"`,
    `${a} 2>/dev/null | head -3`,
    `cat <(${a}) | ${b}`,
    `printf 'a.txt\\n' | xargs ${a}`,
    `find . -name '*.txt' -exec ${a} {} \\;`,
    `bash -c '${a.replaceAll("'", '"')}'`,
  ];
  return shapes[pick(shapes.length)]!;
}
