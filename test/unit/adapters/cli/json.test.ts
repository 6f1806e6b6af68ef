// --json: what every verb prints is what its published schema says, whether it has an answer or none.
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import Ajv, { type ValidateFunction } from 'ajv';
import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { OUTPUT_SCHEMAS } from '../../../../src/adapters/cli/outputs/schemas.ts';
import { makeProgram } from '../../../../src/adapters/cli/program.ts';
import { harnesses } from '../../../../src/adapters/harnesses/table.ts';
import { callId } from '../../../../src/adapters/harnesses/translate.ts';
import type { Harness } from '../../../../src/adapters/harnesses/types.ts';
import { packArchive } from '../../../../src/policy/archive.ts';
import { signBundle } from '../../../../src/teams/signature.ts';
import { forFile } from '../../../support/cleanup.ts';
import { modesHere } from '../../../support/command-line.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true });
const validators = new Map<string, ValidateFunction>(
  OUTPUT_SCHEMAS.map(([file, schema]) => [path.basename(file, '.schema.json'), ajv.compile(schema)]),
);

/** Verbs that take --json, as they are typed. */
function verbsOf(command: Command, above: readonly string[] = []): string[] {
  return command.commands.flatMap((one) => {
    const words = [...above, one.name()];
    return [...(one.options.some(({ long }) => long === '--json') ? [words.join(' ')] : []), ...verbsOf(one, words)];
  });
}
const verbs = verbsOf(makeProgram());

/** Values of an output, one or one a line. */
const valuesOf = (out: string, isLines: boolean): unknown[] =>
  isLines
    ? out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [JSON.parse(out)];

/** What of an output is not as the schema of its verb says; null: nothing. */
function wrongWith(verb: string, value: unknown): unknown {
  const validate = validators.get(verb.replaceAll(' ', '-')) as ValidateFunction;
  return validate(value) ? null : { value, errors: validate.errors };
}

