// A policy that cannot be used leaves the last content that could in force, and the next answer says where it is wrong.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Project } from '../../../src/workflow/project.ts';
import { decideBy, type Folder, Layered, modesYaml, permissions } from '../../support/layered-project.ts';

const session = 'session-a';
const policy = (name: string, rules: string) => `package modes.policy.${name}\n\n${rules}\n`;
const NO_TERRAFORM = policy(
  'tf',
  'deny contains "by people alone" if {\n\tsome command in input.bash.commands\n\tcommand.name == "terraform"\n}',
);
const FILE = 'policies/tf.rego';

/** A trusted project without policies, in which a session runs. */
async function begin(): Promise<{
  at: Layered;
  server: Project;
  call: (text?: string) => Promise<{ decision: string; said: string }>;
}> {
  const at = new Layered()
    .put('project', 'modes.yaml', modesYaml())
    .put('project', 'settings.one.json', permissions({ allow: ['Bash'] }));
  await at.trust();
  const server = await at.open(session);
  const call = async (command = 'terraform apply') => {
    server.touch();
    await server.ready(session);
    const { decision, reason, remedy, advice = '' } = decideBy(server, 'Bash', { command }, session);
    return { decision, said: [reason, remedy, advice].join('\n') };
  };
  expect((await call()).decision).toBe('allow');
  return { at, server, call };
}

/** What is put in the place of the policy, and where the answer says it is wrong. */
const BAD: [what: string, put: (file: string) => void, said: RegExp][] = [
  [
    'a syntax error',
    (file) => fs.writeFileSync(file, 'package modes.policy.tf\n\ndeny contains "x if {\n'),
    /tf\.rego:3:15 E_REGO_PARSE.*\n.*deny contains "x if \{\n\s+\^+/,
  ],
  ['5 MB', (file) => fs.writeFileSync(file, `${NO_TERRAFORM}# ${'x'.repeat(5_000_000)}\n`), /tf\.rego E_TOO_LARGE/],
  ['bytes that are no UTF-8', (file) => fs.writeFileSync(file, Buffer.from([0x70, 0xff, 0x0a])), /tf\.rego:1:2 E_ENCODING/],
  [
    'a link out of the folder',
    (file) => {
      fs.rmSync(file);
      fs.symlinkSync('/etc/hostname', file);
    },
    /tf\.rego E_LEAVES_PROJECT/,
  ],
  [
    'a recursion',
    (file) => fs.writeFileSync(file, policy('tf', 'deny contains x if some x in deny')),
    /tf\.rego:3:1 E_REGO_RECURSION/,
  ],
  ['another package', (file) => fs.writeFileSync(file, 'package tf\n'), /tf\.rego:1:1 E_POLICY_PACKAGE/],
  [
    'a function that is not there',
    (file) => fs.writeFileSync(file, policy('tf', 'deny contains http.send({})')),
    /tf\.rego:3:15 E_REGO_BUILTIN/,
  ],
  [
    'a key of METADATA that nobody reads',
    (file) => fs.writeFileSync(file, `# METADATA\n# titel: x\n${NO_TERRAFORM}`),
    /tf\.rego:2:3 E_POLICY_METADATA/,
  ],
  [
    'a tool that does not exist',
    (file) => fs.writeFileSync(file, policy('tf', 'deny contains "x" if input.tool.name == "Bsah"')),
    /tf\.rego:3:\d+ E_POLICY_NEVER/,
  ],
  [
    'a mode that does not exist',
    (file) => fs.writeFileSync(file, `# METADATA\n# scope: package\n# custom:\n#   modes: [onne]\n${NO_TERRAFORM}`),
    /tf\.rego:4:13 E_POLICY_NEVER/,
  ],
];

