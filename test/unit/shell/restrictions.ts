// What the tables forbid, one mutant a restriction, and the rows that have to notice when it is gone.

import type { BashClass, BashFacts } from '../../../src/model/command.ts';
import { analyse } from '../../../src/shell/analyse.ts';
import { CHANGING } from '../../../src/shell/commands/git/changing.ts';
import { LISTING } from '../../../src/shell/commands/git/listing.ts';
import { SUBCOMMANDS } from '../../../src/shell/commands/git/options.ts';
import type { CommandEntry, Verb } from '../../../src/shell/entry.ts';
import { type OptionSpec, type OptionTable, table as readTable } from '../../../src/shell/options.ts';
import { allEntries, compile, lookup } from '../../../src/shell/registry.ts';
import { context, readJson, readObserved, readRows, readTexts } from './corpora.ts';
import { probe } from './instrument.ts';

/** A row written down for a restriction. Paths are absolute; what is left out is not looked at. */
export interface RestrictionRow {
  command: string;
  class: BashClass;
  reads?: string[];
  writes?: string[];
  network?: boolean;
  hosts?: string[];
  /** Parts that may be named by an allow rule. */
  top?: boolean[];
  /** Files by which the project can make a part of it run code of its own. */
  loads?: string[];
}

interface PoolRow {
  command: string;
  holds(facts: BashFacts): boolean;
}

/** A restriction, and how to do without it for a moment. */
export interface Restriction {
  what: string;
  /** Rows that cannot notice are left out: the tables, options or entries that one has to use. */
  part: object;
  remove(): () => void;
  /** Command lines of which one may show it. */
  candidates: string[];
}

const sorted = (list: BashFacts['reads']) => [...new Set(list.map((t) => t.path))].sort();
const loads = (facts: BashFacts) => facts.commands.flatMap((c) => c.loads ?? []).flatMap((load) => load.files);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export function rowHolds(row: RestrictionRow, facts: BashFacts): boolean {
  return (
    facts.class === row.class &&
    (!row.reads || same(sorted(facts.reads), row.reads)) &&
    (!row.writes || same(sorted(facts.writes), row.writes)) &&
    (row.network === undefined || facts.network === row.network) &&
    (!row.hosts || same(facts.hosts, row.hosts)) &&
    (!row.loads || same(loads(facts), row.loads)) &&
    (!row.top ||
      same(
        facts.commands.map((c) => c.top),
        row.top,
      ))
  );
}

export const restrictionRows = (): RestrictionRow[] => readJson('restrictions.jsonl') as RestrictionRow[];

/** All rows that some test asserts. */
export function pool(): PoolRow[] {
  const changing = [
    ...['bash-mutating.jsonl', 'bash-unparsable.jsonl', 'zsh-mutating.jsonl'].flatMap((f) => readRows(f).map((r) => r.command)),
    ...readObserved()
      .filter(([effect]) => effect === 'WRITES')
      .map(([, command]) => command),
    ...readTexts('adversarial.jsonl'),
  ];
  const calm = [
    ...readRows('bash-readonly.jsonl')
      .filter((r) => !r.hard)
      .map((r) => r.command),
    ...readTexts('everyday.jsonl'),
  ];
  return [
    ...changing.map((command) => ({ command, holds: (f: BashFacts) => f.class !== 'read-only' })),
    ...calm.map((command) => ({ command, holds: (f: BashFacts) => f.class === 'read-only' })),
    ...allEntries()
      .flatMap((e) => Object.entries(e.examples ?? {}))
      .map(([command, cls]) => ({ command, holds: (f: BashFacts) => f.class === cls })),
    ...restrictionRows().map((row) => ({ command: row.command, holds: (f: BashFacts) => rowHolds(row, f) })),
  ];
}

/** Which tables, options and entries each row uses, turned round. */
export function usersOf(rows: PoolRow[]): Map<object, PoolRow[]> {
  const users = new Map<object, PoolRow[]>();
  const restore = allEntries().map((entry) => {
    const command = lookup(entry.names.split(' ')[0]!)!;
    const { classify: judge } = command;
    command.classify = (call) => {
      probe.touched.add(entry);
      judge(call);
    };
    return () => {
      command.classify = judge;
    };
  });
  for (const row of rows) {
    probe.touched.clear();
    analyse(row.command, context);
    for (const part of probe.touched) users.set(part, [...(users.get(part) ?? []), row]);
  }
  for (const undo of restore) undo();
  return users;
}

