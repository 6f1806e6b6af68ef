// Kinds of subcommands that many programs share.

import type { NamePart, Skips } from '../../model/command.ts';
import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import { removes } from '../effects.ts';
import type { Verb } from '../entry.ts';
import { isPlain, languageOf } from '../languages/plain.ts';
import { conditionsOf } from '../loads.ts';
import { has, type OptionTable, type ParseStyle } from '../options.ts';
import { ANYTHING } from '../state.ts';
import { basename } from '../targets.ts';

/** Runs code of the project, with any words after it. */
export const RUNS: Verb = 'runs';
/** Queries a service, and runs code of the project on the way. */
export const ASKS_AND_RUNS: Verb = {
  class: 'runs',
  network: 'read',
  handle: (call) => call.is('runs', `${call.name} runs code of the project`),
};
/** Sends a request to a server and changes nothing. */
export const asks = (options: string, more: Partial<Exclude<Verb, string>> = {}): Verb => ({
  options,
  operands: 'text',
  network: more.class === undefined ? 'read' : true,
  ...more,
});
/** Changes nothing. */
export const looks = (options: string, more: Partial<Exclude<Verb, string>> = {}): Verb => ({
  options,
  operands: 'text',
  ...more,
});
/** Installs packages and runs their scripts. */
export const installs: Verb = {
  class: 'runs',
  network: true,
  traits: ['any-option'],
  operands: 'text',
  why: 'installs packages and runs their scripts',
  handle: (call) => installing(call),
};
/** Only compares what is installed if it has one of these options and none that names a service. Otherwise it installs. */
export const installsUnless = (...options: string[]): Verb => ({
  class: 'runs',
  traits: ['any-option'],
  operands: 'text',
  handle(call) {
    const words = call.rest.map(({ literal }) => literal ?? '-');
    // `--dry-run false` is the opposite.
    const isUsual = words.every(
      (word) => /^(?:(?!(?:true|false|null)$)[^-].*|-q|--quiet|-v|--verbose)$/.test(word) || options.includes(word),
    );
    if (!isUsual || !words.some((word) => options.includes(word))) return installing(call);
    call.queries();
    call.tag('checks');
    call.is('runs', `${call.name} runs code of the project`);
  },
});
/** Runs a program of a package that is fetched first. */
export const fetches: Verb = { class: 'runs', network: true, handle: (call) => executing(call, false) };
/** Runs a program of a package that is fetched first, unless the project has it. */
export const executes: Verb = { class: 'runs', network: true, handle: (call) => executing(call, true) };

/** Runs a script of the project, or a program that it has installed, by its name alone: `yarn vitest`. */
export const runsByName: Verb = {
  class: 'runs',
  handle(call) {
    call.starts(call.args);
    call.is('runs', `${call.name} runs code of the project`);
  },
};

/** Runs a program from the project's environment. */
export const startsProgram = (options: string): Verb => ({
  options,
  class: 'runs',
  why: 'runs code of the project',
  handle(call, t) {
    const given = call.parse(t, ['posix']);
    call.accept({ ...given, flaggy: null });
    call.starts(given.operands);
    // An unknown option may have taken the next word.
    if (given.problem) call.starts(given.operands.slice(1));
    const text = textStarted(call, given.operands);
    if (text === 'plain') call.tag('checks');
    if (text === 'opaque') call.unknown(`${call.name} runs a program text that is not analyzed`);
    else call.is('runs', `${call.name} runs code of the project`);
  },
});

/** `uv run python -c TEXT`: the text is judged as if the interpreter was started by itself. null: no text. */
function textStarted(call: CommandCall, [program, ...words]: readonly Arg[]): 'plain' | 'opaque' | null {
  const name = basename(program?.literal ?? '');
  if (languageOf(name) === null) return null;
  const literals = words.map(({ literal }) => literal);
  const isInline = literals.some((word) => word !== null && /^-[a-zA-Z]*[cep]$/.test(word));
  if (!isInline && literals.length > 0 && literals[0] !== '-') return null;
  const text = isInline || !('text' in call.stdin) ? null : (call.stdin.text ?? null);
  if (!isInline && text === null) return 'opaque';
  return isPlain(name, isInline ? literals : literals.slice(1), text) ? 'plain' : 'opaque';
}