let plugin: string;
/** What is said to stdin is said to a process of its own. */
const modes = (project: Project, args: string[], stdin?: string) => {
  const around = { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' } };
  return stdin === undefined
    ? modesHere(args, around)
    : run(process.execPath, [path.join(plugin, 'dist/modes.mjs'), ...args], { ...around, stdin });
};

/** The program as it is built, of every verb once: what needs neither a project nor a person. */
const direct = (args: string[]) => run(process.execPath, [path.join(plugin, 'dist/modes.mjs'), ...args], { cwd: '/', env: {} });

const PUSH = 'package modes.policy.push\n\ndeny contains "no" if {\n\t"push" in input.bash.commands[_].argv\n}\n';
const CASES = '- call: Bash(git push)\n  mode: idle\n  expect: deny\n- call: Read(src/a.js)\n  expect: deny\n';

/** An MCP server with one tool that only reads. */
const LISTING = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, params } = JSON.parse(line);
  const hello = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 't', version: '1' } };
  const tools = [{ name: 'get', annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } }];
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { ...hello, tools } }));
});`;

/** The TDD example with a policy and cases, and one compiler for all. */
function prepared(files: Record<string, string> = {}): Project {
  const project = makeProject();
  const cache = path.join(repository, '.cache/policies');
  fs.mkdirSync(cache, { recursive: true });
  fs.symlinkSync(cache, path.join(project.data, 'cache'));
  const all = { '.claude/policies/push.rego': PUSH, '.claude/policies/push.cases.yaml': CASES, ...files };
  for (const [name, text] of Object.entries(all)) project.put(name, text);
  project.trust();
  return project;
}

/** The same with decisions in its log. */
async function logged(project: Project): Promise<Project> {
  const calls: [string, object][] = [
    ['Bash', { command: 'git push --token=ghp_0123456789abcdefghij0123456789abcdef > out.txt' }],
    ['Write', { file_path: path.join(project.root, 'src/a.js'), content: 'x' }],
    ['Read', { file_path: path.join(project.root, 'package.json') }],
    ['Bash', { command: 'npm test' }],
  ];
  for (const [at, [tool_name, tool_input]] of calls.entries()) {
    const event = { hook_event_name: 'PreToolUse', session_id: 's1', cwd: project.root, tool_name, tool_input };
    const stdin = JSON.stringify({ ...event, tool_use_id: `t${at}`, permission_mode: 'default' });
    await run(process.execPath, [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root], {
      cwd: '/',
      env: project.env(),
      stdin,
    });
  }
  return project;
}

beforeAll(async () => {
  plugin = await builtPlugin();
}, 180_000);

/** Verbs that only look: at the same projects. For all others they are made anew. */
const looking = ['validate', 'check', 'status', 'doctor', 'log', 'replay', 'suggest', 'stats', 'explain', 'graph', 'dashboard'];
looking.push('gates', 'servers', 'bash', 'policy test', 'policy check', 'policy coverage', 'policy fmt', 'policy diff');

/** Kinds of projects. */
const makers = {
  whole: async () => prepared(),
  logged: async () => logged(prepared()),
  broken: async () =>
    prepared({ '.claude/settings.idle.json': '{"permissions": {"alow": []}}', '.claude/policies/push.rego': 'package' }),
  /** A person granted a call of another harness. */
  granted: async () => {
    const project = makeProject();
    const event = { hook_event_name: 'PreToolUse', session_id: 'codex-1', cwd: project.root, harness: 'codex', tool_use_id: 't' };
    const input = { command: 'npx unknown' };
    const call = callId(harnesses.get('codex') as Harness, project.root, 'Bash', input);
    const harness_call = { call, attempt: 'a', folder: project.root, tool: 'Bash', input };
    const stdin = JSON.stringify({ ...event, tool_name: 'Bash', tool_input: harness_call.input, harness_call });
    const hook = [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root];
    await run(process.execPath, hook, { cwd: '/', env: project.env(), stdin });
    const here = { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' }, types: 'y' };
    expect((await modesHere(['grant', '--json'], here)).err).toContain('npx unknown');
    return project;
  },
  /** With MCP servers. */
  served: async () => {
    const quiet = { command: 'true' };
    const tickets = { command: process.execPath, args: ['-e', LISTING] };
    return prepared({ '.mcp.json': JSON.stringify({ mcpServers: { tickets, quiet } }) });
  },
  /** No session has begun. */
  sessions: async () => {
    const project = makeProject();
    project.put('.claude/modes.yaml', `scope: session\n${project.get('.claude/modes.yaml')}`);
    return project;
  },
  stopped: async () => {
    const project = prepared();
    expect(await modes(project, ['stop'])).toMatchObject({ code: 0 });
    return project;
  },
  empty: async () => makeProject({ example: null }),
  neighbours: async () => {
    const project = makeProject({ example: null });
    const mode = '{slug: docs, name: Docs, roleDefinition: You write., groups: [read, [edit, {fileRegex: "(?=a)"}]]}';
    project.put('.roomodes', `customModes: [${mode}]`);
    project.put('odd.yaml', `customModes: [${mode}, {slug: odd}]`);
    project.put('sessions/sessions-config.json', '{}');
    project.put('.claude/settings.json', '{"permissions": {"allow": ["Write(a)", "Bash(ls:*)"], "deny": ["Read(.env)"]}}');
    return project;
  },
  /** A bundle and keys in the folder made. */
  bundled: async () => {
    const project = makeProject({ example: null });
    const keys = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    project.put('made/private.pem', keys.privateKey);
    project.put('made/public.pem', keys.publicKey);
    const files = new Map([['.manifest', Buffer.from('{"revision":"1"}')]]);
    const signed = await signBundle(files, { algorithm: 'EdDSA', key: Buffer.from(keys.privateKey) });
    for (const [name, made] of Object.entries({ plain: files, signed }))
      fs.writeFileSync(path.join(project.root, `made/${name}.tar.gz`), packArchive(made));
    return project;
  },
  calm: async () => prepared({ '.claude/policies/push.cases.yaml': CASES.slice(0, CASES.indexOf('- call: Read')) }),
};

/** A run: the words of the verb, further words, exit code; `lines`: a value a line. */
interface Row {
  in: keyof typeof makers;
  args?: string[];
  code: number;
  error?: true;
  lines?: true;
  stdin?: string;
}
const EVERY = 'ls -la && sed -i s/a/b/ x.txt; rg -n foo --glob "!*.md" > out; npm test; sqlite3 a.db .dump; $X; cp -r a b';
const rows: Record<string, Row[]> = {
  init: [
    { in: 'whole', args: ['--list'], code: 0 },
    { in: 'empty', args: ['--preset', 'tdd'], code: 0 },
    { in: 'empty', args: ['--preset', 'tdd'], code: 0 },
    { in: 'empty', args: ['--undo'], code: 1, error: true },
    { in: 'empty', args: ['--undo', '--yes'], code: 0 },
    { in: 'empty', args: ['--undo', '--yes'], code: 1, error: true },
    { in: 'empty', code: 64, error: true },
    { in: 'whole', args: ['--preset', 'nope'], code: 64, error: true },
    { in: 'whole', args: ['--harness', 'codex', '--yes'], code: 0 },
    { in: 'whole', args: ['--harness', 'nope'], code: 64, error: true },
  ],
  grant: [
    { in: 'granted', args: ['--list'], code: 0 },
    { in: 'granted', code: 1, error: true },
    { in: 'granted', args: ['--revoke'], code: 0 },
    { in: 'granted', args: ['--revoke'], code: 1, error: true },
    { in: 'whole', args: ['--list', '--revoke'], code: 64, error: true },
  ],
  accept: [{ in: 'whole', code: 0 }],
  restore: [
    { in: 'whole', code: 0 },
    { in: 'empty', code: 64, error: true },
  ],
  validate: [
    { in: 'whole', code: 0 },
    { in: 'broken', code: 1 },
    { in: 'empty', code: 64, error: true },
  ],
  trust: [
    { in: 'whole', code: 0 },
    { in: 'whole', args: ['--list'], code: 0 },
    { in: 'whole', args: ['--list', '--revoke'], code: 64, error: true },
    { in: 'calm', args: ['--revoke', 'ffff'], code: 1, error: true },
    { in: 'calm', args: ['--revoke'], code: 0 },
    { in: 'calm', args: ['--list'], code: 0 },
    { in: 'calm', args: ['--expect', 'sha256:0'], code: 1, error: true },
    { in: 'calm', code: 1, error: true },
    { in: 'broken', code: 1, error: true },
  ],
  mode: [
    { in: 'whole', args: ['idle'], code: 0 },
    { in: 'whole', args: ['test-dev'], code: 1, error: true },
    { in: 'whole', args: ['nope'], code: 64, error: true },
  ],
  check: [
    { in: 'whole', args: [`Bash(${EVERY})`], code: 2 },
    { in: 'whole', args: ['Read(src/split.js)'], code: 0 },
    { in: 'whole', args: ['--mode', 'test-dev', 'Write(package.json)'], code: 3 },
    { in: 'whole', args: ['Write(.claude/modes.yaml)'], code: 2 },
    { in: 'whole', args: ['mcp__fs__write_file({"path": "a"})'], code: 2 },
    { in: 'whole', args: ['Read'], code: 2 },
    { in: 'broken', args: ['Write(a)'], code: 2 },
    { in: 'whole', args: ['Bash('], code: 64, error: true },
    { in: 'whole', args: ['--event', 'gone.json'], code: 64, error: true },
  ],
  status: [
    { in: 'whole', code: 0 },
    { in: 'broken', code: 0 },
    { in: 'stopped', code: 1 },
    { in: 'empty', code: 64, error: true },
  ],
  doctor: [
    { in: 'whole', args: ['--no-client'], code: 1 },
    { in: 'empty', args: ['--no-client'], code: 1 },
    { in: 'whole', args: ['--client', '/no/such'], code: 64, error: true },
    { in: 'whole', args: ['--harness', 'codex'], code: 1 },
    { in: 'whole', args: ['--harness', 'nope'], code: 64, error: true },
  ],
  log: [
    { in: 'logged', code: 0, lines: true },
    { in: 'logged', args: ['--decision', 'maybe'], code: 64, error: true },
  ],
  replay: [
    { in: 'logged', args: ['--policy', '.', '--since', '7d'], code: 0 },
    { in: 'logged', args: ['--policy', path.join(repository, 'examples/daic')], code: 0 },
    { in: 'broken', args: ['--policy', '.'], code: 1 },
    { in: 'logged', args: ['--policy', '/no/such'], code: 64, error: true },
  ],
  suggest: [
    { in: 'logged', args: ['--min', '1'], code: 0 },
    { in: 'broken', code: 1, error: true },
    { in: 'whole', args: ['--min', 'x'], code: 64, error: true },
    { in: 'whole', args: ['--project'], code: 0 },
    { in: 'empty', args: ['--project', '--preset', 'roo'], code: 0 },
    { in: 'empty', args: ['--project', '--preset', 'x'], code: 64, error: true },
    { in: 'whole', args: ['--project', '--min', '1'], code: 64, error: true },
    { in: 'whole', args: ['--preset', 'tdd'], code: 64, error: true },
  ],
  stats: [
    { in: 'logged', code: 0 },
    { in: 'logged', args: ['--since', 'x'], code: 64, error: true },
  ],
  explain: [
    { in: 'logged', code: 0 },
    { in: 'whole', args: [`Bash(${EVERY})`, '--mode', 'test-dev'], code: 0 },
    { in: 'broken', args: ['Write(a)'], code: 0 },
    { in: 'whole', args: ['0000000000000000'], code: 1, error: true },
  ],
  servers: [
    { in: 'whole', args: [], code: 0 },
    { in: 'served', args: ['tickets', '--yes'], code: 0 },
    { in: 'served', args: ['quiet', '--yes'], code: 1, error: true },
    { in: 'whole', args: ['absent'], code: 64, error: true },
  ],
  gates: [
    { in: 'whole', code: 0 },
    { in: 'stopped', code: 1 },
  ],
  graph: [
    { in: 'whole', code: 0 },
    { in: 'whole', args: ['--svg'], code: 64, error: true },
  ],
  dashboard: [{ in: 'whole', args: ['--port', 'x'], code: 64, error: true }],
  'import roo': [
    { in: 'neighbours', code: 0 },
    { in: 'neighbours', args: ['--write'], code: 0 },
    { in: 'neighbours', args: ['odd.yaml'], code: 1 },
    { in: 'empty', code: 1, error: true },
  ],
  'import cc-sessions': [
    { in: 'neighbours', code: 0 },
    { in: 'empty', code: 1, error: true },
  ],
  'import claude-settings': [
    { in: 'neighbours', args: ['--mode', 'first'], code: 0 },
    { in: 'neighbours', args: ['--mode', 'any'], code: 1, error: true },
    { in: 'whole', code: 0 },
  ],
  'export roo': [
    { in: 'whole', args: ['--write'], code: 0 },
    { in: 'broken', code: 1, error: true },
    { in: 'empty', code: 64, error: true },
  ],
  bash: [
    { in: 'whole', args: [EVERY], code: 0 },
    { in: 'whole', code: 64, error: true },
    { in: 'whole', args: ['--jsonl'], code: 1, lines: true, stdin: `${JSON.stringify({ command: EVERY })}\nno\n` },
  ],
  stop: [
    { in: 'calm', code: 0 },
    { in: 'sessions', code: 1, error: true },
  ],
  'policy test': [
    { in: 'whole', code: 1 },
    { in: 'calm', code: 0 },
    { in: 'broken', code: 1 },
    { in: 'whole', args: ['-r', '('], code: 64, error: true },
  ],
  'policy check': [
    { in: 'whole', code: 0 },
    { in: 'broken', code: 1 },
    { in: 'whole', args: ['/no/such'], code: 64, error: true },
  ],
  'policy coverage': [
    { in: 'calm', code: 0 },
    { in: 'whole', args: ['--threshold', '99'], code: 1 },
    { in: 'whole', args: ['--threshold', 'x'], code: 64, error: true },
  ],
  'policy fmt': [
    { in: 'whole', args: ['--check'], code: 0 },
    { in: 'whole', args: ['--diff'], code: 0 },
    { in: 'broken', args: ['--check'], code: 1, error: true },
    { in: 'whole', args: ['/no/such'], code: 64, error: true },
  ],
  'policy build': [
    { in: 'calm', args: ['-o', 'made/idle.tar.gz'], code: 0 },
    { in: 'broken', code: 1, error: true },
    { in: 'whole', args: ['--mode', 'nope'], code: 64, error: true },
  ],
  'policy export': [
    { in: 'whole', code: 0 },
    { in: 'calm', args: ['-o', 'made/exported'], code: 0 },
    { in: 'broken', code: 1, error: true },
  ],
  'bundle build': [
    { in: 'calm', args: ['-o', 'made/idle.tar.gz', '--revision', '7'], code: 0 },
    { in: 'broken', code: 1, error: true },
  ],
  'bundle sign': [
    { in: 'bundled', args: ['made/plain.tar.gz', '--key', 'made/private.pem', '--alg', 'EdDSA', '--expires', '30d'], code: 0 },
    { in: 'bundled', args: ['made/plain.tar.gz', '--key', 'made/public.pem', '--alg', 'EdDSA'], code: 1, error: true },
    { in: 'bundled', args: ['made/plain.tar.gz', '--key', 'made/private.pem', '--alg', 'none'], code: 64, error: true },
  ],
  'bundle verify': [
    { in: 'bundled', args: ['made/signed.tar.gz', '--key', 'made/public.pem', '--alg', 'EdDSA'], code: 0 },
    { in: 'bundled', args: ['made/plain.tar.gz', '--key', 'made/public.pem', '--alg', 'EdDSA'], code: 1, error: true },
  ],
  'bundle push': [
    { in: 'bundled', args: ['made/signed.tar.gz', 'http://127.0.0.1:1/a.tar.gz'], code: 1, error: true },
    { in: 'bundled', args: ['made/plain.tar.gz', 'http://127.0.0.1:1/a.tar.gz'], code: 1, error: true },
    { in: 'bundled', args: ['made/signed.tar.gz', 'ftp://a'], code: 64, error: true },
  ],
  'policy diff': [
    { in: 'whole', args: ['.', '.'], code: 0 },
    { in: 'logged', args: [path.join(repository, 'examples/daic'), '.'], code: 1 },
    { in: 'whole', args: ['.', '/no/such'], code: 64, error: true },
  ],
};

test('every verb with --json has a schema and is run here', () => {
  expect([...validators.keys()].sort()).toEqual([...verbs.map((verb) => verb.replaceAll(' ', '-')), 'error'].sort());
  expect(Object.keys(rows).sort()).toEqual([...verbs].sort());
});

const lasting = new Map<Row['in'], Project>();

describe.each(verbs)('modes %s --json', (verb) => {
  test('prints output that matches its schema', async () => {
    const projects = looking.includes(verb) ? lasting : new Map<Row['in'], Project>();
    for (const row of rows[verb] ?? []) {
      const project = projects.get(row.in) ?? (await forFile(makers[row.in]));
      projects.set(row.in, project);
      const ended = await modes(project, [...verb.split(' '), '--json', ...(row.args ?? [])], row.stdin);
      expect({ row, code: ended.code, err: ended.err, out: ended.out.slice(0, 300) }).toMatchObject({ row, code: row.code });
      const values = valuesOf(ended.out, row.lines === true);
      expect([row, values.length > 0]).toEqual([row, true]);
      for (const value of values) expect([row, wrongWith(verb, value)]).toEqual([row, null]);
      const isFailure = values.length === 1 && Object.keys(values[0] as object).join() === 'error';
      expect([row, isFailure]).toEqual([row, row.error === true]);
    }
  }, 120_000);

  test('reports wrong usage in the standard shape, on stdout only', async () => {
    const ended = await direct([...verb.split(' '), '--zzzzzz', '--json']);
    expect(ended).toMatchObject({ code: 64, err: '' });
    const message = expect.stringMatching(
      /^(unknown option '--zzzzzz'|required option '--(policy <folder>|key <file>)' not specified)$/,
    );
    expect(JSON.parse(ended.out)).toEqual({ error: { code: 'E_USAGE', message, remedy: expect.stringContaining('--help') } });
  });
});

test('modes dashboard --json prints its address in a line', async () => {
  const whole = prepared();
  const child = spawn(process.execPath, [path.join(plugin, 'dist/modes.mjs'), 'dashboard', '--json'], {
    cwd: whole.root,
    env: { HOME: whole.home, PATH: '/usr/bin:/bin' },
  });
  const ended = once(child, 'close');
  try {
    const [line] = (await once(readline.createInterface({ input: child.stdout }), 'line')) as [string];
    expect(wrongWith('dashboard', JSON.parse(line))).toBeNull();
  } finally {
    child.kill();
    await ended;
  }
});

test('a misspelled option under --json has a remedy', async () => {
  const ended = await direct(['check', '--json', '--moed', 'a']);
  const message = "unknown option '--moed'";
  expect(JSON.parse(ended.out)).toEqual({ error: { code: 'E_USAGE', message, remedy: 'Did you mean --mode?' } });
});