const ORDER: BashClass[] = ['read-only', 'writes', 'runs', 'unknown'];
const classOf = (command: string) => ORDER.indexOf(analyse(command, context).class);

/** Tables used by a command line. */
function tablesOf(command: string): OptionTable[] {
  probe.touched.clear();
  analyse(command, context);
  return [...probe.touched].filter((part): part is OptionTable => 'short' in part);
}

interface Head {
  words: string;
  table: OptionTable;
}

/** `grep`, `npm ls`, `git log`, … with the table by which the words behind are read. */
function heads(): Head[] {
  const words: string[] = [];
  for (const entry of allEntries()) {
    const name = entry.names.split(' ')[0]!;
    words.push(name);
    for (const key of Object.keys(entry.verbs ?? {})) words.push(`${name} ${key.split('|')[0]!.replaceAll('*', 'whatever')}`);
  }
  for (const sub of [...Object.keys(SUBCOMMANDS), ...Object.keys(LISTING), ...Object.keys(CHANGING)]) words.push(`git ${sub}`);
  const seen = new Set<OptionTable>();
  const out: Head[] = [];
  for (const w of words) {
    for (const table of tablesOf(`${w} x`)) {
      if (seen.has(table)) continue;
      seen.add(table);
      out.push({ words: w, table });
    }
  }
  return out;
}

const flagOf = (name: string, spec: OptionSpec, long: boolean, single: boolean): string[] => {
  const flag = long ? `${single ? '-' : '--'}${name}` : `-${name}`;
  if (spec.arity === 0) return [flag];
  const values = ['v', 'x.invalid', 'd/v', '@v', 'POST', '$v'];
  return spec.arity === 1
    ? values.map((v) => `${flag} ${v}`)
    : [flag, ...values.map((v) => (long ? `${flag}=${v}` : `${flag}${v}`))];
};

const ENDS = [
  '',
  ' x',
  ' x y',
  ' list',
  ' show',
  ' get x',
  ' .x y',
  ' s/a/b/ x',
  " '{print}' x",
  ' --dry-run',
  ' -l',
  ' -q x',
  ' -x -f x',
  ' -d',
  ' https://a.invalid/x',
  " t.db 'select 1'",
  ' create x',
];

/** What may stand behind the words so that the whole is understood: from rows that are read-only, short ones first, and by guess. */
function bases(words: string, calm: string[]): string[] {
  const taken = calm.filter((c) => c.startsWith(`${words} `)).slice(0, 3);
  return [...new Set([...taken.map((c) => c.slice(words.length)), ...ENDS])]
    .filter((end) => classOf(words + end) < 3)
    .slice(0, 6);
}

