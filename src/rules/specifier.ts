// Parses the part of a rule after the name: nothing, a path, a command, a host, a name, a parameter.

import { EXCEPTION } from '../config/rule-quota.ts';
import { canonicalHost } from '../facts/host.ts';
import { shippedRoles } from '../facts/servers.ts';
import { tools } from '../facts/table.ts';
import type { CommandClass } from '../model/facts.ts';
import type { PathPattern, Rule } from '../model/rule.ts';
import { nearest } from '../platform/nearest-name.ts';
import { parseCommandPattern } from './command.ts';
import { parsePathPattern } from './pattern.ts';
import { failInner, placeInner, type RuleReading, readGlob } from './reading.ts';
import { everyAccess, isContent, isParam } from './toolnames.ts';

/** A tool name alone. In deny and ask, it means reading, writing or running commands with any tool. */
export function readBare({ head, restricts }: RuleReading, name: string): Rule {
  const access = everyAccess.get(name);
  return restricts && access !== undefined
    ? { ...head, kind: 'every', access, tool: name, group: null }
    : { ...head, kind: 'tool', name };
}

/** `mcp__s__t(arg: …)`: by the declared role of the argument, else by its text (deny and ask only). */
export function readArgument(reading: RuleReading, key: string, inner: string): Rule {
  const parts = /^([A-Za-z0-9_.$-]+):\s*(.+)$/s.exec(inner);
  if (parts === null)
    failInner(reading, 'E_RULE_SPECIFIER', `${key} takes an argument and its value`, `Write ${key}(argument: value).`);
  const [, argument = '', value = ''] = parts;
  const { arguments: declared, allArguments = declared } = reading.context;
  const isOwn = reading.head.layer === 'project' || reading.head.layer === 'local';
  const roles = (isOwn ? allArguments : declared)?.get(key) ?? shippedRoles(key);
  const role = roles?.get(argument);
  const offset = inner.length - value.length;
  if (role === 'command') return readCommand(reading, value, key, offset);
  if (role !== undefined) return readPath(reading, role === 'names' ? 'read' : role, value, key, offset);
  if (!reading.restricts) {
    failInner(
      reading,
      'E_RULE_PARAM_ALLOW',
      `the argument ${argument} is not declared, so it cannot be allowed by value`,
      'Declare it under arguments: in modes.yaml as command, read or write.',
    );
  }
  return { ...reading.head, kind: 'param', tool: key, param: argument, value: readGlob(reading, value) };
}

const pathTools: ReadonlyMap<string, 'read' | 'write'> = new Map([
  ['Read', 'read'],
  ['Write', 'write'],
  ['Edit', 'write'],
  ['NotebookEdit', 'write'],
  ['Grep', 'read'],
  ['Glob', 'read'],
  ['LSP', 'read'],
]);

/** Path tools without path rules in the client. In allow, such a rule applies to that tool alone. */
const foreignPathTools: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LSP']);

/** Classes as written in rules. */
export const commandClasses: Readonly<Record<string, CommandClass>> = {
  '@read-only': 'read-only',
  '@writes': 'writes',
  '@runs': 'runs',
  '@unknown': 'unknown',
  '@network': 'network',
  '@network-read': 'network-read',
  '@network-send': 'network-send',
  '@database': 'database',
  '@deploy': 'deploy',
  '@checks': 'checks',
  '@files': 'files',
  '@secrets': 'secrets',
  '@environment': 'environment',
};

/** Classes that say nothing about what a command writes, so they cannot be the reason to allow it. With the remedy. */
const restrictOnly: ReadonlyMap<CommandClass, string> = new Map([
  ['network-send', 'Write Bash(@network) to allow every command that uses the network, or allow the exact command.'],
  ['database', 'Allow the exact command, such as Bash(npm run db:migrate).'],
  ['deploy', 'Allow the exact command, such as Bash(npm publish).'],
  ['secrets', 'Allow the exact command, such as Bash(gh auth token), or write Bash(@secrets) into ask or deny.'],
  ['environment', 'Allow the exact command, such as Bash(printenv NODE_ENV).'],
]);

