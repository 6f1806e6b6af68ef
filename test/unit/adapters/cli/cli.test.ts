// The command line: what each verb does, prints and exits with.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashConfiguration } from '../../../../src/config/hash.ts';
import { readSources } from '../../../../src/config/sources.ts';
import type { Problem } from '../../../../src/model/problem.ts';
import { logFolder } from '../../../../src/store/log/files.ts';
import { isTrusted } from '../../../../src/store/trust.ts';
import { modesHere } from '../../../support/command-line.ts';
import { putFile } from '../../../support/files.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { type Ended, makeProject, type Project, run } from '../../../support/project.ts';

let program: string;
beforeAll(async () => {
  program = path.join(await builtPlugin(), 'dist/modes.mjs');
}, 120_000);

interface Asked {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  stdin?: string;
}
const plainEnv = (project: Project, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  HOME: project.home,
  PATH: '/usr/bin:/bin',
  ...env,
});
/** As a person's own terminal would run it; what is said to stdin is said to a process. */
const modes = (project: Project, args: string[], { cwd = project.root, env, stdin }: Asked = {}): Promise<Ended> =>
  stdin === undefined
    ? modesHere(args, { cwd, env: plainEnv(project, env) })
    : run(process.execPath, [program, ...args], { cwd, env: plainEnv(project, env), stdin });
const hashOf = ({ root }: Project) => {
  const { files, faults } = readSources(root);
  return hashConfiguration(files, faults);
};
const trusts = (project: Project) => isTrusted(project.data, project.root, hashOf(project));

test.each([['log'], ['stats'], ['explain'], ['suggest'], ['replay', '--policy', '.']])(
  'modes %s reports a log that is a link as unreadable, and does not follow it',
  async (...args) => {
    const project = makeProject();
    const folder = logFolder(project.data, project.root);
    fs.mkdirSync(folder, { recursive: true });
    fs.symlinkSync(project.put('else', ''), path.join(folder, 'decisions-00000001.jsonl'));
    const said = await modes(project, args);
    expect([said.code, said.out]).toEqual([1, '']);
    expect(said.err).toMatch(/Check the folder and the disk.*\(E_LOG_DAMAGED\)/);
    expect(JSON.parse((await modes(project, [...args, '--json'])).out)).toMatchObject({ error: { code: 'E_LOG_DAMAGED' } });
  },
);

const steers = (text: string): boolean => /\p{Cc}/u.test(text.replaceAll('\n', ''));

test('file names in an untrusted project cannot control the terminal, and are unchanged in JSON', async () => {
  const project = makeProject({ trusted: false });
  const name = '\u001b]0;mine\u0007\u009b2J';
  project.put(`.claude/policies/${name}.rego`, 'package x\n');
  const shown = await modes(project, ['status'], { stdin: '' });
  expect(shown.out).toContain('\\u001b]0;mine\\u0007\\u009b2J.rego');
  expect(steers(shown.out + shown.err)).toBe(false);
  const json = await modes(project, ['validate', '--json'], { stdin: '' });
  const { problems } = JSON.parse(json.out) as { problems: { place: string }[] };
  expect(steers(json.out)).toBe(false);
  expect(JSON.stringify(problems)).toContain(JSON.stringify(name).slice(1, 20));
});

