// Random rules and calls that often match each other.
import fc from 'fast-check';
import type { BashClass } from '../../src/model/command.ts';
import type { Default, Layer } from '../../src/model/configuration.ts';
import type { ArgumentRole, Facts, PathAccess, ReadAccess } from '../../src/model/facts.ts';
import { access, bash, call, command, domain, type PathOptions, projectRoot } from './facts.ts';
import type { Lists, Settings } from './policy.ts';

const parts = [
  'src',
  'test',
  'a.ts',
  'a.test.ts',
  '.env',
  '(group)',
  '$id.tsx',
  'line\nend',
  'back\\n',
  'quo"te',
  'ünï',
  'docs',
  'x',
];
const part = fc.constantFrom(...parts);
const relative = fc.array(part, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const absolute = fc
  .tuple(fc.constantFrom('/etc', '/home/ann', '/home/ann/.claude/plans', '/tmp', projectRoot), relative)
  .map(([root, rest]) => `${root}/${rest}`);
const anyPath = fc.oneof(
  { weight: 4, arbitrary: relative },
  { weight: 1, arbitrary: absolute },
  { weight: 1, arbitrary: fc.constant('') },
);

const patternPart = fc.oneof(
  { weight: 4, arbitrary: part.map((name) => name.replace(/[\n\\]/g, '?')) },
  fc.constantFrom('*', '**', '*.ts', '*.test.ts', '.*', 's?c', '[st]*', '*e*', '(*'),
);
export const pathPattern = fc
  .tuple(
    fc.constantFrom('', '', '', '/', './', '//', '~/', '~/.claude/plans/', '~/.claude/'),
    fc.array(patternPart, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', '/**'),
  )
  .map(([lead, names, tail]) => lead + names.join('/') + tail);

const word = fc.constantFrom('npm', 'test', 'git', 'push', 'rm', '-rf', 'src', '--force', '$X', './run.sh', '/bin/rm', 'x');
const commandText = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const commandPattern = fc.oneof(
  commandText,
  commandText.map((text) => `${text}:*`),
  commandText.map((text) => `${text} *`),
  commandText.map((text) => `${text}*`),
  fc.tuple(commandText, commandText).map(([one, other]) => `${one}*${other}`),
  fc.constantFrom('*rm*', 'git * --force', 'a b c d e f g h i *', 'git * src *'),
);
const className = fc.constantFrom('@read-only', '@writes', '@runs', '@unknown', '@network');
const hostName = fc.constantFrom('github.com', 'api.github.com', 'evilgithub.com', 'example.org', 'a.b.example.org');
const toolName = fc.constantFrom(
  'Read',
  'Write',
  'Edit',
  'Grep',
  'Glob',
  'Bash',
  'Monitor',
  'WebFetch',
  'WebSearch',
  'Agent',
  'Skill',
  'NotebookEdit',
  'ToolSearch',
  'Workflow',
  'mcp__fs',
  'mcp__fs__write_file',
  'mcp__my-db__query',
  'mcp__a',
  'mcp__a__b',
  'mcp__a__b__t',
  'mcp__plugin_modes_modes__status',
);

const pathTool = fc.constantFrom('Read', 'Write', 'Edit', 'Grep');

const commonRule = fc.oneof(
  { weight: 2, arbitrary: toolName },
  fc.constantFrom(
    '@read',
    '@edit',
    '@command',
    '@web',
    '@mcp',
    '@agent',
    'mcp__fs__*',
    'mcp__fs__w*',
    'mcp__a__*',
    'mcp__a__b__*',
    'mcp__a__b*',
    'mcp__a__b__t*',
  ),
  {
    weight: 4,
    arbitrary: fc.tuple(pathTool, pathPattern).map(([tool, text]) => `${tool}(${text})`),
  },
  { weight: 3, arbitrary: commandPattern.map((text) => `Bash(${text})`) },
  className.map((text) => `Bash(${text})`),
  fc.tuple(fc.constantFrom('', '*.'), hostName).map(([lead, host]) => `WebFetch(domain:${lead}${host})`),
  fc.constantFrom('WebFetch(domain:*)', 'Agent(Explore)', 'Agent(code-*)', 'Skill(commit)', 'Skill(c*)'),
  pathPattern.map((text) => `mcp__fs__write_file(path: ${text})`),
  commandPattern.map((text) => `mcp__my-db__query(cmd: ${text})`),
);
const narrowOnly = fc.constantFrom(
  '*',
  'Bash(@secrets)',
  'mcp__*',
  'Web*',
  '*Edit',
  'Agent(model:opus)',
  'Agent(model:o*)',
  'Bash(run_in_background:true)',
  'mcp__my-db__query(sql: *drop*)',
  'mcp__a__b__*(sql: *drop*)',
);
const withException = fc.tuple(pathTool, pathPattern, pathPattern).map(([tool, text, not]) => `${tool}(${text} !${not})`);
export const narrowRule = fc.oneof(
  { weight: 8, arbitrary: commonRule },
  { weight: 1, arbitrary: narrowOnly },
  { weight: 2, arbitrary: withException },
);

const broadAllow = fc.constantFrom(
  'Read(**)',
  'Write(**)',
  'Write(//**)',
  'Read(//**)',
  'Read(@scratch)',
  'Write(@scratch)',
  'Bash(npm:*)',
  'Bash(git:*)',
  'Bash(@runs)',
  'Bash(@read-only)',
  'Bash(@network)',
  'Bash',
  'Agent',
  'Skill(commit)',
  'mcp__fs',
);

const lists: fc.Arbitrary<Lists> = fc.record({
  deny: fc.array(narrowRule, { maxLength: 2 }),
  ask: fc.array(narrowRule, { maxLength: 1 }),
  allow: fc.array(fc.oneof({ weight: 3, arbitrary: commonRule }, { weight: 2, arbitrary: broadAllow }), { maxLength: 6 }),
});
const value = fc.constantFrom<Default>('pass', 'ask', 'deny');
const layer = fc.constantFrom<Layer>('project', 'local', 'user', 'managed');

export const declared = new Map<string, ReadonlyMap<string, ArgumentRole>>([
  ['mcp__fs__write_file', new Map<string, ArgumentRole>([['path', 'write']])],
  ['mcp__my-db__query', new Map<string, ArgumentRole>([['cmd', 'command']])],
]);

const outside = fc.record({
  effect: fc.constantFrom('deny' as const, 'ask' as const),
  globs: fc.array(pathPattern, { maxLength: 2 }),
  expressions: fc.array(fc.constantFrom('\\.ts$', '^src/', '^(src|test)/.*a', 'x|docs$', ''), { maxLength: 1 }),
  layer,
});

export const settings: fc.Arbitrary<Settings> = fc
  .tuple(
    lists,
    fc.dictionary(layer, lists, { maxKeys: 2 }),
    fc.dictionary(layer, value, { maxKeys: 2 }),
    fc.boolean(),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<Settings['outside']>([]) },
      { weight: 1, arbitrary: fc.array(outside, { minLength: 1, maxLength: 2 }) },
    ),
  )
  .map(([project, others, defaults, trusted, outside]) => ({
    ...project,
    layers: others,
    defaults,
    trusted,
    arguments: declared,
    outside,
  }));

const protection = fc.oneof(
  { weight: 9, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({
      effect: fc.constantFrom('ask' as const, 'deny' as const),
      name: fc.constant('.claude/'),
      remedy: fc.constant('A person does it.'),
    }),
  },
);
const pathOptions = fc.record({
  also: fc.array(anyPath, { maxLength: 1 }),
  below: fc.array(relative, { maxLength: 2 }),
  deep: fc.boolean(),
  dependency: fc.boolean().map((given) => given && false),
  own: fc.constant(null),
});

const plans = '/home/ann/.claude/plans';

/** Reads and writes; the session's own files and dependency folders now and then. */
function pathAccess(kind: 'read' | 'write', via: string, at: number | null) {
  return fc.tuple(anyPath, pathOptions, protection, fc.nat(9), fc.boolean()).map(([path, options, met, dice, unseen]) => {
    const given: PathOptions = {
      ...options,
      below: options.deep ? options.below : [],
      via,
      command: at,
      protection: kind === 'write' ? met : null,
    };
    if (dice === 0) {
      const name = path.split('/').at(-1) || 'plan.md';
      return access(`${plans}/${name}`, { ...given, own: plans, also: [], deep: false, below: [], protection: null });
    }
    if (dice === 1) Object.assign(given, { dependency: true, deep: true });
    if (dice === 2 && options.deep) Object.assign(given, { unseen });
    if (dice === 3 && options.deep) Object.assign(given, { unnamed: true });
    if (dice === 4 && given.protection?.effect === 'ask')
      given.protection = { ...given.protection, ...(unseen && { firm: true }) };
    return access(path, given);
  });
}

const commandFactsOf = fc
  .tuple(commandText, fc.constantFrom<BashClass>('read-only', 'writes', 'runs', 'unknown'), fc.boolean(), fc.boolean())
  .map(([text, given, top, network]) => command(text, { class: given, top, network }));

/** Read along with a write. */
const alongside = (access: PathAccess): ReadAccess => ({ ...access, implied: true, protection: null, dependency: false });

const bashCall = fc.array(commandFactsOf, { maxLength: 2 }).chain((commands) => {
  const at = commands.length === 0 ? null : 0;
  return fc
    .tuple(
      fc.array(pathAccess('write', 'sed -i', at), { maxLength: 1 }),
      fc.array(pathAccess('read', 'cat', at), { maxLength: 1 }),
      fc.array(hostName.map(domain), { maxLength: 1 }),
      fc.constantFrom('Bash', 'Monitor', 'mcp__my-db__query', 'Skill'),
      fc.integer({ min: 0, max: 5 }),
    )
    .map(([writes, reads, domains, name, dice]) => {
      const facts = bash(commands, { writes, reads, domains });
      if (dice === 0)
        facts.may_write_anywhere = [{ kind: 'command', command: null, name: '', class: 'unknown', why: 'not understood' }];
      if (name === 'mcp__my-db__query')
        Object.assign(facts.tool, { name, group: 'mcp', server: 'my-db', keys: [name, 'mcp__my-db'] });
      else if (name === 'Skill') {
        Object.assign(facts.tool, { name, group: 'agent', keys: [name] });
        facts.skills = ['commit'];
      } else Object.assign(facts.tool, { name, keys: [name] });
      if (dice === 4) facts.reads.push(...writes.map(alongside));
      if (dice === 1) facts.tool.params = { run_in_background: 'true' };
      if (dice === 2) facts.tool.extra = ['dangerouslyDisableSandbox'];
      if (dice === 3)
        Object.assign(facts.tool, { params: { run_in_background: 't', sql: 'x' }, cut: ['run_in_background', 'sql'] });
      return facts;
    });
});

const edited = fc
  .tuple(
    fc.constantFrom('Write', 'Edit', 'NotebookEdit'),
    pathAccess('write', 'Edit', null),
    fc.array(pathAccess('read', 'Edit', null), { maxLength: 1 }),
  )
  .map(([name, written, seen]) => call(name, 'edit', { writes: [written], reads: [written, ...seen].map(alongside) }));
const readCall = fc
  .tuple(fc.constantFrom('Read', 'Grep', 'Glob'), pathAccess('read', 'Read', null))
  .map(([name, seen]) => call(name, 'read', { reads: [seen] }));
const fetched = fc
  .array(hostName.map(domain), { minLength: 1, maxLength: 2 })
  .map((domains) => call('WebFetch', 'web', { domains }));
const named = fc.constantFrom(
  call('WebSearch', 'web'),
  call('PowerShell', 'command', {
    may_write_anywhere: [{ kind: 'tool', command: null, name: 'PowerShell', class: 'unknown', why: 'not analyzed' }],
  }),
  call('ToolSearch', 'meta'),
  call('Agent', 'agent', { agents: ['Explore'], tool: { params: { model: 'opus' } } }),
  call('Agent', 'agent', {
    agents: ['code-review'],
    protections: [{ effect: 'ask', name: 'Agent with remote isolation', reason: 'r', remedy: 'm' }],
    tool: { extra: ['isolation'] },
  }),
  call('Skill', 'agent', {
    skills: ['commit'],
    may_write_anywhere: [{ kind: 'tool', command: null, name: 'Skill', class: 'unknown', why: 'not found' }],
  }),
  call('Workflow', 'agent', {
    may_write_anywhere: [{ kind: 'tool', command: null, name: 'Workflow', class: 'unknown', why: 'runs code' }],
  }),
  call('mcp__my-db__query', 'mcp', {
    may_write_anywhere: [{ kind: 'tool', command: null, name: 'mcp__my-db__query', class: 'unknown', why: 'not declared' }],
    tool: { params: { sql: 'drop table x' } },
  }),
  // A name that two servers may have, without and with the client's word for which one it is.
  ...[[], ['mcp__a'], ['mcp__a__b__*']].map((certain) =>
    call('mcp__a__b__t', 'mcp', {
      tool: {
        keys: ['mcp__a__b__t', ...certain],
        narrow_keys: ['mcp__a', 'mcp__a__b', 'mcp__a__b__*'].filter((key) => !certain.includes(key)),
        params: { sql: 'drop table x' },
      },
    }),
  ),
  call('mcp__plugin_modes_modes__status', 'own', { protections: [{ effect: 'allow', name: 'own', reason: 'r', remedy: '' }] }),
  call('mcp__plugin_modes_modes__transition', 'own', { protections: [{ effect: 'deny', name: 'own', reason: 'r', remedy: '' }] }),
  call('mcp__plugin_modes_modes__force_transition', 'own'),
  call('CronCreate', 'other', { protections: [{ effect: 'deny', name: 'a line starting /modes:', reason: 'r', remedy: '' }] }),
);
const declaredWrite = fc
  .tuple(pathAccess('write', 'mcp__fs__write_file', null), pathAccess('read', 'mcp__fs__write_file', null), fc.boolean())
  .map(([written, seen, reads]) =>
    call('mcp__fs__write_file', 'mcp', { writes: [written], reads: reads ? [seen] : [alongside(written)] }),
  );

export const facts: fc.Arbitrary<Facts> = fc.oneof(
  { weight: 4, arbitrary: bashCall },
  { weight: 3, arbitrary: edited },
  { weight: 2, arbitrary: readCall },
  fetched,
  named,
  declaredWrite,
);