/** Reads its files. With one of these options it rewrites them, including the files below its folders. */
export const rewrites =
  (...names: string[]) =>
  (call: CommandCall, t: OptionTable, style?: ParseStyle) => {
    const given = call.parse(t, style);
    call.accept(given);
    call.roles(given);
    const isWritten = has(given, ...names);
    for (const o of given.operands) {
      if (o.literal === '-') continue;
      if (isWritten)
        call.write(o, `${call.name} -${names[0]}`, { extent: 'deep', old: 'kept', why: `${call.name} rewrites its files` });
      else call.read(o, call.name, { extent: 'within' });
    }
  };

/** Prints nothing but names of files at or below these words. Null: a word is unknown. */
export function printsNames(call: CommandCall, words: readonly Arg[], skips: Skips | null, isWithoutLinks: boolean) {
  const without = { skips, files: true, isWithoutLinks };
  const names = words.map(({ literal, pattern, value }): NamePart | null =>
    pattern && value !== null
      ? { text: value, how: 'glob' }
      : literal === null
        ? null
        : { text: literal, how: 'deep', ...without },
  );
  if (names.includes(null)) return;
  const all = names.length === 0 ? [{ text: '.', how: 'deep', ...without } as const] : (names as NamePart[]);
  call.lists(...all);
  call.prints({ ...ANYTHING, found: { names: all, isAll: false, isListed: true }, unless: conditionsOf(all, call.cwds) });
}

/** Leaves out all files but those with a name that fits the pattern. */
function named(text: string): Skips {
  return { style: 'grep', hidden: false, ignored: false, globs: [{ text, skip: false, of: 'file' }], types: [], base: null };
}