describe('usage', () => {
  test.each<[string[], number, RegExp]>([
    [['--version'], 0, /^\d+\.\d+\.\d+$/m],
    [['--help'], 0, /validate/],
    [['--help'], 0, /Start a project with modes init/],
    [['check', '--help'], 0, /--event[\s\S]*2 deny, 3 ask/],
    [['help'], 0, /validate/],
    [['help', 'check'], 0, /Usage: modes check/],
    [['help', 'policy', 'test'], 0, /Usage: modes policy test/],
    [['help', 'statsu'], 64, /there is no verb "statsu"; did you mean status\?/],
    [['help', 'policy', 'nope'], 64, /there is no verb "nope"; modes policy --help lists the verbs/],
    [[], 64, /Usage: modes/],
    [['nope'], 64, /^modes: unknown command 'nope' \(E_USAGE\)/],
    [['chekc', 'Bash(ls)'], 64, /Did you mean check\?/],
    [['check', '--nope'], 64, /unknown option '--nope'[\s\S]*\(modes check --help shows its usage\)/],
    [['policy', 'nope'], 64, /\(modes policy --help shows the verbs\)/],
    [['check'], 64, /give a call such as/],
    [['check', 'Bash(ls)', '--event', 'x'], 64, /give a call such as/],
    [['check', 'Bash(ls)', 'Bash(pwd)'], 64, /too many arguments/],
    [['check', 'not a call'], 64, /is not a call/],
    [['check', 'Bash(ls'], 64, /is not a call/],
    [['check', 'TodoWrite(x)'], 64, /has no main argument/],
    [['check', 'write(src/a.ts)'], 64, /there is no tool called write\. Did you mean Write\?/],
    [['check', 'write'], 64, /Did you mean Write\?/],
    [['check', 'Bsh({"command":"ls"})'], 64, /Did you mean Bash\?/],
    [['explain', 'zz'], 64, /"zz" is neither an id from modes log nor a call/],
    [['explain', 'zz(a)'], 64, /there is no tool called zz\. If only your client has it, write zz\(\{json\}\)/],
    [['init', '--preset', 'tdd-check'], 64, /there is no preset "tdd-check"; did you mean tdd-checked\?/],
    [['import', 'claude-settings', '--mode', 'idel'], 64, /there is no mode "idel"; did you mean idle\?/],
    [['check', 'Bash(ls)', '--mode', 'nope'], 64, /there is no mode "nope"/],
    [['check', 'Bash(ls)', '--mode', 'constructor'], 64, /there is no mode "constructor"; modes: idle, test-dev, feature-dev/],
    [['explain', 'Bash(ls)', '--mode', 'test-dve'], 64, /there is no mode "test-dve"; did you mean test-dev\?/],
    [['check', '--event', 'gone.json'], 64, /gone\.json cannot be read: ENOENT \(E_USAGE\)/],
    [['check', '--event', '.'], 64, /\. cannot be read: EISDIR \(E_USAGE\)/],
    [['check', '--event', '/dev/zero'], 64, /\/dev\/zero is larger than 32768 KB, the maximum.*E_INPUT_TOO_LARGE/s],
    [['bundle', 'verify', '/dev/zero', '--key', 'x', '--alg', 'ES256'], 64, /larger than 65536 KB, .* \(E_INPUT_TOO_LARGE\)/s],
    [['policy', 'test', '/dev/zero'], 1, /E_NOT_A_FILE .* is a device/],
    [['policy', 'check', '/dev/zero'], 1, /E_NOT_A_FILE .* is a device/],
    [['policy', 'fmt', '/dev/zero', '--check'], 1, /E_NOT_A_FILE .* is a device/],
    [['status', '--project', '/no/such/folder'], 64, /there is no folder/],
    ...['status', 'validate', 'init'].map((verb): [string[], number, RegExp] => [
      [verb, '--project', 'package.json'],
      64,
      /\/package\.json is not a folder \(E_USAGE\)/,
    ]),
    [['status', '--project'], 64, /argument missing/],
  ])('modes %j exits %d', async (args, code, text) => {
    const ended = await modes(makeProject(), args);
    expect(ended.code).toBe(code);
    expect(ended.out + ended.err).toMatch(text);
  });

  test.each(['check Bash(ls)', 'validate', 'status', 'trust'])(
    'modes %s without a project names the command that starts one',
    async (line) => {
      const ended = await modes(makeProject({ example: null }), line.split(' '));
      expect(ended).toMatchObject({ code: 64, out: '' });
      expect(ended.err).toMatch(/no \.claude\/modes\.yaml in .* or above; create one with modes init/);
    },
  );

  test.each(['.claude/modes.yml', 'modes.yaml'])('%s is named if modes.yaml is missing', async (name) => {
    const project = makeProject({ example: null });
    project.put(name, 'name: x\n');
    const ended = await modes(project, ['validate']);
    expect(ended).toMatchObject({
      code: 64,
      err: expect.stringContaining(`${name} exists, but it is not read under that name`),
    });
  });
});