/** Every restriction of an option table: roles, options that a handler minds, options that are not listed, words that may become one. */
export function optionRestrictions(rows: PoolRow[]): Restriction[] {
  const out: Restriction[] = [];
  const calm = rows
    .map((row) => row.command)
    .filter((c) => c.length < 80 && !/[|&;<>$`\n]/.test(c) && classOf(c) === 0)
    .sort((a, b) => a.length - b.length);
  for (const { words, table } of heads()) {
    const ends = bases(words, calm);
    const entry = lookup(words.split(' ')[0]!)?.entry;
    // What stands in the program's own table is looked at there, not once more for each subcommand.
    const inherited = entry?.verbs && words.includes(' ') ? readTable(entry.options ?? '') : null;
    const single = entry?.style?.includes('single-dash') === true || words === 'sqlite3' || words === 'xxd';
    for (const [map, long] of [
      [table.short, false],
      [table.long, true],
    ] as const) {
      for (const [name, spec] of map) {
        if (inherited && (long ? inherited.long : inherited.short).has(name)) continue;
        const lines = flagOf(name, spec, long, single).flatMap((flag) =>
          (ends.length > 0 ? ends : ['', ' x']).map((end) => `${words} ${flag}${end}`),
        );
        const { role } = spec;
        const what = `${words} ${long ? '--' : '-'}${name}`;
        if (role !== '') {
          out.push({
            what: `${what}, role ${role}`,
            part: spec,
            candidates: lines,
            remove: () => {
              spec.role = '';
              // A handler may mind it as well.
              if (role === '!') probe.hidden = spec;
              return () => {
                spec.role = role;
                probe.hidden = null;
              };
            },
          });
          continue;
        }
        // Behind no subcommand there is nothing to be minded.
        if (entry?.verbs && !words.includes(' ')) continue;
        const hide = () => {
          probe.hidden = spec;
          return () => {
            probe.hidden = null;
          };
        };
        const minded = lines.find((line) => worseThanWithout(line, hide));
        if (minded) out.push({ what: `${what}, as its handler reads it`, part: spec, candidates: [minded], remove: hide });
      }
    }
    const trust = () => {
      probe.trusting = table;
      return () => {
        probe.trusting = null;
      };
    };
    const wary = [`${words} $x`, ...ends.map((end) => `${words}${end} $x`)].find((line) => worseThanWithout(line, trust));
    if (wary) out.push({ what: `${words}, words that may become options`, part: table, candidates: [wary], remove: trust });
  }
  return out;
}

/** Tables of commands that can be understood, by which an option that nobody listed passes all the same. */
export function laxTables(): string[] {
  return heads()
    .filter(({ words, table }) => {
      const ends = bases(words, []);
      const lax = () => {
        probe.lax = table;
        return () => {
          probe.lax = null;
        };
      };
      // Where the shell goes on shows what cd and its kin made of it.
      const lines = ends.flatMap((end) => [`${words} --no-such-option${end}`, `${words} --no-such-option${end} && touch a`]);
      return ends.length > 0 && !lines.some((line) => classOf(line) === 3 && worseThanWithout(line, lax));
    })
    .map(({ words }) => words);
}

function worseThanWithout(line: string, remove: () => () => void): boolean {
  const now = classOf(line);
  if (now === 0) return false;
  const restore = remove();
  const without = classOf(line);
  restore();
  return without < now;
}

const TEXT = { operands: 'text', traits: ['any-option'] } as const;

/** The client strips these as well, so what they wrap counts as standing at the top. */
const CLIENT_WRAPPERS = /^(?:timeout|time|nice|nohup|stdbuf|command|builtin|noglob)$/;

type Fields = Exclude<Verb, string>;

/** An entry's or verb's own fields with one restriction less, each with what it was. */
function loosened(fields: Fields, inherited: boolean): [string, Fields][] {
  const out: [string, Fields][] = (fields.loads?.split(' ') ?? []).map((file, _, files) => [
    `loads ${file}`,
    { ...fields, loads: files.filter((one) => one !== file).join(' ') || undefined },
  ]);
  if (fields.handle)
    return [...out, ['its handler', { ...fields, ...TEXT, handle: undefined, class: undefined, most: undefined }]];
  const none = (fields.operands ?? 'none') === 'none';
  if (none) out.push(['operands none', { ...fields, operands: 'text', most: undefined }]);
  else if (fields.operands !== 'text') out.push([`operands ${fields.operands}`, { ...fields, operands: 'text' }]);
  if (fields.most !== undefined && !none) out.push(['most', { ...fields, most: undefined }]);
  if (fields.here) out.push(['here', { ...fields, here: undefined }]);
  if (fields.class && fields.class !== 'read-only') out.push([`class ${fields.class}`, { ...fields, class: undefined }]);
  if (fields.network && !inherited) out.push(['network', { ...fields, network: undefined }]);
  return out;
}

/** Every restriction of an entry besides its options: operands, class, network, wrapper, handler, subcommands. */
export function entryRestrictions(): Restriction[] {
  const out: Restriction[] = [];
  for (const entry of allEntries()) {
    const names = entry.names.split(' ');
    const name = names[0]!;
    const command = lookup(name)!;
    const add = (what: string, mutant: CommandEntry, candidates: string[]) =>
      out.push({
        what: `${name}, ${what}`,
        part: entry,
        candidates,
        remove: () => {
          const { classify: judge, wrapper } = command;
          const made = compile(mutant);
          command.classify = made.classify;
          command.wrapper = made.wrapper;
          return () => {
            command.classify = judge;
            command.wrapper = wrapper;
          };
        },
      });
    const plain = [
      name,
      `${name} --version`,
      `${name} x`,
      `${name} x y`,
      `${name} -x x`,
      `${name} x x x x`,
      `${name} https://a.invalid/`,
      `${name} 1 rm x`,
      `${name} rm x`,
      `${name} -c 'rm x'`,
      `${name} -i s/a/b/ x`,
      `${name} s/a/b/w`,
      `${name} x=y`,
      `${name} -r x`,
      `${name} +x x`,
      `${name} 5 ls`,
      `${name} ls`,
      `${name} 'a[$(x)]'`,
      `${name} -v 'a[$(x)]' y`,
      `${name} $x`,
      `${name} 1 ls x`,
      `${name} + x`,
      `${name} -lt x`,
      `${name} of=x`,
      `${name} x.db y`,
      `${name} && touch a`,
      `${name} x && touch a`,
      `set -- a b; ${name}; touch "$1"`,
    ];
    if (!entry.verbs) for (const [what, fields] of loosened(entry, false)) add(what, { ...entry, ...fields }, plain);
    if (entry.traits?.includes('wrapper') && !CLIENT_WRAPPERS.test(name))
      add('wrapper', { ...entry, traits: [] }, [`${name} ls`, `${name} 1 ls`, `${name} x ls`, name]);
    if (!entry.verbs) continue;
    for (const file of entry.loads?.split(' ') ?? []) {
      const files = entry.loads!.split(' ').filter((one) => one !== file);
      add(`loads ${file}`, { ...entry, loads: files.join(' ') || undefined }, [`${name} --version`, ...plain]);
    }
    if (entry.class && entry.class !== 'read-only') add(`class ${entry.class}`, { ...entry, class: undefined }, [name]);
    if (!entry.verbs['*'])
      add('unknown subcommands', { ...entry, verbs: { ...entry.verbs, '*': 'read-only' } }, [`${name} whatever`]);
    for (const [key, verb] of Object.entries(entry.verbs)) {
      const { [key]: _, ...others } = entry.verbs;
      const first = `${name} ${key.split('|')[0]!.replaceAll('*', 'whatever')}`;
      const lines = [first, `${first} x`, `${first} x y`, `${first} x y z`, `${first} ./x`, `${first} --in x`];
      if (typeof verb !== 'string') {
        for (const [what, fields] of loosened(verb, entry.network === true))
          add(`${key}: ${what}`, { ...entry, verbs: { ...others, [key]: fields } }, lines);
        continue;
      }
      if (verb === 'read-only') continue;
      for (const one of key.split('|')) {
        const rest = key.split('|').filter((k) => k !== one);
        const verbs = { [one]: 'read-only' as const, ...others, ...(rest.length > 0 ? { [rest.join('|')]: verb } : {}) };
        add(`${one} is ${verb}`, { ...entry, verbs }, [
          `${name} ${one.replaceAll('*', 'whatever')}`,
          `${name} ${one.replaceAll('*', 'whatever')} x`,
        ]);
      }
    }
  }
  return out;
}