/** `Tool(specifier)`, depending on the tool. */
export function readSpecified(reading: RuleReading, name: string, inner: string): Rule {
  const { head, restricts } = reading;
  const param = readParam(reading, name, inner);
  if (param !== null) return param;
  const access = pathTools.get(name);
  if (access !== undefined) {
    if (foreignPathTools.has(name)) {
      reading.warn(
        'W_RULE_READ_AS',
        `${name}(${inner}) means Read(${inner})${restricts ? '' : `, for ${name} alone`}`,
        `Write Read(${inner}).`,
      );
    }
    return readPath(reading, access, inner, !restricts && foreignPathTools.has(name) ? name : null, 0);
  }
  switch (name) {
    case 'Bash':
    case 'Monitor': {
      const rule = readCommand(reading, inner, null, 0);
      const named = /^([a-z]+):\*$/.exec(inner)?.[1] ?? '';
      const isBoth = rule.kind === 'bash' && restricts && name === 'Bash' && isParam(name, named) && !isContent(name, named);
      return isBoth ? { ...rule, param: named } : rule;
    }
    case 'PowerShell':
      return failInner(
        reading,
        'E_RULE_SPECIFIER',
        'PowerShell commands are not analyzed, so rules cannot tell them apart',
        'Write PowerShell alone.',
      );
    case 'WebFetch':
      return readDomain(reading, inner);
    case 'Agent':
      return { ...head, kind: 'agent', name: readGlob(reading, inner.trim()) };
    case 'Skill':
      return readSkill(reading, inner);
    default:
      return failInner(
        reading,
        'E_RULE_SPECIFIER',
        `${name} takes only a parameter and its value in parentheses`,
        tools.get(name)?.params.length === 0
          ? `Write ${name} alone.`
          : `Write ${name} alone, or ${name}(parameter:value) in deny or ask.`,
      );
  }
}

/** Tools with another kind of specifier. For these, `x:y` is a parameter only if the tool has one with this name. */
const specified: ReadonlySet<string> = new Set([
  ...pathTools.keys(),
  'Bash',
  'Monitor',
  'PowerShell',
  'WebFetch',
  'Agent',
  'Skill',
]);
/** Parameters that contain the new content of a file. */
const fileContents: ReadonlySet<string> = new Set(['content', 'old_string', 'new_string', 'new_source']);

/** Parameters whose name is also the name of a command. */
const commandsToo: ReadonlySet<string> = new Set(['timeout', 'command']);
/** Parameters with the same meaning as the specifier without a parameter. The client accepts several spellings of these. */
const namedBy: ReadonlyMap<string, string> = new Map([
  ['Agent', 'subagent_type'],
  ['Skill', 'skill'],
]);

/** `Tool(param:value)`, distinguished from commands, paths and names by the tool's parameters; null if it is something else. */
function readParam(reading: RuleReading, name: string, inner: string): Rule | null {
  const parts = /^([A-Za-z_-][A-Za-z0-9_-]*):\s*(.*)$/s.exec(inner);
  if (parts === null) return null;
  const [, param = '', value = ''] = parts;
  if (name === 'WebFetch' && param === 'domain') return null;
  // `Bash(timeout:*)` is the command `timeout`, and in deny and ask also the parameter.
  if ((name === 'Bash' || name === 'Monitor') && value === '*' && commandsToo.has(param)) return null;
  if (reading.restricts && namedBy.get(name) === param && value !== '') return readSpecified(reading, name, value);
  if (isContent(name, param))
    failInner(
      reading,
      'E_RULE_PARAM_CONTENT',
      `${param} is the main argument of the call, which is not matched as text`,
      fileContents.has(param)
        ? `Rules match paths, not the content of files: use ${name}(path), or a policy that reads input.tool.input.${param}.`
        : 'Use Bash(…), Read(…), Write(…) or WebFetch(domain:…).',
    );
  if (!isParam(name, param) && specified.has(name)) return null;
  if (value === '')
    failInner(
      reading,
      'E_RULE_PARAM_VALUE',
      `there is no value after ${param}:`,
      `Write ${name}(${param}:value); * stands for any value.`,
    );
  if (!reading.restricts)
    failInner(
      reading,
      'E_RULE_PARAM_ALLOW',
      'a parameter cannot be allowed by value',
      `Write it into deny or ask, or allow ${name} as a whole.`,
    );
  return { ...reading.head, kind: 'param', tool: name, param, value: readGlob(reading, value) };
}

