// Facts of made-up calls: a project in /home/ann/work, nothing on disk.

import { commandFacts, pathName } from '../../src/facts/paths/keys.ts';
import type { BashClass, BashCommand } from '../../src/model/command.ts';
import type { CommandFacts, Facts, PathAccess, PathName, ReadAccess, ToolGroup, WriteAccess } from '../../src/model/facts.ts';

export const projectRoot = '/home/ann/work';

/** Both names of a path in the project, or the one name of an absolute path. */
export function namesOf(path: string): PathName[] {
  if (path.startsWith('/')) return [pathName(path, true)];
  return [pathName(path, false), pathName(path === '' ? projectRoot : `${projectRoot}/${path}`, true)];
}

export interface PathOptions extends Partial<Pick<PathAccess, 'root' | 'deep' | 'via' | 'command' | 'protection' | 'own'>> {
  implied?: boolean;
  dependency?: boolean;
  unseen?: boolean;
  unnamed?: boolean;
  unknown?: boolean;
  /** Further readings: link targets, the real name. */
  also?: string[];
  below?: string[];
}

export function access(path: string, { also = [], below = [], ...given }: PathOptions = {}): ReadAccess & WriteAccess {
  const spellings = [path, ...also];
  const names: PathName[] = [];
  const readings = spellings.map((spelling) => namesOf(spelling).map((name) => names.push(name) - 1));
  const real = spellings.at(-1) as string;
  return {
    path: path === '' ? '.' : path,
    real,
    root: real.startsWith('/tmp/') ? 'temp' : real.startsWith('/') ? 'outside' : 'project',
    deep: false,
    names,
    readings,
    below: below.flatMap(namesOf),
    via: '',
    command: null,
    protection: null,
    implied: false,
    own: null,
    dependency: false,
    ...given,
  } as ReadAccess & WriteAccess;
}

export function call(
  name: string,
  group: ToolGroup,
  parts: Partial<Omit<Facts, 'tool'>> & { tool?: Partial<Facts['tool']> } = {},
): Facts {
  const server = /^mcp__(.+?)__/.exec(name)?.[1] ?? null;
  return {
    version: 1,
    mode: 'test-dev',
    event: 'PreToolUse',
    reads: [],
    writes: [],
    may_write_anywhere: null,
    bash: null,
    domains: [],
    agents: [],
    skills: [],
    protections: [],
    agent: { id: null, type: null },
    session: { id: 's', permission_mode: 'default' },
    state: { since: null, entered_by: null, plan: null, task: null },
    context: { used_percent: null },
    ...parts,
    tool: {
      name,
      group,
      server,
      input: {},
      params: {},
      extra: [],
      known: true,
      keys: [name, ...(server === null ? [] : [`mcp__${server}`])],
      ...parts.tool,
    },
  };
}

export function write(path: string, options: PathOptions = {}): Facts {
  return call('Write', 'edit', { writes: [access(path, { via: 'Write', ...options })] });
}

export function edit(path: string, options: PathOptions = {}): Facts {
  return call('Edit', 'edit', {
    writes: [access(path, { via: 'Edit', ...options })],
    reads: [access(path, { via: 'Edit', ...options, implied: true })],
  });
}

export function read(path: string, options: PathOptions = {}): Facts {
  return call('Read', 'read', { reads: [access(path, { via: 'Read', ...options })] });
}

export function grep(path: string, below: string[] = []): Facts {
  return call('Grep', 'read', { reads: [access(path, { via: 'Grep', deep: true, below })] });
}

export function fetch(...hosts: string[]): Facts {
  return call('WebFetch', 'web', { domains: hosts.map(domain) });
}

export function domain(host: string): Facts['domains'][number] {
  const labels = host.split('.');
  return { host, labels: labels.map((_, at) => labels.slice(at).join('.')) };
}

export interface CommandOptions {
  class?: BashClass;
  top?: boolean;
  network?: boolean;
  spellings?: string[];
}

/** A simple command from its text; a word that begins with `$` is dynamic. */
export function command(
  text: string,
  { class: given = 'read-only', top = true, network = false, spellings = [] }: CommandOptions = {},
): CommandFacts {
  const argv = text.split(' ').map((word) => (word.startsWith('$') ? null : word));
  const base = argv[0]?.includes('/') ? [text.replace(/^\S*\//, '')] : [];
  const simple: BashCommand = {
    name: argv[0] ?? '',
    argv,
    text,
    spellings: [...base, ...spellings],
    top,
    class: given,
    network,
    why: [],
  };
  return commandFacts(simple, '/');
}

const order: BashClass[] = ['read-only', 'writes', 'runs', 'unknown'];

/** A Bash call of these commands; parts of class runs and unknown may write anywhere. */
export function bash(commands: CommandFacts[], parts: Partial<Omit<Facts, 'tool'>> = {}): Facts {
  const uncertain = commands.flatMap((one, at) =>
    one.class === 'runs' || one.class === 'unknown'
      ? [{ kind: 'command' as const, command: at, name: one.name, class: one.class, why: 'it runs code' }]
      : [],
  );
  const worst = order[Math.max(0, ...commands.map((one) => order.indexOf(one.class)))] as BashClass;
  return call('Bash', 'command', {
    bash: { class: worst, network: commands.some(({ network }) => network), commands },
    may_write_anywhere: uncertain.length > 0 ? uncertain : null,
    ...parts,
  });
}
