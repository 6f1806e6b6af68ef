// Whether any call can match a rule: constructs calls that the rule should match, and runs the matcher on them.

import { foldedAgent, isCallable } from '../../config/agent-names.ts';
import { collectFacts, type FactsContext } from '../../facts/collect.ts';
import { MalformedInput } from '../../facts/input.ts';
import { serversIn } from '../../facts/mcp-names.ts';
import { commandFacts, pathName } from '../../facts/paths/keys.ts';
import { modesServerOf } from '../../facts/protections/without-plugin.ts';
import { tools } from '../../facts/table.ts';
import type { CommandClass, Facts, ReadAccess, ToolCall, ToolGroup } from '../../model/facts.ts';
import type { BashRule, PathRule, Rule, TextGlob } from '../../model/rule.ts';
import { nearest } from '../../platform/nearest-name.ts';
import { matchingIds } from '../../rules/direct.ts';
import { lowerRules } from '../../rules/lower.ts';
import { rulePathFilter } from '../../rules/path-filter.ts';
import { matchesText } from '../../rules/regex.ts';
import { oldNames } from '../../rules/toolnames.ts';
import { analyse } from '../../shell/analyse.ts';

export interface Never {
  why: string;
  remedy: string;
}

/** Rules that are checked by their pattern or by many commands, not by a few calls. */
type SampledRule = Exclude<Rule, PathRule | BashRule>;

/** Why no call can match the rule, or null if one can. */
export function whyNever(rule: SampledRule): Never | null {
  return callsFor(rule).some((facts) => matchingIds([rule], facts).length > 0) ? null : explain(rule);
}

/** Calls that the rule should match. A call that is refused as malformed is left out. */
function callsFor(rule: SampledRule): Facts[] {
  switch (rule.kind) {
    case 'tool':
      return [withTool(rule.name)];
    case 'server':
      return callsOf(`${rule.server}__x`, {});
    case 'tool-glob':
      return [...[...tools.keys()].map(withTool), ...mcpNames(rule.glob).flatMap((name) => callsOf(name, {}))];
    case 'group':
      return [withGroup(rule.group)];
    case 'every':
      return rule.access === 'command' ? commandOf('ls') : [withPath(rule.access, 'x', null)];
    case 'outside':
      return ['x', '/x'].map((path) => withPath('write', path, null));
    case 'scratch':
      return [withPath(rule.access, '/x', null, { root: 'temp' })];
    case 'unknown-read':
      return [withPath('read', 'x', null, { unknown: true })];
    case 'bash-class':
      return commandOf(commandsOf[rule.class]);
    case 'domain':
      return callsOf('WebFetch', { url: `https://${rule.form === 'exact' ? rule.host : `x.${rule.host || 'org'}`}/` });
    case 'agent':
      return fills(rule.name)
        .flatMap((name) => [name, ...(rule.effect === 'allow' ? [] : [foldedAgent(name)])])
        .filter(isCallable)
        .flatMap((name) => callsOf('Agent', { subagent_type: name }));
    case 'skill':
      return fills(rule.name)
        .filter(isCallable)
        .flatMap((name) => callsOf('Skill', { skill: name }));
    case 'param': {
      const row = tools.get(rule.tool);
      if (row === undefined && !rule.tool.startsWith('mcp__')) return [];
      if (row !== undefined && !row.params.includes(rule.param)) return [];
      const values =
        row === undefined ? fills(rule.value) : [...fills(rule.value), 'true', 'false'].filter(formOf(rule.param).accepts);
      const tool = rule.tool.replace(/__\*$/, '');
      const name = row === undefined && tool.indexOf('__', 'mcp__'.length + 1) === -1 ? `${tool}__x` : tool;
      return values.map((value) => {
        const facts = withTool(name);
        const params = Object.fromEntries(rule.param === '__proto__' ? [] : [[rule.param, value]]);
        return { ...facts, tool: { ...facts.tool, params, keys: [...facts.tool.keys, rule.tool] } };
      });
    }
    default:
      throw new Error(`unknown rule ${JSON.stringify(rule satisfies never)}`);
  }
}