function readPath(reading: RuleReading, kind: 'read' | 'write', text: string, only: string | null, offset: number): Rule {
  if (text === '@scratch') {
    if (reading.restricts || only !== null)
      failInner(
        reading,
        'E_RULE_SPECIFIER',
        '@scratch can only be allowed, with Read or Write',
        'Write Read(@scratch) or Write(@scratch) into allow, or name a folder, such as Write(//tmp/**).',
        offset,
      );
    return { ...reading.head, kind: 'scratch', access: kind };
  }
  const [main = text, ...exceptions] = text.split(EXCEPTION);
  if (exceptions.length > 0 && !reading.restricts)
    failInner(
      reading,
      'E_RULE_PATH',
      'only a deny or ask rule can have an exception',
      'Write a narrower pattern into allow, or write \\! for the character.',
      offset + text.indexOf('!', main.length),
    );
  const paths = readPattern(reading, main, reading.restricts, offset);
  let end = main.length;
  const except = exceptions.flatMap((exception) => {
    const at = text.indexOf('!', end) + 1;
    end = at + exception.length;
    // As in allow: a doubtful exception matches less.
    return readPattern(reading, exception, false, offset + at);
  });
  return { ...reading.head, kind, paths, ...(except.length > 0 && { except }), only };
}

function readPattern(reading: RuleReading, text: string, restricts: boolean, offset: number): PathPattern[] {
  const parsed = parsePathPattern(text, { home: reading.context.home, restricts });
  if ('problem' in parsed)
    return failInner(
      reading,
      'E_RULE_PATH',
      `in the path: ${parsed.problem.message}`,
      parsed.problem.remedy,
      offset + parsed.problem.at,
    );
  for (const doubt of parsed.warnings)
    reading.warn('W_RULE_PATH', doubt.message, doubt.remedy, placeInner(reading.cut, offset + doubt.at));
  return parsed.patterns;
}

function readCommand(reading: RuleReading, inner: string, only: string | null, offset: number): Rule {
  const { head } = reading;
  const text = inner.trim();
  if (text.startsWith('@')) {
    const commandClass = Object.hasOwn(commandClasses, text) ? commandClasses[text] : undefined;
    if (commandClass === undefined) {
      const meant = nearest(text, Object.keys(commandClasses));
      failInner(
        reading,
        'E_RULE_UNKNOWN_CLASS',
        `there is no class of commands ${text}`,
        meant === null ? `Classes are ${Object.keys(commandClasses).join(', ')}.` : `Did you mean ${meant}?`,
        offset,
      );
    }
    if (only !== null)
      failInner(reading, 'E_RULE_SPECIFIER', 'a class of commands cannot be limited to one tool', `Write Bash(${text}).`, offset);
    const instead = restrictOnly.get(commandClass);
    if (instead !== undefined && !reading.restricts)
      failInner(reading, 'E_RULE_SPECIFIER', `${text} cannot be allowed as a class`, instead, offset);
    return { ...head, kind: 'bash-class', class: commandClass };
  }
  const parsed = parseCommandPattern(inner, reading.restricts);
  if ('problem' in parsed)
    failInner(reading, 'E_RULE_COMMAND', parsed.problem.message, parsed.problem.remedy, offset + parsed.problem.at);
  if (parsed.commands === null) return only === null ? readBare(reading, 'Bash') : { ...head, kind: 'tool', name: only };
  for (const doubt of parsed.warnings)
    reading.warn('W_RULE_COMMAND', doubt.message, doubt.remedy, placeInner(reading.cut, offset + doubt.at));
  const isPlain = parsed.options?.some(({ isPlain, options }) => isPlain && options.length > 0) === true;
  if (parsed.isLiteral || isPlain)
    reading.warn(
      'W_RULE_OPTIONS',
      isPlain
        ? 'other names of these options are unknown, so only these names match, in any order'
        : 'the order and aliases of these options are unknown, so only this spelling matches',
      'Write a rule for each spelling, or one for the command without its options.',
      placeInner(reading.cut, offset),
    );
  return { ...head, kind: 'bash', commands: parsed.commands, ...(parsed.options && { options: parsed.options }), only };
}

