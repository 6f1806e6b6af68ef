// Config lint: rules that are valid but almost certainly mistakes. The checks compare what rules match, not their spelling. No
// warning is no proof that a rule is right.

import { byPlace } from '../../config/order.ts';
import { collectProblems } from '../../config/report.ts';
import { commandFacts, commandKey } from '../../facts/paths/keys.ts';
import { shippedRoles } from '../../facts/servers.ts';
import type { Configuration, Layer, ModeSettings, OwnCommand, Transition } from '../../model/configuration.ts';
import type { Problem, Source } from '../../model/problem.ts';
import type { Requirement } from '../../model/requirement.ts';
import type { BashRule, CommandPattern, PathRule, Rule } from '../../model/rule.ts';
import { beats, canMatchPath } from '../../rules/covers.ts';
import { classesOf, isExcepted, matchesCommand, matchesPath } from '../../rules/direct.ts';
import { firstWord } from '../../rules/naming.ts';
import { isNothingBut } from '../../rules/nothing-but.ts';
import { parseRules } from '../../rules/parse.ts';
import { parsePathPattern } from '../../rules/pattern.ts';
import { rolesOf } from '../../rules/reading.ts';
import { matchesText } from '../../rules/regex.ts';
import { whyWideRule } from '../../rules/wide.ts';
import { analyse } from '../../shell/analyse.ts';
import { quote } from '../../shell/arg.ts';
import { matchesOptions } from '../../shell/option-sets.ts';
import type { ConfigSnapshot } from '../../store/snapshots.ts';
import type { LoadedRules } from '../prepared.ts';
import { type Never, whyNever } from './never.ts';
import { definedBy, scriptsOf } from './scripts.ts';

/** The rules of a mode, from all layers. */
export interface ModeRules {
  mode: string;
  rules: readonly Rule[];
  defaults: ModeSettings['defaults'];
  /** The transitions out of the mode. */
  transitions: readonly Pick<Transition, 'to' | 'require'>[];
}

export interface LintContext {
  /** `commands:` of modes.yaml. */
  commands: readonly OwnCommand[];
  /** Names of MCP tools with declared arguments. */
  declared: ReadonlySet<string>;
  /** True if custom policies may allow calls that no rule allows. */
  hasPolicies: boolean;
  home: string;
  /** Present files that affect the meaning of a run of this check, relative to the root. */
  guardedBy: GuardedBy;
  /** A clause about the part of the project that the command of this check needs and that does not exist; null: none. */
  missingFor: (check: Requirement) => string | null;
}

export type GuardedBy = (check: Requirement) => readonly string[];

/** At most this many rules per mode and effect are compared with each other. Comparing longer lists would take minutes. */
const maxRules = 300;

/** Checks a whole configuration. A broken one is not checked, since only its restrictions were read. */
export async function lintMode(
  loadedRules: LoadedRules,
  snapshot: ConfigSnapshot,
  { home, guardedBy = () => [], missingFor = () => null }: Pick<LintContext, 'home'> & Partial<LintContext>,
): Promise<Problem[]> {
  if (loadedRules.problems.some(({ severity }) => severity === 'error')) return [];
  const context = { home, arguments: rolesOf(loadedRules.arguments) };
  const modes = [...loadedRules.settings].map(([mode, { rules, defaults }]) => ({
    mode,
    rules: parseRules(rules, context).rules,
    defaults,
    transitions: loadedRules.topology?.modes.get(mode)?.transitions ?? [],
  }));
  const declared = loadedRules.arguments.flatMap(({ tool, trusted }) => (trusted ? [tool] : []));
  const found = await lintProject(modes, {
    commands: loadedRules.commands,
    declared: new Set(declared),
    hasPolicies: loadedRules.policies.length > 0,
    home,
    guardedBy,
    missingFor,
  });
  found.push(
    ...findUndeclared(
      loadedRules.arguments,
      modes.flatMap(({ rules }) => rules),
      snapshot,
    ),
  );
  const { problems, add } = collectProblems(snapshot.flatMap(({ files }) => files));
  add(found);
  return problems;
}

/**
 * Returns warnings with their places, once for all modes. A rule in several modes is reported only if it is a mistake in each of
 * them. Lets other work run in between: the server answers calls during the check.
 */