/** The rows that fail without a restriction. */
export function noticedBy(restriction: Restriction, users: Map<object, PoolRow[]>): string | null {
  const rows = users.get(restriction.part) ?? [];
  const restore = restriction.remove();
  const found = rows.find((row) => !row.holds(analyse(row.command, context)));
  restore();
  return found?.command ?? null;
}

/** A row that would notice, out of the candidates; null when none of them does. */
export function suggest(restriction: Restriction): RestrictionRow | null {
  for (const command of restriction.candidates) {
    const facts = analyse(command, context);
    const restore = restriction.remove();
    const without = analyse(command, context);
    restore();
    if (ORDER.indexOf(facts.class) > ORDER.indexOf(without.class)) return { command, class: facts.class };
    if (facts.class !== without.class) continue;
    const row: RestrictionRow = { command, class: facts.class };
    if (!same(sorted(facts.reads), sorted(without.reads))) row.reads = sorted(facts.reads);
    if (!same(sorted(facts.writes), sorted(without.writes))) row.writes = sorted(facts.writes);
    if (facts.network !== without.network) row.network = facts.network;
    if (!same(facts.hosts, without.hosts)) row.hosts = facts.hosts;
    if (!same(loads(facts), loads(without))) row.loads = loads(facts);
    const top = facts.commands.map((c) => c.top);
    if (
      !same(
        top,
        without.commands.map((c) => c.top),
      )
    )
      row.top = top;
    if (Object.keys(row).length > 2) return row;
  }
  return null;
}