function explain(rule: SampledRule): Never {
  switch (rule.kind) {
    case 'server':
    case 'tool-glob': {
      if (rule.text.includes(ownPrefix))
        return {
          why: "a rule matches Modes' own tools only by their full names",
          remedy: `Write ${ownPrefix}__transition or another full name.`,
        };
      const today = rule.kind === 'server' ? undefined : [...oldNames].find(([name]) => matchesText(rule.glob, name))?.[1];
      return {
        why: 'the client has no tool of that name',
        remedy: today === undefined ? 'Write the name of a tool.' : `Write ${today}, which is its name today.`,
      };
    }
    case 'domain':
      return /^\[|\.\d+$|^\d+$/.test(rule.host)
        ? { why: 'an address has no subdomains', remedy: `Write WebFetch(domain:${rule.host}).` }
        : { why: 'no URL can have this host', remedy: 'Correct the host.' };
    case 'agent':
    case 'skill': {
      const [tool, what] = rule.kind === 'agent' ? ['Agent', 'type of an agent'] : ['Skill', 'name of a skill'];
      const names = rule.name.pieces
        .join('*')
        .split(',')
        .map(cleaned)
        .filter((name) => name !== '');
      return {
        why: `the ${what} has no blank, comma, quote or @`,
        remedy: names.length === 0 ? `Write ${tool}(name).` : `Write ${names.map((name) => `${tool}(${name})`).join(' and ')}.`,
      };
    }
    case 'param': {
      const known = tools.get(rule.tool)?.params ?? [];
      if (known.includes(rule.param)) return wrongValue(rule.tool, rule.param);
      const meant = nearest(rule.param, known);
      if (known.length === 0) return { why: `${rule.tool} has no parameters`, remedy: `Write ${rule.tool}.` };
      const value = rule.value.pieces.join('*');
      return {
        why: `${rule.tool} has no parameter ${rule.param}`,
        remedy: meant === null ? `Its parameters are ${known.join(', ')}.` : `Write ${rule.tool}(${meant}:${value}).`,
      };
    }
    default:
      return { why: 'no call is of this kind', remedy: 'Remove the rule.' };
  }
}

function wrongValue(tool: string, param: string): Never {
  const { what, example } = formOf(param);
  return {
    why: `${param} of ${tool} is ${what}`,
    remedy: example === null ? `Write ${tool}.` : `Write ${tool}(${param}:${example}).`,
  };
}

// Calls, as the facts that the matcher sees.

const ownPrefix = 'mcp__plugin_modes_modes';
/** No folder: nothing on this machine changes the answer. */
const nowhere = '/dev/null';
const context: FactsContext = {
  place: {
    root: nowhere,
    rootAliases: [],
    home: nowhere,
    temp: [],
    configFolder: nowhere,
    dataFolder: nowhere,
    pluginRoot: null,
    managedFolders: [],
    linkTargets: [],
    pathFolders: [],
    search: '',
    scratch: '',
  },
  pathFilter: rulePathFilter(lowerRules([], { defaults: [], trusted: true })),
  mode: 'm',
  state: { since: null, enteredBy: null },
  wantsInput: false,
  commands: [],
};

/** The facts of a call, through the collector; empty if the call is refused as malformed. */
function callsOf(tool: string, input: Record<string, unknown>): Facts[] {
  const [server] = serversIn(tool).slice(-1);
  const mcpServer: ToolCall['mcpServer'] =
    server === undefined ? null : tool.startsWith(`${ownPrefix}__`) ? modesServerOf(tool) : { name: server, source: 'project' };
  const who = { toolUseId: null, sessionId: null, permissionMode: null, agentId: null, agentType: null, transcriptPath: null };
  try {
    return [collectFacts({ event: 'PreToolUse', tool, input, cwd: nowhere, mcpServer, ...who }, context)];
  } catch (error) {
    if (error instanceof MalformedInput) return [];
    throw error;
  }
}

let known: Facts | null = null;

/** A call that touches nothing. */
function base(): Facts {
  known ??= callsOf('ListAgents', {})[0] as Facts;
  return known;
}

function withTool(name: string): Facts {
  const group: ToolGroup = tools.get(name)?.group ?? 'mcp';
  return { ...base(), tool: { ...base().tool, name, group, keys: [name] } };
}

function withGroup(group: ToolGroup): Facts {
  return { ...base(), tool: { ...base().tool, group } };
}

function withPath(
  kind: 'read' | 'write',
  path: string,
  only: string | null,
  more: Partial<Pick<ReadAccess, 'root' | 'unknown'>> = {},
): Facts {
  const isAbsolute = path.startsWith('/');
  const access = {
    path,
    real: path,
    root: isAbsolute ? 'outside' : 'project',
    deep: false,
    names: [pathName(path, isAbsolute)],
    readings: [[0]],
    below: [],
    via: 'x',
    command: null,
    protection: null,
    implied: false,
    own: null,
    dependency: false,
    ...more,
  } satisfies ReadAccess;
  const facts = only === null ? base() : withTool(only);
  return { ...facts, [kind === 'read' ? 'reads' : 'writes']: [access] };
}

const commandsOf: Readonly<Record<CommandClass, string>> = {
  'read-only': 'ls',
  writes: 'touch x',
  runs: 'node x.js',
  unknown: 'frobnicate',
  network: 'curl https://example.org',
  'network-read': 'npm ping',
  database: 'npm run db:migrate',
  deploy: 'npm publish',
  'network-send': 'curl https://example.org',
  secrets: 'gh auth token',
  environment: 'printenv',
  checks: 'npm test',
  files: 'touch x',
};

function commandOf(text: string): Facts[] {
  const { class: found, network, commands } = analyse(text, { cwd: nowhere, home: nowhere });
  return [{ ...withTool('Bash'), bash: { class: found, network, commands: commands.map((one) => commandFacts(one, '/')) } }];
}

// Texts that a pattern matches.

/** Texts that fit a glob, with a letter, nothing or a digit for its stars. */
function fills({ pieces }: TextGlob): string[] {
  return pieces.length === 1 ? [pieces[0] as string] : ['x', '', '1'].map((filler) => pieces.join(filler));
}

/** Names of MCP tools that fit a glob: its first star may hide the beginning of the name. */
function mcpNames({ pieces: [head = '', ...rest] }: TextGlob): string[] {
  const example = 'mcp__a__x';
  const firsts = ['x', '__x', '', ...Array.from(example, (_, at) => example.slice(at))];
  return firsts.map((first) => [head + first, ...rest].join('')).filter((name) => name.startsWith('mcp__'));
}

// Values of the client's own parameters. It refuses a call with another value before any rule is asked.

const anyText = { accepts: (_value: string) => true, what: 'any text', example: '*' };
const forms = {
  flag: { accepts: (value: string) => value === 'true' || value === 'false', what: 'true or false', example: 'true' },
  number: { accepts: (value: string) => /^-?\d+(?:\.\d+)?(?:e\d+)?$/.test(value), what: 'a number', example: '*' },
  // A list is not compared as text; see `addParams` of the collector.
  list: { accepts: (_value: string) => false, what: 'a list, and rules do not compare lists', example: null },
} as const;

const named: readonly (readonly [form: keyof typeof forms, params: readonly string[]])[] = [
  [
    'flag',
    ['run_in_background', 'dangerouslyDisableSandbox', 'replace_all', 'recurring', 'multiline', 'persistent', '-n', '-i', '-o'],
  ],
  [
    'number',
    ['timeout', 'timeout_ms', 'offset', 'limit', 'head_limit', '-A', '-B', '-C', 'max_turns', 'max_results', 'delaySeconds'],
  ],
  ['list', ['todos', 'questions', 'allowed_domains', 'blocked_domains', 'addBlocks', 'addBlockedBy', 'allowedPrompts']],
];
const formsOf = new Map(named.flatMap(([form, params]) => params.map((param) => [param, forms[form]] as const)));

function formOf(param: string): { accepts: (value: string) => boolean; what: string; example: string | null } {
  return formsOf.get(param) ?? anyText;
}

/** The name without what is no part of it: blanks, quotes, `@`. */
function cleaned(name: string): string {
  return name
    .replace(/["'`@]/g, '')
    .trim()
    .replace(/\s+/g, '-');
}