export async function lintProject(modes: readonly ModeRules[], around: LintContext): Promise<Problem[]> {
  const found = new Map<string, { problem: Problem; modes: number }>();
  const present = new Map<string, number>();
  const state: LintState = {
    whyNever: remember(
      (rule) => keyOf(rule),
      (rule) => neverOf(rule, around.home),
    ),
    isBeaten: remember(
      (allow, deny: Rule) => `${keyOf(allow)}\0${keyOf(deny)}`,
      (allow, deny: Rule) => beats(deny, allow),
    ),
  };
  for (const one of modes) {
    for (const key of new Set(one.rules.map(placeOf))) present.set(key, (present.get(key) ?? 0) + 1);
    for (const [rule, problem] of await lintRules(one, around, state)) {
      const key = placeOf(rule);
      const known = found.get(key);
      found.set(key, { problem: known?.problem ?? problem, modes: (known?.modes ?? 0) + 1 });
    }
  }
  const ofRules = [...found].filter(([key, { modes }]) => modes === present.get(key)).map(([, { problem }]) => problem);
  const ofModes = modes.flatMap((one) => [
    ...withoutReading(one, around),
    ...closedGates(one, around),
    ...impossibleGates(one, around),
    ...brokenGates(one, around),
  ]);
  return [...ofRules, ...ofModes].sort(byPlace);
}

/** Milliseconds of work before other work gets its turn. */
const turnMs = 10;

/** Returns a function that lets waiting work run if the last turn is long enough ago. */
function takeTurns(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < turnMs) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        last = performance.now();
        resolve();
      });
    });
  };
}

function placeOf({ source, effect, text }: Rule): string {
  return JSON.stringify([source.file, source.line, source.column, effect, text]);
}

interface LintState {
  whyNever: (rule: Rule) => Never | null;
  isBeaten: (allow: Rule, deny: Rule) => boolean;
}

function keyOf({ effect, text }: Rule): string {
  return `${effect} ${text}`;
}

/** Returns at most one warning per rule: the first that is found. */
async function lintRules(
  { rules, transitions }: ModeRules,
  { commands, declared, home, guardedBy }: LintContext,
  { whyNever: askNever, isBeaten }: LintState,
): Promise<Map<Rule, Problem>> {
  const turn = takeTurns();
  const found = new Map<Rule, Problem>();
  for (const rule of rules) {
    await turn();
    const never = askNever(rule);
    if (never !== null) found.set(rule, neverMatches(rule, never));
  }
  const denies = rules.filter(({ effect }) => effect === 'deny').slice(0, maxRules);
  const asks = rules.filter(({ effect }) => effect === 'ask').slice(0, maxRules);
  const allows = rules.filter(({ effect }) => effect === 'allow').slice(0, maxRules);
  for (const list of [denies, asks, allows]) {
    const byMeaning = new Map<string, Rule>();
    for (const rule of list) {
      const meaning = meaningOf(rule);
      const other = byMeaning.get(meaning);
      if (other === undefined) byMeaning.set(meaning, rule);
      else if (other.text !== rule.text && !found.has(rule)) found.set(rule, sameAs(rule, other));
    }
  }
  const guardsWrites = [...denies, ...asks].some(
    ({ kind, ...rule }) => kind === 'write' || kind === 'outside' || ('access' in rule && rule.access === 'write'),
  );
  const noWrites = denies.find((rule) => rule.kind === 'every' && rule.access === 'write');
  for (const allow of allows) {
    await turn();
    if (found.has(allow)) continue;
    const deny = denies.find((one) => isAnswer(one, allow) && isSure(one, allow) && isBeaten(allow, one));
    if (deny !== undefined) found.set(allow, beaten(allow, deny));
    else if (noWrites !== undefined && isUndeclared(allow, declared)) found.set(allow, mayWrite(allow, noWrites));
    else {
      const why = whyWideRule(allow);
      if (why) found.set(allow, wide(allow, why));
      else if (allow.kind === 'bash' && guardsWrites && isPartOfName(allow)) found.set(allow, partOfName(allow));
    }
  }
  const run = [
    ...commands
      .filter((command) => command.class === 'read-only' || command.class === 'writes')
      .map(({ match }) => ({
        scripts: scriptsOf(match),
        code: 'W_COMMAND_WRITABLE',
        as: `"${match}" under commands: runs as harmless`,
      })),
    ...transitions.flatMap(({ to, require }) =>
      require.flatMap((one) =>
        'command' in one
          ? [
              {
                scripts: definesOf(one).filter((script) => !staysSame(script, require, home)),
                code: 'W_GATE_WRITABLE',
                as: `the gate to ${to} runs: ${one.command}`,
              },
              {
                scripts: guardedBy(one).filter((file) => !staysSame(file, require, home)),
                code: 'W_GATE_WRITABLE',
                as: `it changes what the tests of the gate to ${to} mean (${one.command})`,
              },
            ]
          : [],
      ),
    ),
  ];
  for (const { scripts, code, as } of run) {
    for (const script of scripts) {
      if ([...denies, ...asks].some((rule) => matchesWrite(rule, script))) continue;
      const writer = allows.find((rule) => !found.has(rule) && matchesWrite(rule, script));
      if (writer !== undefined) found.set(writer, rewrites(writer, code, script, as));
    }
  }
  return found;
}

