// What the analyser says that a word becomes is what Bash makes of it: exactly where it says so, and consistent with it elsewhere.
// FUZZ_WORDS says how many words, FUZZ_SEED from which seed.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'unbash';
import { afterAll, describe, expect, test } from 'vitest';
import type { Arg } from '../../../src/shell/arg.ts';
import { listOf } from '../../../src/shell/outline.ts';
import { ShellState } from '../../../src/shell/state.ts';
import { Walk } from '../../../src/shell/walk.ts';
import { temporaryFolder } from '../../support/files.ts';
import { Dice, prelude, word } from './word-generator.ts';

const wanted = Number(process.env.FUZZ_WORDS ?? 4_000);
const seed = Number(process.env.FUZZ_SEED ?? 1);
const perBatch = 200;

const folder = temporaryFolder('modes-words-');
const home = path.join(folder, 'home');
const cwd = path.join(folder, 'work');
mkdirSync(path.join(cwd, 'secret'), { recursive: true });
mkdirSync(home);
for (const name of ['.env', 'secret/key', 'a', 'b.t', 'c.t', 'a b.t']) writeFileSync(path.join(cwd, name), name);
afterAll(() => rmSync(folder, { recursive: true }));

const environment = { PATH: process.env.PATH, HOME: home, LC_ALL: 'C.UTF-8' };

/** What Bash makes of each word; null where it reports an error. */
function reality(before: string, words: readonly string[]): (string[] | null)[] {
  const lines = words.map((one) => `( printf 'w\\0'; printf 'v%s\\0' ${one} 2>/dev/null && printf 'e\\0' )`);
  const { stdout } = spawnSync('bash', ['--norc', '-c', `${before}\n${lines.join('\n')}`, 'bash'], {
    cwd,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const out = stdout
    .split('w\0')
    .slice(1)
    .map((text) => {
      const items = text.split('\0').slice(0, -1);
      // `printf` prints its format once without any word.
      return items.at(-1) !== 'e' ? null : items.slice(0, -1).map((item) => item.slice(1));
    });
  if (out.length === words.length) return out;
  // A word that Bash cannot parse takes its whole text along.
  const half = words.length >> 1;
  return half === 0 ? [null] : [...reality(before, words.slice(0, half)), ...reality(before, words.slice(half))];
}

function analysedWords(before: string, text: string): Arg[] | null {
  const walk = new Walk({ cwd, home });
  const state = new ShellState([cwd]);
  walk.run(before, state);
  const script = parse(`x ${text}`);
  const node = script.commands[0]?.command;
  if (script.errors?.length || script.commands.length !== 1 || node?.type !== 'Command') return null;
  const args: Arg[] = [];
  for (const one of node.suffix) {
    if (one.type !== 'Word') return null;
    args.push(...walk.words(one, state));
  }
  return args;
}

function asExpression(pattern: string): RegExp {
  const source = pattern.replace(/\[[!^]?[^\]]*\]|\\.|[\s\S]/g, (one) => {
    if (one === '*') return '[\\s\\S]*';
    if (one === '?') return '[\\s\\S]';
    if (/^\[.+\]$/.test(one)) return one.replace(/^\[!/, '[^').replace(/\\/g, '\\\\');
    return one.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${source}$`);
}

/** A glob that finds nothing stays as it is; its quoted characters are known as `?`. */
function matchesGlob(pattern: string, text: string): boolean {
  const own = [...pattern];
  return (
    asExpression(pattern).test(text) || (own.length === text.length && own.every((char, i) => char === '?' || char === text[i]))
  );
}

function hasParts(text: string, parts: readonly string[]): boolean {
  if (parts.length === 1) return text === parts[0];
  let at = parts[0]!.length;
  if (!text.startsWith(parts[0]!)) return false;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - at >= parts.at(-1)!.length && text.endsWith(parts.at(-1)!);
}

/** One of the words that the analyser says this one may be. */
function mayBe(arg: Arg, text: string): boolean {
  if (arg.value !== null) return arg.pattern ? matchesGlob(arg.value, text) : text === arg.value;
  if (arg.texts !== null) return arg.texts.includes(text);
  const isFound =
    arg.found?.names.some(({ text: name, how }) => (how === 'glob' ? matchesGlob(name, text) : name === text)) ?? false;
  if (arg.int) return /^-?\d+$/.test(text);
  return isFound || (arg.found?.isAll !== true && listOf(arg.outlines).some((pieces) => hasParts(text, pieces)));
}

function fits(args: readonly Arg[], words: readonly string[]): boolean {
  const [arg, ...more] = args;
  if (arg === undefined) return words.length === 0;
  const isOptional = arg.many || arg.vanishes;
  if (isOptional && fits(more, words)) return true;
  for (let n = 1; n <= words.length; n++) {
    if (!mayBe(arg, words[n - 1]!)) return false;
    if ((n === 1 || arg.several) && fits(more, words.slice(n))) return true;
    if (!arg.several) return false;
  }
  return false;
}

const shown = (args: readonly Arg[]) =>
  args.map((a) => ({
    value: a.value,
    texts: a.texts,
    many: a.many,
    found: a.found,
    partial: listOf(a.outlines),
    int: a.int,
    pattern: a.pattern,
  }));

describe('words match the expansion of Bash', () => {
  test(`${wanted} words from seed ${seed}`, { timeout: 60_000 + wanted * 50 }, () => {
    const dice = new Dice(seed);
    const wrong: unknown[] = [];
    let compared = 0;
    let exact = 0;
    for (let made = 0; made < wanted; made += perBatch) {
      const before = prelude(dice);
      const words = Array.from({ length: Math.min(perBatch, wanted - made) }, () => word(dice));
      const real = reality(before, words);
      for (const [i, text] of words.entries()) {
        const bash = real[i];
        const args = analysedWords(before, text);
        if (bash == null || args === null) continue;
        compared++;
        // A `printf` without words prints its format all the same.
        const options = bash.length === 1 && bash[0] === '' ? [bash, []] : [bash];
        if (args.every((arg) => arg.value !== null)) exact++;
        if (!options.some((one) => fits(args, one))) wrong.push({ before, text, bash, said: shown(args) });
      }
    }
    console.log({ wanted, seed, compared, exact, wrong: wrong.length });
    expect(wrong.slice(0, Number(process.env.FUZZ_SHOWN ?? 5)).map((one) => JSON.stringify(one))).toEqual([]);
    expect(compared).toBeGreaterThan(wanted * 0.6);
    expect(exact).toBeGreaterThan(compared * 0.4);
  });
});