/** Prints names at or below these words, or below the current folder. */
export function listsBelow(
  call: CommandCall,
  words: readonly Arg[],
  skips: Skips | null,
  without: Pick<NamePart, 'files' | 'isWithoutLinks'> = {},
  isGit = false,
) {
  if (words.length === 0) call.lists({ text: '.', how: 'deep', skips, ...without });
  for (const { literal } of words) {
    // Git interprets wildcards and magic itself.
    const isPath = literal !== null && !/[*?[\\:]/.test(literal);
    // In git, `*` also matches slashes.
    const [, folder, end] = (isGit && /^((?:[\w.-]+\/)*)(\*[\w.*-]+)$/.exec(literal ?? '')) || [];
    if (end !== undefined) call.lists({ text: folder || '.', how: 'deep', skips: named(end), ...without });
    else call.lists({ text: isPath ? literal : '.', how: 'deep', skips, ...without });
  }
}

export function installing(call: CommandCall) {
  call.network();
  call.is('runs', `${call.name} installs packages and runs their scripts`);
}

export function executing(call: CommandCall, prefersInstalled: boolean) {
  const at = call.rest.findIndex((arg) => !arg.lead.startsWith('-'));
  const words = at === -1 ? [] : call.rest.slice(at);
  const options = call.rest.slice(0, Math.max(at, 0)).map(({ literal }) => literal);
  // npx and bunx fetch nothing with these.
  const isOffline = options.some((option) => option === '--no-install' || option === '--no');
  const areKnown =
    at !== -1 && options.every((option) => /^(?:--|--no-install|--no|-y|--yes|-q|--quiet|-s|--silent)$/.test(option ?? ''));
  const isLocal = prefersInstalled && areKnown && (isOffline || isInstalled(call, words[0]!));
  if (!isLocal) call.network();
  if (!isLocal && areKnown && isWellKnown(call, words[0]!)) onlyAsks(call);
  if (words.length > 0) call.starts(words);
  // The word after an option may be its value: `npx -p PACKAGE PROGRAM`.
  if (at > 0) call.starts(words.slice(1));
  // `npx expo install x`, `npx playwright install`
  if (/^(?:install|add|upgrade|prebuild)$/.test(words[1]?.literal ?? '')) call.network();
  call.is('runs', `${call.name} runs a program of a package${isLocal ? '' : ', which may be fetched first'}`);
}

/**
 * Tools that their makers publish under the name of the program. A runner that fetches one of them runs the same code as one that
 * finds it installed. `tsc` without TypeScript fetches a package that only prints a message.
 */
const PUBLISHED: readonly { runners: RegExp; tools: ReadonlySet<string> }[] = [
  {
    runners: /^(?:npx|bunx|pnpx|(?:npm|pnpm|yarn|bun) (?:exec|x|dlx))$/,
    tools: new Set(
      `vitest jest mocha ava tap tape jasmine karma cypress playwright nyc c8 eslint oxlint stylelint tslint xo standard prettier tsc
       typescript vue-tsc svelte-check knip depcheck madge dependency-cruiser publint cspell markdownlint-cli markdownlint-cli2 tsx
       ts-node tsup vite vite-node next nuxt astro webpack rollup parcel esbuild turbo nx prisma drizzle-kit size-limit lint-staged
       storybook typedoc nodemon concurrently ts-prune ts-unused-exports license-checker jscpd syncpack terser
       source-map-explorer html-validate type-coverage dpdm @arethetypeswrong/cli @commitlint/cli serve http-server json-server @biomejs/biome @redocly/cli @stoplight/spectral-cli`.split(
        /\s+/,
      ),
    ),
  },
  {
    runners: /^(?:uvx|(?:uv tool|pipx) run)$/,
    tools: new Set(
      `pytest tox nox ruff black isort flake8 mypy pyright basedpyright pylint bandit yapf vulture codespell pre-commit coverage ty
       djlint sqlfluff pip-audit`.split(/\s+/),
    ),
  },
];

/** Other variables can name another registry, a proxy, or code that node loads first. */
const ORDINARY_VARIABLE = /^(?:NODE_ENV|CI|DEBUG|FORCE_COLOR|NO_COLOR|TZ|LANG|LC_\w+|LOG_LEVEL|(?:VITE|NEXT)_\w+)$/;

/** The name of such a tool, alone or with a plain version. */
function isWellKnown({ name, prefix, state, cwds }: CommandCall, program: Arg): boolean {
  const tool = /^(@?[\w./-]+?)(?:@(?:latest|[\d.]+))?$/.exec(program.literal ?? '')?.[1];
  const tools = PUBLISHED.find(({ runners }) => runners.test(name))?.tools;
  return (
    tool !== undefined &&
    tools?.has(tool) === true &&
    cwds !== null &&
    prefix.every((one) => ORDINARY_VARIABLE.test(one.name)) &&
    state.envTaint === null
  );
}

/** The project has the program in node_modules/.bin of the working folder or of one of its parents. */
function isInstalled({ host, cwds, entry }: CommandCall, program: Arg): boolean {
  const name = program.literal;
  if (name === null || !/^(?:@[\w.-]+\/)?\w[\w.-]*$/.test(name) || cwds === null || cwds.length === 0) return false;
  const before = host.effects.commands.slice(0, entry);
  // A command that ran before may have removed it. A program of the project could use the network itself.
  if (!host.disk.isSure && (host.removingLoops > 0 || before.some(removes))) return false;
  // The program of a package with a scope often has another name.
  const place = name.startsWith('@') ? `${name}/package.json` : `.bin/${name}`;
  return cwds.every((folder) => {
    const parents = folder.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'));
    return parents.some((parent) => host.disk.real(`${parent}/node_modules/${place}`) !== null);
  });
}

/** A word may contain a file name after this beginning, and the content of the file is sent. */
export function sentFile(call: CommandCall, word: Arg, beginning: RegExp) {
  const match = beginning.exec(word.value ?? word.lead);
  if (match) call.read(word.after(match[0].length), call.name);
}

/** In a copy command, all words except the last are sent, unless they name a place elsewhere. */
export function sentFiles(call: CommandCall, words: readonly Arg[]) {
  for (const word of words.slice(0, -1))
    if (!/^[^/]*:/.test(word.value ?? word.lead)) call.read(word, call.name, { extent: 'deep' });
  // Fetched files are stored here.
  const dest = words.at(-1);
  if (words.length > 1 && dest?.literal && dest.literal !== '-' && !/^[^/]*:/.test(dest.literal))
    call.write(dest, call.name, { extent: 'deep', old: 'untouched' });
}

/** Copies between this machine and another place. */
export function sends(call: CommandCall, t: OptionTable) {
  call.unknown(`${call.name} does more than read`);
  sentFiles(call, call.parse(t).operands);
}

/** A request to a service that certainly changes nothing is a query. Options that name another server make the class unknown. */
export function onlyAsks(call: CommandCall): void {
  if (call.host.effects.commands[call.entry]!.class === 'read-only') call.queries();
}
