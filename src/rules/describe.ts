// A rule in words, for lists and reasons.
import type { CommandClass } from '../model/facts.ts';
import type { CommandPattern, PathPattern, PathRule, Rule, TextGlob } from '../model/rule.ts';

const verbs = { allow: 'allows', ask: 'asks for', deny: 'denies' } as const;
const classes: Readonly<Record<CommandClass, string>> = {
  'read-only': 'commands that only read',
  writes: 'commands that write only what they name',
  runs: 'commands that run programs of the project',
  unknown: 'commands that are not understood',
  network: 'commands that use the network',
  'network-read': 'commands that only query a service',
  'network-send': 'commands that may send something to another machine',
  database: 'commands that change a database',
  deploy: 'commands that publish, deploy or change containers and clouds',
  secrets: 'commands that print credentials',
  environment: 'commands that print an environment',
  checks: 'commands that test, check or describe the project',
  files: 'commands that change only the files that they name',
};

/** One clause without a period, such as `denies writing src/**`. */
export function describe(rule: Rule): string {
  return `${verbs[rule.effect]} ${subject(rule)}`;
}

function subject(rule: Rule): string {
  switch (rule.kind) {
    case 'tool':
      return /^mcp__(.*)\(@read-only\)$/.test(rule.name)
        ? `tools that only read, of ${rule.name.startsWith('mcp__*') ? 'every declared server' : rule.name.replace(/\(.*/, '')}`
        : `the tool ${rule.name}`;
    case 'server':
      return `every tool of ${rule.server}`;
    case 'tool-glob':
      return `every tool called ${globText(rule.glob)}`;
    case 'group':
      return `every tool of the group @${rule.group}`;
    case 'scratch':
      return `${rule.access === 'read' ? 'reading' : 'writing'} files of the temporary folder`;
    case 'every':
      return rule.access === 'command' ? 'running any command' : `${rule.access === 'read' ? 'reading' : 'writing'} any path`;
    case 'read':
    case 'write':
      return `${rule.kind === 'read' ? 'reading' : 'writing'} ${anyOf(rule.paths)}${exceptions(rule)}${within(rule.only)}`;
    case 'outside':
      return `writing anything but ${[...rule.paths.map(({ text }) => text), ...rule.expressions.map((one) => `/${one}/`)].join(' or ')}`;
    case 'unknown-read':
      return 'reading a path that is known only when the call runs';
    case 'bash':
      return `running ${commandText(rule.commands[0] as CommandPattern)}${within(rule.only)}`;
    case 'bash-class':
      return classes[rule.class];
    case 'domain':
      return rule.form === 'any' ? 'reaching any host' : `reaching ${rule.form === 'below' ? 'hosts under ' : ''}${rule.host}`;
    case 'agent':
      return `starting the agent ${globText(rule.name)}`;
    case 'skill':
      return `the skill ${globText(rule.name)}`;
    case 'param':
      return `${rule.tool} with ${rule.param} ${globText(rule.value)}`;
    default:
      throw new Error(`unknown rule ${JSON.stringify(rule satisfies never)}`);
  }
}

function anyOf(patterns: readonly PathPattern[]): string {
  return patterns.map(({ text }) => text).join(' or ');
}

function exceptions({ except }: PathRule): string {
  return except === undefined ? '' : `, except ${anyOf(except)},`;
}

function within(only: string | null): string {
  return only === null ? '' : ` by ${only}`;
}

function globText({ pieces }: TextGlob): string {
  return pieces.join('*');
}

function commandText(command: CommandPattern): string {
  if (command.form === 'exact') return command.text;
  if (command.form === 'prefix') return `${command.text} with any arguments`;
  return command.pieces.join('*') + (command.boundary ? ' with any further arguments' : '');
}