function warn(code: string, { source, text }: Rule, message: string, remedy: string): Problem {
  const { file, line, column } = source;
  return { code, severity: 'warning', message, remedy, file, line, column: column + 1, length: text.length };
}

function shown({ file, line }: Source): string {
  return `${file}:${line}`;
}

// Rules that match nothing.

function isPathRule(rule: Rule): rule is PathRule {
  return rule.kind === 'read' || rule.kind === 'write';
}

/** Why no call can match the rule, or null if one can. */
function neverOf(rule: Rule, home: string): Never | null {
  if (rule.kind === 'bash') return matchesSomeCommand(rule, home) ? null : neverRuns(rule);
  if (!isPathRule(rule)) return whyNever(rule);
  return rule.paths.some(canMatchPath) ? null : { why: 'no path has such a part', remedy: 'Correct the pattern.' };
}

/** Endings of a sample command that make the analyser find wrappers, scripts and subcommands. */
const tails = ['', ' x', ' -x', ' --help', ' x y', ' 1 x', ' -c x', ' x -- y', " 'x y'", ' a=b x'];

/** Texts that the stars of a pattern may match. */
const fillers = ['x', '', ' x', 'x ', ' x ', 'x y', '1', '/x', 'x/y', '-x', '=x', ' -x '];

/** Writes sample commands for the rule, and checks which commands the analyser passes on to rules. */
function matchesSomeCommand({ commands, effect }: BashRule, home: string): boolean {
  return commands.some((command) => {
    const texts = samplesOf(command);
    if (texts.length === 0) return true;
    // Deny and ask are also tried with every word quoted, since each word of the rule may be the content of quotes.
    const written = effect === 'allow' ? texts : [...texts, ...texts.map((text) => text.split(' ').map(quote).join(' '))];
    return written.some((text) => isHandedOn(command, text, effect !== 'allow', home));
  });
}