test('modes check prints colors only in a terminal', () => {
  const project = makeProject();
  const check = `${process.execPath} ${program} check 'Write(src/a.js)'`;
  const inTerminal = (env: NodeJS.ProcessEnv): string =>
    spawnSync('script', ['-qec', check, '/dev/null'], {
      cwd: project.root,
      env: plainEnv(project, { TERM: 'xterm', ...env }),
      encoding: 'utf8',
    }).stdout;
  expect(inTerminal({})).toMatch(/^\x1b\[1;31mdeny\x1b\[0m {2}\(idle/);
  expect(inTerminal({ NO_COLOR: '1' })).toMatch(/^deny {2}\(idle/);
});

test('modes policy diff refuses a folder without a configuration', async () => {
  const none = makeProject({ example: null }).root;
  expect(await modes(makeProject(), ['policy', 'diff', none, '.'])).toMatchObject({
    code: 64,
    out: '',
    err: expect.stringContaining(`${none} has no modes and no policies; name a project, or its .claude folder`),
  });
});

describe('modes check', () => {
  test.each<[string, string, number, RegExp]>([
    ['idle', 'Write(src/a.js)', 2, /^deny {2}\(idle\)\n@edit \(\.claude\/settings\.idle\.json:\d+\) is denied/],
    ['idle', 'Read(src/split.js)', 0, /^allow/],
    ['test-dev', 'Write(test/a.test.js)', 0, /^allow/],
    ['test-dev', 'Write(package.json)', 3, /^ask/],
    ['test-dev', 'Bash(sed -i s/a/b/ src/split.js)', 2, /sed -i would change src\/split\.js/],
    ['test-dev', 'Bash(npm test)', 0, /^allow/],
    ['test-dev', 'NotebookEdit(src/a.ipynb)', 2, /^deny/],
    ['test-dev', 'WebSearch(x)', 0, /^pass .*\nLeft to Claude Code's own rules\.$/m],
    ['feature-dev', 'Write({"file_path": "src/a.js", "content": "x"})', 0, /^allow/],
    ['feature-dev', 'mcp__fs__write_file({"path": "src/a.js"})', 3, /^ask/],
    ['feature-dev', 'Write(.claude/modes.yaml)', 2, /protected in every mode/],
    ['feature-dev', 'Read', 2, /malformed/],
    ['feature-dev', 'Read({"file_path": "a\\u0000"})', 2, /NUL/],
  ])('in %s %s exits %d', async (mode, call, code, text) => {
    const ended = await modes(makeProject(), ['check', '--mode', mode, call]);
    expect(ended.code).toBe(code);
    expect(ended.out).toMatch(text);
  });

  test.each([
    ['Write(test/a.test.js)', 'test-dev'],
    ['Bash(rm -r test)', 'test-dev'],
    ['Write(src/a.js)', 'feature-dev'],
    ['Bash(rm -r src)', 'feature-dev'],
    ['Write(.claude/modes.yaml)', null],
    ['Write({"file_path": "test/b.test.js", "content": "password"})', null],
  ])('a denied call names another mode only if the call is allowed there: %s', async (call, mode) => {
    const project = makeProject();
    project.put(
      '.claude/policies/words.rego',
      'package modes.policy.words\n\ndeny contains "No passwords." if contains(input.tool.input.content, "password")\n',
    );
    const scope = '# METADATA\n# scope: package\n# custom:\n#   modes: [test-dev]\n';
    project.put('.claude/policies/words.rego', `${scope}${project.get('.claude/policies/words.rego')}`);
    project.trust();
    const { code, out } = await modes(project, ['check', '--json', call]);
    expect(code).toBe(2);
    const { remedy } = JSON.parse(out) as { remedy: string };
    expect(/It is allowed in ([\w-]+)/.exec(remedy)?.[1] ?? null).toBe(mode);
  });

  test('names the path if it takes several changes of mode, and the requirements of its first gate', async () => {
    const project = makeProject();
    const remedyIn = async (mode: string, call: string): Promise<string> =>
      (JSON.parse((await modes(project, ['check', '--json', '--mode', mode, call])).out) as { remedy: string }).remedy;
    expect(await remedyIn('idle', 'Write(src/a.js)')).toMatch(
      /^It is allowed in feature-dev, by way of test-dev, once the gate to test-dev holds: User has described a bug or feature to work on\. /,
    );
    project.put(
      '.claude/modes.yaml',
      `name: x
default: idle
modes:
  idle: {transitions: [{to: test-dev}]}
  test-dev: {transitions: [{to: feature-dev, require: [{fails: npm test}]}]}
  feature-dev: {}
`,
    );
    project.trust();
    expect(await remedyIn('idle', 'Write(src/a.js)')).toMatch(/^It is allowed in feature-dev, by way of test-dev\. /);
    expect(await remedyIn('test-dev', 'Write(src/a.js)')).toMatch(
      /^It is allowed in feature-dev once its gate holds: fails: npm test\. /,
    );
    expect(await remedyIn('feature-dev', 'Write(test/a.test.js)')).toMatch(/^A person can change the mode with /);
  });

  test('uses the present mode, and prints the whole decision as JSON', async () => {
    const ended = await modes(makeProject(), ['check', '--json', 'Write(src/a.js)']);
    expect(ended.code).toBe(2);
    expect(JSON.parse(ended.out)).toMatchObject({
      decision: 'deny',
      mode: 'idle',
      tool: 'Write',
      rules: [{ text: '@edit', source: { file: '.claude/settings.idle.json' } }],
      bundle: expect.stringMatching(/^sha256:/),
      facts: { writes: [{ path: 'src/a.js' }] },
    });
  });

  test('reads a hook event from a file and from stdin', async () => {
    const project = makeProject();
    const event = JSON.stringify({
      hook_event_name: 'PreToolUse',
      cwd: project.root,
      tool_name: 'Write',
      tool_input: { file_path: 'src/a.js', content: 'x' },
    });
    project.put('event.json', event);
    expect(await modes(project, ['check', '--event', 'event.json'])).toMatchObject({ code: 2 });
    expect(await modes(project, ['check', '--event', '-'], { stdin: event })).toMatchObject({ code: 2 });
  });

  test.each([
    ['not json'],
    ['[]'],
    ['{}'],
    ['{"tool_name":"Write","tool_input":"x","cwd":"/"}'],
    ['{"hook_event_name":"Stop","tool_name":"x","tool_input":{},"cwd":"/"}'],
  ])('reports the problem of the event %s', async (event) => {
    const ended = await modes(makeProject(), ['check', '--event', '-'], { stdin: event });
    expect(ended).toMatchObject({ code: 64, out: '' });
    expect(ended.err).toMatch(/^modes: .+ \(E_CALL\)$/m);
  });

  test('works from a folder below, and with --project from anywhere', async () => {
    const project = makeProject();
    expect(
      await modes(project, ['check', 'Write(a.js)', '--mode', 'test-dev'], { cwd: path.join(project.root, 'src') }),
    ).toMatchObject({ code: 0 });
    expect(
      await modes(project, ['check', 'Write(src/a.js)', '--mode', 'test-dev', '--project', project.root], { cwd: '/' }),
    ).toMatchObject({ code: 2 });
  });

  test('passes reads and nothing else in a broken project', async () => {
    const project = makeProject();
    project.put('.claude/modes.yaml', 'modes: [');
    expect(await modes(project, ['check', 'Read(a)'])).toMatchObject({ code: 0 });
    expect(await modes(project, ['check', 'Write(a)'])).toMatchObject({
      code: 2,
      out: expect.stringMatching(/Only reading inside the project is allowed, because \.claude\/modes\.yaml:1:\d+ /),
    });
  });

  test('changes nothing', async () => {
    const project = makeProject();
    await modes(project, ['check', 'Write(src/a.js)']);
    expect(fs.readdirSync(path.join(project.root, '.claude')).sort()).toEqual(
      fs.readdirSync(path.join(program, '../../examples/tdd/.claude')).sort(),
    );
    expect(fs.readdirSync(project.data)).not.toContain('governed');
  });
});

test('modes check reports that a session compares the files after the program [w:verified.ask]', async () => {
  const project = makeProject({ example: 'tdd-checked' });
  const { code, out } = await modes(project, ['check', '--mode', 'feature-dev', 'Bash(make lint)']);
  expect(code).toBe(3);
  expect(out).toMatch(
    /^ask {2}\(feature-dev\)\nIn a session, this call runs without a question, and Modes compares the guarded files/,
  );
  expect(out).not.toContain("needs a person's approval");
});

describe('modes check of an untrusted project', () => {
  const at = (call: string, ...more: string[]) =>
    modes(makeProject({ trusted: false }), ['check', '--mode', 'test-dev', call, ...more]);

  test('names the allow line that has no effect yet, and only if one matches [s:trust.check]', async () => {
    expect((await at('Write(test/a.test.js)')).out).toMatch(
      /^pass.*\n[\s\S]*would allow it\. This project is not trusted: its allow rules have no effect until you run modes trust\.\n/,
    );
    expect((await at('WebSearch(x)')).out).not.toContain('not trusted');
    expect((await at('Write(src/a.js)')).out).not.toContain('not trusted');
  });

  test('names times and matches only with --verbose', async () => {
    expect((await at('Write(src/a.js)')).out).not.toMatch(/µs|matched/);
    expect((await at('Write(src/a.js)', '--verbose')).out).toMatch(/^deny {2}\(test-dev, \d+ µs\)[\s\S]* matched src\/a\.js/);
  });
});

describe('modes validate', () => {
  test('names hashes, layers and sizes only with --verbose', async () => {
    expect((await modes(makeProject(), ['validate', '--verbose'])).out).toMatch(
      /^3 modes: .*; trusted\ntrusted: sha256:[0-9a-f]{64}\nmodes and transitions: project\nproject: \.claude\/ \(\d+ files\)\n(context of [a-z-]+: \d+ of 8000 characters\n){3}$/,
    );
  });

  test('of a whole project', async () => {
    expect(await modes(makeProject(), ['validate'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^3 modes: idle, test-dev, feature-dev; trusted\n$/),
    });
    expect(await modes(makeProject({ trusted: false }), ['validate'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('not trusted'),
    });
  });

  test('names every error with file, line, column and remedy, and exits 1', async () => {
    const project = makeProject();
    project.put('.claude/settings.idle.json', '{\n  "permissions": {\n    "deny": ["Wirte(src/**)"],\n    "alow": []\n  }\n}');
    const ended = await modes(project, ['validate']);
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(/\.claude\/settings\.idle\.json:3:\d+/);
    expect(ended.out).toMatch(/\.claude\/settings\.idle\.json:4:\d+/);
    expect(ended.out).toMatch(/\^/);
    const { errors, problems, hash } = JSON.parse((await modes(project, ['validate', '--json'])).out);
    expect(errors).toBeGreaterThan(0);
    expect(hash).toMatch(/^sha256:/);
    for (const problem of problems)
      expect(problem).toMatchObject({ code: expect.any(String), message: expect.any(String), remedy: expect.any(String) });
  });

  test('reports the problems that an error hides from a load, by file and line', async () => {
    const project = makeProject();
    project.put(
      '.claude/modes.yaml',
      [
        'name: x',
        'default: idle',
        'colour: red',
        'modes:',
        '  idle:',
        '    groups:',
        '      - [edit, {fileRegex: "("}]',
        '    transitions:',
        '      - to: test-dev',
        '        require: [{changed: ["*a*b*c*d*e*f*"]}, {passes: "*"}]',
        '  test-dev: {}',
        '  feature-dev: {}',
        'arguments:',
        '  mcp__disk__put: {path: write}',
      ].join('\n'),
    );
    project.put(
      '.claude/settings.idle.json',
      '{"permissions": {\n"defualt": "deny",\n"allow": ["Wirte(src/**)", "mcp__disk__put(path: src/**)"],\n"deny": ["mcp__disk__put(path: lib/**)"]}}',
    );
    project.put('.claude/policies/a.rego', 'package modes.policy.a\n\ndeny contains "x" if {\n');
    project.put('.claude/policies/b.rego', 'package modes.policy.b\n\ndeny contains "x" if http.send({"url": "x"})\n');
    project.put('.claude/policies/c.rego', 'package modes.policy.c\n\ndeny contains msg if {\n\tmsg := unknown\n}\n');
    project.put('.claude/policies/d.rego', 'package modes.policy.d\n\ndeny := "x"\n');
    project.put('.claude/policies/e.rego', 'package modes.policy.e\n\ndeny contains "x" if data.modes.policy.a.tell(3)\n');
    const { code, out } = await modes(project, ['validate', '--json']);
    const { problems } = JSON.parse(out) as { problems: Problem[] };
    expect(code).toBe(1);
    const told = problems.filter(({ severity }) => severity === 'error').map(({ file, line, code }) => `${file}:${line} ${code}`);
    expect([...new Set(told)]).toEqual([
      '.claude/modes.yaml:3 E_UNKNOWN_KEY',
      '.claude/modes.yaml:7 E_FILE_REGEX',
      '.claude/modes.yaml:10 E_REQUIRE_FORM',
      '.claude/policies/a.rego:4 E_REGO_PARSE',
      '.claude/policies/b.rego:3 E_REGO_BUILTIN',
      '.claude/policies/c.rego:4 E_REGO_UNSAFE_VAR',
      '.claude/policies/d.rego:3 E_POLICY_SHAPE',
      '.claude/settings.idle.json:2 E_UNKNOWN_KEY',
      '.claude/settings.idle.json:3 E_RULE_UNKNOWN_TOOL',
    ]);
    expect(told.filter((one) => one.endsWith('E_REQUIRE_FORM'))).toHaveLength(2);
  });

  test('a reader that closes the pipe is no error', async () => {
    const project = makeProject();
    const child = spawn('/bin/sh', ['-c', '"$0" "$1" validate --json | true', process.execPath, program], {
      cwd: project.root,
      env: plainEnv(project),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    await once(child, 'close');
    expect(err).toBe('');
  });
});

describe('layers, trust and differences', () => {
  test('are shown by validate and status', async () => {
    const project = makeProject();
    fs.writeFileSync(path.join(project.home, '.claude/settings.any.json'), '{"permissions":{"deny":["Bash(rm:*)"]}}');
    // What is trusted is kept by whoever sees it.
    await modes(project, ['status']);
    project.put('.claude/settings.idle.json', '{"permissions":{"allow":["Write(a)"]}}');
    for (const verb of [['validate', '--verbose'], ['status']]) {
      const { out } = await modes(project, verb);
      expect(out).toContain('user: ~/.claude/ (1 files)');
      expect(out).toMatch(/not trusted yet/);
      expect(out).toContain('- .claude/settings.idle.json: deny @edit');
      expect(out).toContain('+ .claude/settings.idle.json: allow Write(a)');
    }
    expect(JSON.parse((await modes(project, ['status', '--json'])).out).configuration).toMatchObject({
      trusted: false,
      topology: 'project',
      layers: [
        { layer: 'user', folder: '~/.claude/', files: ['settings.any.json'] },
        { layer: 'project', folder: '.claude/' },
      ],
      pinned: { trusted: true, differs: true },
    });
    expect(JSON.parse((await modes(project, ['validate', '--json'])).out)).toMatchObject({
      ok: true,
      trusted: false,
      differs: true,
    });
  });

  test('modes trust shows the difference from the trusted configuration before it asks', async () => {
    const project = makeProject();
    await modes(project, ['status']);
    project.put('.claude/settings.idle.json', '{"permissions":{"allow":["Write(a)"]}}');
    const { err } = await modes(project, ['trust']);
    expect(err).toContain('+ .claude/settings.idle.json: allow Write(a)');
    expect(err).toContain('- .claude/settings.idle.json: deny @edit');
  });
});

describe('modes status', () => {
  test('shows the mode, as text and as JSON', async () => {
    const project = makeProject();
    expect(await modes(project, ['status'])).toMatchObject({ code: 0, out: expect.stringMatching(/^MODE: idle\n/) });
    expect(JSON.parse((await modes(project, ['status', '--json'])).out)).toMatchObject({ current_mode: 'idle', trusted: true });
  });

  test('shows the keys of the mode in modes.yaml, and the length of its context', async () => {
    const project = makeProject();
    project.put(
      '.claude/modes.yaml',
      'name: k\ndefault: idle\nmodes:\n  idle:\n    title: Idle\n    whenToUse: Always.\n    permissionMode: plan\n    agents: {x: {cannotEdit: a}}\n',
    );
    project.trust();
    expect(JSON.parse((await modes(project, ['status', '--json'])).out)).toMatchObject({
      mode: { title: 'Idle', whenToUse: 'Always.', permissionMode: 'plan', enforcement: 'enforce', agents: ['x'] },
      modes: [{ name: 'idle', title: 'Idle', whenToUse: 'Always.' }],
      context: { characters: expect.any(Number), limit: 8_000, left: 0 },
    });
    expect((await modes(project, ['status'])).out).toMatch(/^context of idle: \d+ of 8000 characters$/m);
  });

  test('exits 1 if the mode is unknown', async () => {
    const project = makeProject();
    project.put('.claude/mode-state.json', '{"currentMode":"feature-dev","history":[]}');
    expect(await modes(project, ['status', '--json'])).toMatchObject({
      code: 1,
      out: expect.stringContaining('has no journal'),
    });
  });
});

describe('modes trust', () => {
  test('approves only the content with the expected hash [s:trust.expect] [s:trust.exact]', async () => {
    const project = makeProject({ trusted: false });
    const wrong = await modes(project, ['trust', '--expect', 'sha256:0000']);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was approved') });
    expect(trusts(project)).toBe(false);
    expect(await modes(project, ['trust', '--expect', hashOf(project)])).toMatchObject({
      code: 0,
      out: `Trusted: ${hashOf(project)}\n`,
    });
    expect(trusts(project)).toBe(true);
    expect(await modes(project, ['trust'])).toMatchObject({ code: 0, out: expect.stringContaining('Already trusted') });
    const other = await modes(project, ['trust', '--expect', 'sha256:0000']);
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was approved') });
  });

  test('asks no question without a terminal, and names the command for CI', async () => {
    const project = makeProject({ trusted: false });
    const ended = await modes(project, ['trust']);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain(`modes trust --expect ${hashOf(project)}`);
    expect(JSON.parse((await modes(project, ['trust', '--json'])).out)).toEqual({
      error: {
        code: 'E_NOBODY',
        message: 'Not an interactive terminal.',
        remedy: `In CI: modes trust --expect ${hashOf(project)}`,
      },
    });
    expect(trusts(project)).toBe(false);
  });

  test('does not approve a broken configuration', async () => {
    const project = makeProject({ trusted: false });
    project.put('.claude/settings.idle.json', '{');
    expect(await modes(project, ['trust', '--expect', hashOf(project)])).toMatchObject({
      code: 1,
      err: expect.stringContaining('modes validate'),
    });
    expect(trusts(project)).toBe(false);
  });

  test('inside the client is refused', async () => {
    const project = makeProject({ trusted: false });
    const ended = await modes(project, ['trust', '--expect', hashOf(project)], { env: { CLAUDECODE: '1' } });
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toMatch(/CLAUDECODE is set.*\/modes:trust/);
    expect(trusts(project)).toBe(false);
  });

  test('below a process called claude is refused without the variable, too', async () => {
    const project = makeProject({ trusted: false });
    fs.symlinkSync('/bin/sh', path.join(project.home, 'claude'));
    const ended = await run(
      path.join(project.home, 'claude'),
      ['-c', '"$@"; exit $?', 'sh', process.execPath, program, 'trust', '--expect', hashOf(project)],
      { cwd: project.root, env: plainEnv(project) },
    );
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(trusts(project)).toBe(false);
  });

  test('lists the approvals, and revokes them', async () => {
    const project = makeProject();
    const first = hashOf(project);
    project.put('.claude/settings.idle.json', '{"permissions": {"allow": ["Read(**)"]}}');
    const second = hashOf(project);
    await modes(project, ['trust', '--expect', second]);
    const listed = await modes(project, ['trust', '--list']);
    expect(listed.out.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^${second}  \\d{4}-.*Z  expect  \\(present\\)$`)),
      expect.stringMatching(new RegExp(`^${first}  \\d{4}-.*Z  terminal$`)),
      '',
    ]);
    expect(await modes(project, ['trust', '--revoke', 'sha256:'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/More than one/),
    });
    expect(await modes(project, ['trust', '--revoke', second.slice(7, 19)])).toMatchObject({
      code: 0,
      out: `Taken back: ${second}\n`,
    });
    expect(trusts(project)).toBe(false);
    expect(isTrusted(project.data, project.root, first)).toBe(true);
    expect(JSON.parse((await modes(project, ['trust', '--revoke', '--json'])).out)).toMatchObject({ ok: true, revoked: [first] });
    expect(await modes(project, ['trust', '--revoke'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/No approval matches/),
    });
    expect(await modes(project, ['trust', '--list'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No configuration of .* is approved\.\n$/),
    });
  });

  test('revokes nothing inside the client, and accepts one action at a time', async () => {
    const project = makeProject();
    expect(await modes(project, ['trust', '--revoke'], { env: { CLAUDECODE: '1' } })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/CLAUDECODE is set/),
    });
    expect(trusts(project)).toBe(true);
    expect(await modes(project, ['trust', '--revoke', '--list'])).toMatchObject({
      code: 64,
      err: expect.stringMatching(/cannot be combined/),
    });
  });

  test('leaves a project without modes.yaml governed if there is no terminal', async () => {
    const project = makeProject();
    const marker = path.join(project.data, 'governed', project.root, '.modes');
    putFile(marker, '');
    fs.rmSync(path.join(project.root, '.claude/modes.yaml'));
    expect(await modes(project, ['trust'])).toMatchObject({ code: 1, err: expect.stringContaining('Nothing was changed') });
    expect(fs.existsSync(marker)).toBe(true);
  });
});

describe('modes init', () => {
  test('writes with --yes, and the project works at once', async () => {
    const project = makeProject({ example: null });
    const ended = await modes(project, ['init', '--yes']);
    expect(ended).toMatchObject({ code: 0, out: expect.stringMatching(/wrote \.claude\/modes\.yaml[\s\S]*trusted sha256:/) });
    expect(trusts(project)).toBe(true);
    expect(fs.readFileSync(path.join(project.data, 'node'), 'utf8')).toBe(`${process.execPath}\n`);
    expect(await modes(project, ['check', 'Write(src/a.js)'])).toMatchObject({ code: 2 });
    expect(await modes(project, ['init', '--yes'])).toMatchObject({ code: 0, out: 'Everything is already set up.\n' });
    expect(JSON.parse((await modes(project, ['init', '--yes', '--json'])).out)).toEqual({ root: project.root, done: [] });
  });

  test.each<[string, string[], NodeJS.ProcessEnv, RegExp]>([
    ['inside the client', ['init', '--yes'], { CLAUDECODE: '1' }, /CLAUDECODE is set/],
    ['with a preset that is none', ['init', '--yes', '--preset', '../tdd'], {}, /there is no preset "\.\.\/tdd"; /],
    ['with nothing to undo', ['init', '--undo', '--yes'], {}, /remove them yourself\. \(E_IN_THE_WAY\)$/m],
  ])('%s writes nothing', async (what, args, env, text) => {
    const project = makeProject({ example: null });
    const ended = await modes(project, args, { env });
    expect(ended.code).toBe(what.includes('preset') ? 64 : 1);
    expect(ended.err).toMatch(text);
    expect(fs.readdirSync(project.root)).toEqual([]);
  });

  test('does not make a project of the home folder', async () => {
    const project = makeProject({ example: null });
    expect(await modes(project, ['init', '--yes'], { cwd: project.home })).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not a project folder'),
    });
    expect(fs.readdirSync(path.join(project.home, '.claude'))).toEqual(['modes-data']);
  });

  test('overwrites nothing', async () => {
    const project = makeProject({ example: null });
    project.put('.claude/settings.idle.json', 'mine');
    expect(await modes(project, ['init', '--yes'])).toMatchObject({ code: 1, err: expect.stringContaining('not overwritten') });
    expect(project.get('.claude/settings.idle.json')).toBe('mine');
    expect(fs.existsSync(path.join(project.root, '.claude/modes.yaml'))).toBe(false);
  });

  test('--no-statusline leaves the status line as it is', async () => {
    const project = makeProject({ example: null });
    await modes(project, ['init', '--yes', '--no-statusline']);
    expect(fs.existsSync(path.join(project.root, '.claude/settings.local.json'))).toBe(false);
    expect(await modes(project, ['init', '--yes'])).toMatchObject({ code: 0, out: 'wrote .claude/settings.local.json\n' });
  });

  test('--undo ends the governance of a project whose files were removed or moved', async () => {
    const project = makeProject({ example: null });
    await modes(project, ['init', '--yes']);
    for (const name of fs.readdirSync(project.root)) fs.rmSync(path.join(project.root, name), { recursive: true });
    expect(await modes(project, ['check', 'Write(src/a.js)'])).toMatchObject({ code: 2 });
    const ended = await modes(project, ['init', '--undo', '--yes']);
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('no longer governed') });
    expect(await modes(project, ['check', 'Write(src/a.js)'])).toMatchObject({ code: 64 });
  });

  test('--undo reverts the setup after an approval, and the project is no longer governed', async () => {
    const project = makeProject({ example: null });
    project.put('.gitignore', 'a/\n');
    await modes(project, ['init', '--yes']);
    const asked = await modes(project, ['init', '--undo']);
    expect(asked).toMatchObject({ code: 1, err: expect.stringMatching(/- \.claude\/modes\.yaml[\s\S]*--yes/) });
    expect(await modes(project, ['init', '--undo', '--yes'], { env: { CLAUDECODE: '1' } })).toMatchObject({ code: 1 });
    expect(await modes(project, ['check', 'Write(src/a.js)'])).toMatchObject({ code: 2 });
    const ended = await modes(project, ['init', '--undo', '--yes']);
    expect(ended).toMatchObject({ code: 0, out: expect.stringMatching(/restored \.gitignore[\s\S]*no longer governed/) });
    expect(fs.readdirSync(project.root)).toEqual(['.gitignore']);
    expect(project.get('.gitignore')).toBe('a/\n');
    expect(await modes(project, ['check', 'Write(src/a.js)'])).toMatchObject({ code: 64 });
    expect(await modes(project, ['init', '--undo', '--yes'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing to undo'),
    });
  });
});

test('modes mcp is the server, and ends with its input', async () => {
  const project = makeProject();
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  };
  const child = spawn(process.execPath, [program, 'mcp'], { cwd: project.root, env: project.env() });
  child.stdin.write(`${JSON.stringify(initialize)}\n`);
  const [text] = await once(child.stdout, 'data');
  expect(JSON.parse(String(text))).toMatchObject({ result: { serverInfo: { name: 'modes' } } });
  child.stdin.end();
  expect((await once(child, 'close'))[0]).toBe(0);
});

test.each([
  ['', /\x1b\[31mE_YAML_SYNTAX\x1b\[0m/],
  ['2>said', / E_YAML_SYNTAX /],
  ['>/dev/null', /\x1b\[31mE_YAML_SYNTAX/],
])('errors are colored on a terminal only: %s', (redirection, said) => {
  const project = makeProject();
  project.put('next/modes.yaml', 'name: [');
  const file = path.join(project.root, 'said');
  const line = `${process.execPath} ${program} replay --policy next ${redirection}`;
  const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
    cwd: project.root,
    env: plainEnv(project, { TERM: 'xterm' }),
    encoding: 'utf8',
  });
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : stdout;
  expect(text).toMatch(said);
  expect(/\x1b/.test(text)).toBe(redirection !== '2>said');
});

test.each([
  [['check', 'Write(src/a.js)'], 'a denial'],
  [['validate'], 'what is valid'],
  [['--help'], 'list the verbs'],
  [['policy', 'test', '--help'], 'show the usage of a verb'],
  [['--version'], 'which version it is'],
])('%j never exits with success after its reader closed the pipe, and prints nothing: %s', (args) => {
  const project = makeProject();
  const line = '{ "$@"; echo $? >&2; } | (exec <&-)';
  const { stderr } = spawnSync('/bin/sh', ['-c', line, 'sh', process.execPath, program, ...args], {
    cwd: project.root,
    env: plainEnv(project),
    encoding: 'utf8',
  });
  expect(stderr).toBe('141\n');
});

test('modes hook answers an event as the hooks do without a server, and refuses an event that it cannot answer', async () => {
  const project = makeProject();
  const event = {
    session_id: 's',
    cwd: project.root,
    tool_use_id: 'toolu_1',
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf .claude' },
  };
  const asked = (input: string, ...args: string[]) =>
    spawnSync(process.execPath, [program, 'hook', ...args], { cwd: project.root, env: project.env(), input, encoding: 'utf8' });
  const denied = asked(JSON.stringify({ ...event, hook_event_name: 'PreToolUse' }), 'PreToolUse');
  expect(denied.status).toBe(0);
  expect(JSON.parse(denied.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  expect(JSON.parse(asked('no JSON', 'PreToolUse', '--project', project.root).stdout)).toMatchObject({
    hookSpecificOutput: { permissionDecision: 'deny' },
  });
  expect(asked('{}', 'Stop')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining('is not a supported event'),
  });
});