function readDomain(reading: RuleReading, inner: string): Rule {
  const parts = /^domain:\s*(.*)$/s.exec(inner);
  if (parts === null)
    failInner(reading, 'E_RULE_SPECIFIER', 'WebFetch takes a domain', `Write WebFetch(domain:${hostIn(inner)}).`);
  const parsed = parseDomain(parts[1] ?? '');
  if ('problem' in parsed)
    return failInner(reading, 'E_RULE_DOMAIN', parsed.problem.message, parsed.problem.remedy, 'domain:'.length);
  return { ...reading.head, kind: 'domain', form: parsed.form, host: parsed.host };
}

/**
 * `Skill(name)`, `Skill(name *)`, `Skill(name:*)`: rules do not distinguish arguments. In deny and ask, the star also matches the
 * rest of a name, as in the client: `Skill(plugin:*)` is every skill of that plugin.
 */
function readSkill(reading: RuleReading, inner: string): Rule {
  const text = inner.trim().replace(/^\//, '');
  const name = text.replace(/(?: \*|:\*)$/, '').trim();
  if (name === '') failInner(reading, 'E_RULE_SPECIFIER', 'there is no name of a skill', 'Write Skill(name), or Skill alone.');
  if (/\s/.test(name))
    failInner(
      reading,
      'E_RULE_SPECIFIER',
      'a rule cannot match the arguments of a skill',
      `Write Skill(${name.split(/[\s,]/)[0]}).`,
    );
  const isBeginning = reading.restricts && name !== text && !name.endsWith('*');
  return { ...reading.head, kind: 'skill', name: readGlob(reading, isBeginning ? `${name}*` : name) };
}

type ParsedDomain = { form: 'exact' | 'below' | 'any'; host: string } | { problem: { message: string; remedy: string } };

/** `example.org`: that host; `*.example.org`: hosts under it, not itself; `*`: any. Normalizes case, trailing dot and Unicode. */
function parseDomain(text: string): ParsedDomain {
  const written = text.trim();
  if (written === '*') return { form: 'any', host: '' };
  const below = written.startsWith('*.');
  const name = below ? written.slice(2) : written;
  if (name.includes('*'))
    return refuse(`${written} has a * inside`, 'A * matches only whole labels at the beginning: *.example.org.');
  const host = foldHost(name);
  if (host === null)
    return refuse(`${written} is not a host name`, `Write only the host, without scheme, port and path: ${hostIn(written)}.`);
  return { form: below ? 'below' : 'exact', host };
}

/** The host of a URL or of a host with a port or path, as a rule may name it; an example if there is none. */
function hostIn(text: string): string {
  const host = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d*$/, '');
  return foldHost(host.replace(/^\*\./, '')) === null ? 'example.org' : host;
}

function refuse(message: string, remedy: string): ParsedDomain {
  return { problem: { message, remedy } };
}

function foldHost(name: string): string | null {
  if (name.includes('%') || (name.includes(':') && !/^\[[0-9a-fA-F:.]+\]$/.test(name))) return null;
  const host = canonicalHost(name);
  return host?.split('.').includes('') ? null : host;
}