function samplesOf(command: CommandPattern): string[] {
  if (command.form === 'exact') return [command.text];
  if (command.form === 'prefix') return tails.map((tail) => command.text + tail);
  // Inside quotes, a star matches other text than outside, so too few of these commands would be correct.
  if (command.pieces.some((piece) => /['"\\$`]/.test(piece))) return [];
  return fillers.map((filler) => command.pieces.join(filler));
}

function isHandedOn(pattern: CommandPattern, text: string, restricts: boolean, home: string): boolean {
  return analyse(text, { cwd: '/', home })
    .commands.map((one) => commandFacts(one, '/'))
    .some((command) =>
      restricts
        ? command.spellings.some((spelling) => matchesCommand(pattern, spelling))
        : command.top && command.name !== '' && matchesCommand(pattern, command.text),
    );
}

function neverMatches(rule: Rule, { why, remedy }: Never): Problem {
  return warn('W_RULE_NEVER', rule, `${rule.text} matches no${rule.kind === 'bash' ? ' command' : 'thing'}: ${why}`, remedy);
}

function neverRuns(rule: BashRule): Never {
  const inner = innerOf(rule);
  return {
    why: 'commands are compared without the loops, wrappers and assignments around them',
    remedy: inner === null ? 'Write the command that runs in the end, or a class such as Bash(@runs).' : `Write Bash(${inner}).`,
  };
}

/** Returns the command that the analyser finds in the command of a rule; null if there is nothing to suggest. */
function innerOf({ commands, effect }: BashRule): string | null {
  const [command] = commands;
  if (command === undefined || command.form === 'glob') return null;
  const bashCommands = analyse(command.text, { cwd: '/', home: '/' }).commands.filter(
    ({ top, name }) => (top || effect !== 'allow') && /^[^-]/.test(name),
  );
  const text = bashCommands.length === 1 ? bashCommands[0]?.text : undefined;
  if (text === undefined || text === command.text) return null;
  return command.form === 'prefix' ? `${text}:*` : text;
}

/** The meaning of a rule, without its spelling. */
function meaningOf({ id: _id, text, source: _source, note: _note, ...meaning }: Rule): string {
  const paths = 'paths' in meaning ? { paths: meaning.paths.map(({ text: _written, ...path }) => path) } : {};
  // Write(…) and Edit(…) mean the same to Modes, but are two rules to the client. An author who writes both intends both.
  const tool = 'paths' in meaning ? { tool: /^[^(]*/.exec(text)?.[0] } : {};
  return JSON.stringify({ ...tool, ...meaning, ...paths });
}

function sameAs(rule: Rule, other: Rule): Problem {
  return warn(
    'W_DUPLICATE_RULE',
    rule,
    `${rule.text} means the same as ${other.text} (${shown(other.source)})`,
    'Remove one of them.',
  );
}

/** `pytest*` allows programs of many names. So it does not say that a run of a particular one is intended. */
function isPartOfName(rule: Rule): boolean {
  return (
    rule.kind === 'bash' && rule.commands.some((command) => /^[\w./@+-]+$/.test(headOf(command)) && firstWord(command) === null)
  );
}

const headOf = (command: CommandPattern): string => (command.form === 'glob' ? (command.pieces[0] as string) : command.text);

function partOfName(rule: Rule): Problem {
  const head = headOf((rule as BashRule).commands[0] as CommandPattern);
  return warn(
    'W_RULE_PART',
    rule,
    `${rule.text} does not name a whole program: commands that begin with ${head} and may write files that this mode guards still ask`,
    `Write Bash(${head}:*).`,
  );
}

// Gates with a command that the agent may not run in the mode.

/** Under any default but deny, a command that no rule matches runs or is asked about. So only a default of deny closes a gate. */
function closedGates({ mode, rules, defaults, transitions }: ModeRules, { commands, hasPolicies, home }: LintContext): Problem[] {
  const closed = defaults.find(({ value }) => value === 'deny');
  return transitions.flatMap(({ to, require }) =>
    require.flatMap((one): Problem[] => {
      const isRunByAgent = one.check === 'passes' || one.check === 'fails' || (one.check === 'tests' && one.by === 'agent');
      if (!isRunByAgent) return [];
      const text = one.command.replace(/(?::\*| \*)$/, '');
      if (text.includes('*')) return [];
      const parts = analyse(text, { cwd: '/', home, commands: commands.map((one) => ({ ...one, trusted: true })) }).commands.map(
        (command) => ({
          ...commandFacts(command, '/'),
          network: command.network,
        }),
      );
      const denying = rules.find((rule) => rule.effect === 'deny' && parts.some((part) => isAboutCommand(rule, part)));
      const place = { ...one.source, length: one.command.length };
      const what = `the gate to ${to} requires a run of ${one.command} in ${mode}`;
      if (!isNothingBut(text, one.command, home)) {
        const [inner, ...more] = parts.filter((part) => part.top && part.name !== '');
        const form = inner !== undefined && more.length === 0 && isNothingBut(inner.text, inner.text, home) ? inner.text : null;
        return [
          {
            code: 'W_GATE_CLOSED',
            severity: 'warning',
            message: `${what}, but a run counts only if it is one command with plain words: the gate can never open`,
            remedy: form === null ? 'Write the command without shell syntax, or use run:.' : `Write ${form}, or use run:.`,
            ...place,
          },
        ];
      }
      if (denying !== undefined)
        return [
          {
            code: 'W_GATE_CLOSED',
            severity: 'warning',
            message: `${what}, where ${denying.text} (${shown(denying.source)}) denies it: the gate can never open`,
            remedy: 'Restrict the deny to fewer calls, or change the gate.',
            ...place,
          },
        ];
      const open = hasPolicies || closed === undefined ? undefined : parts.find((part) => part.top && !isAllowed(rules, part));
      if (open === undefined) return [];
      return [
        {
          code: 'W_GATE_CLOSED',
          severity: 'warning',
          message: `${what}, where the default is deny (${shown((closed as { source: Source }).source)}) and no rule allows it: the gate can never open`,
          remedy: `Add Bash(${open.text === text ? one.command : open.text}) to allow.`,
          ...place,
        },
      ];
    }),
  );
}

/** Checks with a command that needs a file, a folder or a script that does not exist. It may be added later. */
function brokenGates({ mode, transitions }: ModeRules, { missingFor }: LintContext): Problem[] {
  return transitions.flatMap(({ to, require }) =>
    require.flatMap((one): Problem[] => {
      const why = missingFor(one);
      if (why === null || !('command' in one)) return [];
      return [
        {
          code: 'W_GATE_MISSING',
          severity: 'warning',
          message: `the gate to ${to} in ${mode} requires a run of ${one.command}, but ${why}`,
          remedy: 'Add it, or correct the command of the gate.',
          ...one.source,
          length: one.command.length,
        },
      ];
    }),
  );
}

/** Checks that no state of the project can satisfy. */
function impossibleGates({ mode, rules, transitions }: ModeRules, { hasPolicies }: LintContext): Problem[] {
  return transitions.flatMap(({ to, require }) =>
    require.flatMap((one, at): Problem[] => {
      const why = whyImpossible(one, require.slice(0, at), rules, hasPolicies);
      if (why === null) return [];
      const message = `the gate to ${to} in ${mode} can never open: ${why}`;
      return [{ code: 'W_GATE_CLOSED', severity: 'warning', message, remedy: 'Change the gate.', ...one.source, length: 1 }];
    }),
  );
}

function whyImpossible(
  one: Requirement,
  others: readonly Requirement[],
  rules: readonly Rule[],
  hasPolicies: boolean,
): string | null {
  if (one.check === 'policy') return hasPolicies ? null : `there is no policy that defines the gate ${one.name}`;
  if (one.check === 'agent') {
    const deny = rules.find((rule) => rule.effect === 'deny' && isAboutAgent(rule, one.type));
    if (deny !== undefined) return `${deny.text} (${shown(deny.source)}) denies the subagent ${one.type}`;
  }
  return others.some((other) => contradicts(one, other) || contradicts(other, one))
    ? 'two of its checks contradict each other'
    : null;
}

function contradicts(one: Requirement, other: Requirement): boolean {
  if (one.check === 'passes' && other.check === 'fails') return one.command === other.command && one.in === other.in;
  if (one.check === 'changed' && other.check === 'unchanged') return one.globs.every((glob) => other.globs.includes(glob));
  if (one.check === 'file' && other.check === 'file') return one.path === other.path && one.exists !== other.exists;
  const isLiteral = (text: string): boolean => !text.includes('*');
  if (one.check === 'git' && other.check === 'git' && one.branch !== null && other.branch !== null)
    return isLiteral(one.branch) && isLiteral(other.branch) && one.branch !== other.branch;
  return false;
}

function isAboutAgent(rule: Rule, type: string): boolean {
  if (rule.kind === 'agent') return matchesText(rule.name, type);
  if (rule.kind === 'tool') return rule.name === 'Agent';
  if (rule.kind === 'tool-glob') return matchesText(rule.glob, 'Agent');
  return rule.kind === 'group' && rule.group === 'agent';
}

type Part = ReturnType<typeof commandFacts> & { network: boolean };

function isAllowed(rules: readonly Rule[], part: Part): boolean {
  return rules.some((rule) => rule.effect === 'allow' && isAboutCommand(rule, part));
}

function isAboutCommand(rule: Rule, part: Part): boolean {
  switch (rule.kind) {
    case 'bash': {
      if (rule.only !== null && rule.only !== 'Bash') return false;
      const texts = rule.effect === 'allow' ? [part.text] : part.spellings;
      const { options = [] } = rule;
      return (
        rule.commands.some((command) => texts.some((text) => matchesCommand(command, text))) ||
        options.some((one) => matchesOptions(one, part.argv))
      );
    }
    case 'bash-class':
      return rule.effect === 'allow'
        ? part.allow_keys.includes(commandKey.class(rule.class))
        : classesOf(part).includes(rule.class);
    case 'tool':
      return rule.name === 'Bash';
    case 'group':
      return rule.group === 'command';
    case 'every':
      return rule.access === 'command';
    case 'tool-glob':
      return rule.effect !== 'allow' && rule.bare.some(([, access]) => access === 'command');
    default:
      return false;
  }
}

// Allow rules that a deny always overrules.

const dependencyFolder =
  /^(node_modules|\.?venv|__pycache__|\.pytest_cache|\.mypy_cache|\.tox|\.next|\.turbo|\.parcel-cache|bower_components)$/;

/** A rule of the user or the organization also serves other projects. So it is not useless if this project denies the same. */
function isAnswer(deny: Rule, allow: Rule): boolean {
  return breadth[deny.layer] >= breadth[allow.layer];
}

const breadth: Readonly<Record<Layer, number>> = { builtin: 0, local: 0, project: 0, user: 1, managed: 2 };

/**
 * Removing a whole dependency folder does not match a deny without a leading slash. So an allow that names such a folder can have
 * an effect.
 */
function isSure(deny: Rule, allow: Rule): boolean {
  if (allow.kind !== 'write') return true;
  const names = allow.paths.flatMap(({ segments }) => segments.flatMap((one) => (one.kind === 'literal' ? [one.text] : [])));
  return (deny.kind === 'write' && deny.paths.some(({ rooted }) => rooted)) || !names.some((name) => dependencyFolder.test(name));
}

function beaten(allow: Rule, deny: Rule): Problem {
  return warn(
    'W_RULE_BEATEN',
    allow,
    `${allow.text} allows nothing: ${deny.text} (${shown(deny.source)}) denies all of it`,
    'Remove one of them. A deny beats every allow, however exact that is; where they overlap, restrict the deny to fewer calls.',
  );
}

function wide(allow: Rule, why: string): Problem {
  return warn(
    'W_RULE_WIDE',
    allow,
    `${allow.text} allows far more than one kind of call: ${why}`,
    'Allow exactly the calls that you mean, such as Bash(npm run build). A person can grant others once with /modes:grant.',
  );
}

// Tools that may write in a mode that denies writes.

function isUndeclared(allow: Rule, declared: ReadonlySet<string>): boolean {
  if (allow.kind === 'tool')
    return allow.name.startsWith('mcp__') && !allow.name.startsWith('mcp__plugin_modes_modes__') && !declared.has(allow.name);
  if (allow.kind === 'tool-glob') {
    const [head = ''] = allow.glob.pieces;
    return !head.startsWith('mcp__plugin_modes_modes__') && ![...declared].some((name) => name.startsWith(head));
  }
  return allow.kind === 'server' && ![...declared].some((name) => name.startsWith(`${allow.server}__`));
}

function mayWrite(allow: Rule, deny: Rule): Problem {
  return warn(
    'W_RULE_MAY_WRITE',
    allow,
    `${allow.text} may write files, although ${deny.text} (${shown(deny.source)}) denies all writes: the rule names it, and its arguments are not declared`,
    'Declare under arguments: in modes.yaml which of its arguments are paths or commands, or deny its tools that write.',
  );
}

// Programs that the agent may rewrite, although a gate or a declaration relies on them.

/** Files that define the command of a gate: those that its words name, and files in `uses:` without a wildcard. */
function definesOf(check: Requirement & { command: string; in: string | null }): string[] {
  const used = 'uses' in check ? (check.uses ?? []) : [];
  return [
    ...definedBy(check.command, check.in).scripts,
    ...used.filter((glob) => !/[*?[{\\]/.test(glob)).map((name) => name.replace(/^\//, '')),
  ];
}

/** True if the same gate requires that the file is unchanged. */
function staysSame(script: string, require: Transition['require'], home: string): boolean {
  const globs = require.flatMap((one) => (one.check === 'unchanged' ? one.globs : []));
  return globs.some((glob) => {
    const parsed = parsePathPattern(glob, { home, restricts: true });
    return 'patterns' in parsed && parsed.patterns.some((pattern) => matchesPath(pattern, script));
  });
}

function matchesWrite(rule: Rule, path: string): boolean {
  if (rule.kind === 'outside') return rule.expressions.length === 0 && !rule.paths.some((pattern) => matchesPath(pattern, path));
  if (rule.kind === 'write')
    return (rule as PathRule).paths.some((pattern) => matchesPath(pattern, path)) && !isExcepted(rule as PathRule, path);
  if (rule.kind === 'every') return rule.access === 'write';
  return (
    rule.effect === 'allow' &&
    ((rule.kind === 'tool' && rule.name === 'Write') || (rule.kind === 'group' && rule.group === 'edit'))
  );
}

function rewrites(allow: Rule, code: string, script: string, as: string): Problem {
  return warn(
    code,
    allow,
    `${allow.text} lets the agent rewrite ${script}, and ${as}`,
    `Put Write(/${script}) into deny or ask.`,
  );
}

// Modes in which nothing can be read.

const readers = /^(cat|head|tail|less|more|bat|nl|grep|egrep|rg|ag|sed|awk|jq)$/;

function withoutReading({ mode, rules, defaults }: ModeRules, { hasPolicies }: LintContext): Problem[] {
  const deny = defaults.find(({ value }) => value === 'deny');
  if (deny === undefined || hasPolicies || rules.some((rule) => rule.effect === 'allow' && mayRead(rule))) return [];
  return [
    {
      code: 'W_DEFAULT_NO_READING',
      severity: 'warning',
      message: `The default of ${mode} is deny and no rule allows reading, so the agent cannot look at a single file`,
      remedy: 'Add Read, or rules such as Read(**), to allow.',
      ...deny.source,
      length: 1,
    },
  ];
}

/** True for any rule that could let the agent see the content of a file. Tools of MCP servers count, since they may. */
function mayRead(rule: Rule): boolean {
  switch (rule.kind) {
    case 'read':
    case 'server':
    case 'tool-glob':
      return true;
    case 'tool':
      return rule.name.startsWith('mcp__') || ['Read', 'Grep', 'Bash', 'Monitor'].includes(rule.name);
    case 'group':
      return rule.group === 'read' || rule.group === 'command' || rule.group === 'mcp';
    case 'bash-class':
      return true;
    case 'bash':
      return rule.commands.some((command) => {
        const text = command.form === 'glob' ? (command.pieces[0] as string) : command.text;
        return !text.includes(' ') || readers.test(text.slice(0, text.indexOf(' ')));
      });
    default:
      return false;
  }
}

/** Caches results, since modes share rules. */
function remember<T extends unknown[], A>(key: (...what: T) => string, look: (...what: T) => A): (...what: T) => A {
  const known = new Map<string, A>();
  return (...what) => {
    const name = key(...what);
    const answer = known.has(name) ? (known.get(name) as A) : look(...what);
    known.set(name, answer);
    return answer;
  };
}

/** A trusted declaration replaces the shipped one. If it names fewer arguments, a deny of writes no longer matches the tool. */
function findUndeclared(declared: Configuration['arguments'], rules: readonly Rule[], snapshot: ConfigSnapshot): Problem[] {
  const deny = rules.find(
    ({ kind, effect, ...rule }) =>
      effect === 'deny' &&
      (kind === 'write' || kind === 'outside' || (kind === 'every' && 'access' in rule && rule.access === 'write')),
  );
  if (deny === undefined) return [];
  return (
    declared
      // Besides a declaration that a tool only reads, the shipped one still counts.
      .filter(({ trusted, readsOnly }) => trusted && !readsOnly)
      .flatMap(({ tool, roles }) => {
        const left = [...(shippedRoles(tool) ?? [])].filter(
          ([argument, role]) =>
            (role === 'write' || role === 'command') &&
            !roles.some((one) => one.argument === argument && (one.role === 'write' || one.role === 'command')),
        );
        return left.map(
          ([argument, role]): Problem => ({
            code: 'W_ARGUMENTS_WRITE',
            severity: 'warning',
            message: `${tool} may write by its argument ${argument}, although ${deny.text} (${deny.source.file}:${deny.source.line}) denies writes: its declaration does not say so`,
            remedy: `Declare ${argument}: ${role}, or remove the declaration; then the shipped one applies.`,
            ...declarationAt(tool, snapshot),
          }),
        );
      })
  );
}

/** The place of the tool's name as a key. */
function declarationAt(tool: string, snapshot: ConfigSnapshot): Pick<Problem, 'file' | 'line' | 'column' | 'length'> {
  for (const { files } of snapshot) {
    for (const { name, text } of files) {
      if (!name.endsWith('modes.yaml')) continue;
      const lines = text.split(/\r?\n/);
      const line = lines.findIndex((one) => one.includes(`${tool}:`) || one.includes(`${tool}"`) || one.includes(`${tool}'`));
      if (line !== -1)
        return { file: name, line: line + 1, column: (lines[line] as string).indexOf(tool) + 1, length: tool.length };
    }
  }
  return {};
}