describe('the last good policy applies if its replacement is', () => {
  test.each(BAD)('%s', async (_, put, said) => {
    const { at, server, call } = await begin();
    at.put('project', FILE, NO_TERRAFORM);
    expect(await call()).toMatchObject({ decision: 'deny', said: expect.stringContaining('by people alone') });
    put(at.at('project', FILE));
    const answer = await call();
    expect(answer).toMatchObject({ decision: 'deny', said: expect.stringContaining('by people alone') });
    expect(answer.said).toMatch(said);
    // Each session is told once; context and status go on saying it.
    expect((await call()).said).not.toMatch(said);
    expect(server.for({ session, cwd: null }).context('whole')).toMatch(said);
    expect(JSON.stringify(server.for({ session, cwd: null }).status())).toContain('tf.rego');
    // A process that starts for one call has the same answer.
    expect((await at.decide('Bash', { command: 'terraform apply' }, session)).decision).toBe('deny');
    fs.rmSync(at.at('project', FILE));
    at.put('project', FILE, NO_TERRAFORM.replace('by people alone', 'mended'));
    expect((await call()).said).toContain('mended');
  });

  test('a continuing problem is reported too', async () => {
    const { at, call } = await begin();
    at.put('project', FILE, NO_TERRAFORM);
    expect((await call()).decision).toBe('deny');
    at.put('project', FILE, 'package\n');
    const answer = await call('ls');
    expect(answer.decision).not.toBe('deny');
    expect(answer.said).toMatch(/tf\.rego:\d:\d+ E_REGO_PARSE/);
  });

  test('an endless comprehension: each call is a deny that names it, and the fixed policy applies', async () => {
    const { at, call } = await begin();
    const endless =
      'deny contains "x" if count([1 | some a in numbers.range(1, 3000); some b in numbers.range(1, 3000); some c in numbers.range(1, 3000); a * b * c == 7]) > 9';
    at.put('project', FILE, policy('tf', endless));
    for (const command of ['terraform apply', 'ls'])
      expect(await call(command)).toMatchObject({
        decision: 'deny',
        said: expect.stringContaining('policy tf takes longer than 250 ms'),
      });
    at.put('project', FILE, NO_TERRAFORM);
    expect((await call('ls')).decision).not.toBe('deny');
  });

  test('2,000 rules of one name, which are valid', async () => {
    const { at, call } = await begin();
    const rules = Array.from(
      { length: 2_000 },
      (_, n) => `deny contains "rule ${n}" if input.bash.commands[_].name == "tool${n}"`,
    );
    at.put('project', FILE, policy('tf', rules.join('\n\n')));
    expect(await call('tool1999 x')).toMatchObject({ decision: 'deny', said: expect.stringContaining('rule 1999') });
  });
});

describe('policies of other layers', () => {
  test.each<Folder>(['user', 'managed'])('of the %s layer apply without trust, and at once', async (layer) => {
    const { at, call } = await begin();
    at.put(layer, FILE, NO_TERRAFORM);
    const answer = await call();
    expect(answer).toMatchObject({ decision: 'deny' });
    expect(answer.said).toContain(path.basename(FILE));
  });

  test('one layer cannot add to the package of another', async () => {
    const { at, call } = await begin();
    at.put('user', FILE, NO_TERRAFORM);
    expect((await call()).decision).toBe('deny');
    at.put('project', FILE, policy('tf', 'allow contains "yes" if input.mode'));
    const answer = await call();
    expect(answer.decision).toBe('deny');
    expect(answer.said).toMatch(/E_POLICY_SHARED/);
  });
});

test('a change that permits more applies only after trust', async () => {
  const { at, call } = await begin();
  at.put('project', 'settings.one.json', permissions({})).put(
    'project',
    FILE,
    policy('tf', 'allow contains "yes" if input.mode'),
  );
  // A new session, which began with nothing that allows.
  const fresh = await at.open('session-b');
  const by = () => decideBy(fresh, 'Bash', { command: 'terraform apply' }, 'session-b').decision;
  expect(by()).not.toBe('allow');
  await at.trust();
  const trusted = await at.open('session-c');
  expect(decideBy(trusted, 'Bash', { command: 'terraform apply' }, 'session-c').decision).toBe('allow');
  expect((await call()).decision).toBe('allow');
});
