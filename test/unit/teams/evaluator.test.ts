// Who may say that an OPA server gives the verdicts, and what is taken of it.

import { expect, test } from 'vitest';
import { nobody } from '../../../src/workflow/project.ts';
import { Layered, modesYaml, permissions } from '../../support/layered-project.ts';

const machine = () =>
  new Layered()
    .put('project', 'modes.yaml', modesYaml())
    .put('project', 'settings.any.json', permissions({ deny: ['Write(b)'] }));
const url = 'https://opa.example.org';

async function known(layered: Layered) {
  const { configuration, problems } = (await layered.open()).for(nobody).describe();
  return { opa: configuration.opa, problems: problems.map(({ code, file, line, remedy }) => ({ code, file, line, remedy })) };
}

test.each<[string, string, string, number]>([
  ['somebody else', 'evaluator: cedar\n', 'E_UNKNOWN_VALUE', 1],
  ['no server', 'modes: []\nevaluator: opa\n', 'E_MISSING_KEY', 2],
  ['a server without an address', 'evaluator: opa\nopa: {deadline: 1s}\n', 'E_MISSING_KEY', 2],
  ['a key that is none', `opa: {url: "${url}", timeout: 1s}\n`, 'E_UNKNOWN_KEY', 1],
  ['a proxy', `opa: {url: "${url}", proxy: "https://p.org"}\n`, 'E_UNKNOWN_KEY', 1],
  ['an address in the clear', 'opa: {url: "http://opa.example.org"}\n', 'E_UNKNOWN_VALUE', 1],
  ['an address in the clear, named after the mode', 'opa: {url: "http://{mode}"}\n', 'E_UNKNOWN_VALUE', 1],
  ['a password in the address', 'opa: {url: "https://a:b@opa.example.org"}\n', 'E_UNKNOWN_VALUE', 1],
  ['a socket that is none', 'opa: {url: "unix:opa.sock"}\n', 'E_UNKNOWN_VALUE', 1],
  ['a time that is none', `opa: {url: "${url}", deadline: soon}\n`, 'E_UNKNOWN_VALUE', 1],
  ['a time that no call can wait', `opa:\n  url: ${url}\n  deadline: 2s\n`, 'E_UNKNOWN_VALUE', 3],
  ['a fallback that opens', `opa: {url: "${url}", fallback: allow}\n`, 'E_UNKNOWN_VALUE', 1],
  ['no look here, in the clear', 'opa: {url: "http://127.0.0.1:8181", check: false}\n', 'E_TEAMS_LAYER', 1],
  ['no look here, on a socket', 'opa: {url: "unix:///run/opa.sock", check: false}\n', 'E_TEAMS_LAYER', 1],
])('%s denies everything except reading', async (_, text, code, line) => {
  const layered = machine().put('managed', 'teams.yaml', text);
  const { opa, problems } = await known(layered);
  expect([opa, problems.map((one) => [one.code, one.line])]).toEqual([null, [[code, line]]]);
  expect(await layered.write('a')).toBe('deny');
});

test('a person cannot let the server decide alone', async () => {
  const layered = machine().put('user', 'teams.yaml', `evaluator: opa\nopa: {url: "${url}", check: false}\n`);
  expect((await known(layered)).problems).toMatchObject([{ code: 'E_TEAMS_LAYER' }]);
});

const section = (host: string, more = ''): string => `opa: {url: "https://${host}.org"${more}}\n`;

test.each<[string, string, string, { url: string; check: boolean; fallback: string } | null]>([
  ['', '', 'nobody names one', null],
  [section('a'), '', 'an address alone', null],
  [`evaluator: opa\n${section('a')}`, '', 'the organisation', { url: 'https://a.org', check: false, fallback: 'local' }],
  [
    `evaluator: opa\n${section('a', ', check: true')}`,
    '',
    'held against',
    { url: 'https://a.org', check: true, fallback: 'local' },
  ],
  [
    `evaluator: opa\nopa: {url: "http://localhost:1/{mode}"}\n`,
    '',
    'in the clear',
    { url: 'http://localhost:1/{mode}', check: true, fallback: 'local' },
  ],
  [
    '',
    'evaluator: opa\nopa: {url: "unix:///run/{mode}.sock", deadline: 250ms}\n',
    'on a socket',
    { url: 'unix:///run/{mode}.sock', check: true, fallback: 'local' },
  ],
  ['', `evaluator: opa\n${section('b')}`, 'a person', { url: 'https://b.org', check: true, fallback: 'local' }],
  [
    section('a', ', fallback: deny'),
    'evaluator: opa\n',
    "a person takes the organisation's",
    { url: 'https://a.org', check: false, fallback: 'deny' },
  ],
  [
    section('a'),
    `evaluator: opa\n${section('b')}`,
    "the organisation's address goes first",
    { url: 'https://a.org', check: false, fallback: 'local' },
  ],
  ['evaluator: local\n', `evaluator: opa\n${section('b')}`, 'the organisation wants none', null],
  [
    `evaluator: opa\n${section('a', ', fallback: deny')}`,
    `evaluator: local\n${section('b')}`,
    'the organisation wants its own',
    { url: 'https://a.org', check: false, fallback: 'deny' },
  ],
])('organization %j, person %j: %s', async (managed, user, _, expected) => {
  const layered = machine();
  if (managed !== '') layered.put('managed', 'teams.yaml', managed);
  if (user !== '') layered.put('user', 'teams.yaml', user);
  const { opa, problems } = await known(layered);
  expect(problems).toEqual([]);
  if (expected === null) expect(opa).toBeNull();
  else expect(opa).toMatchObject({ ...expected, deadline: 250 });
});

test('a person cannot set an address that the organization left out', async () => {
  const layered = machine().put('managed', 'teams.yaml', 'evaluator: opa\n').put('user', 'teams.yaml', section('b'));
  const { opa, problems } = await known(layered);
  expect([opa, problems]).toEqual([null, [expect.objectContaining({ code: 'E_MISSING_KEY', line: 1 })]]);
});

test.each<[string, string, string]>([
  ['modes.yaml', `evaluator: opa\n${modesYaml()}`, 'E_UNKNOWN_KEY'],
  ['modes.yaml', `opa: {url: "${url}"}\n${modesYaml()}`, 'E_UNKNOWN_KEY'],
  ['settings.one.json', '{"evaluator": "opa"}', 'E_UNKNOWN_KEY'],
  ['teams.yaml', `evaluator: opa\nopa: {url: "${url}"}\n`, 'W_UNUSED_FILE'],
])('a setting of a project in %s is ignored, with a warning that names the authority', async (name, text, code) => {
  const layered = machine().put('project', name, text);
  const { opa, problems } = await known(layered);
  expect(opa).toBeNull();
  expect(problems.filter(({ code: found }) => found !== 'W_NO_SETTINGS')).toMatchObject([
    { code, remedy: expect.stringMatching(/Only the organization or the user/) },
  ]);
});

test.each<[string, string, RegExp]>([
  ['nobody listens', '', /^it cannot be reached \(ECONNREFUSED\)$/],
  ['the token is not there', ', token: nowhere', /^no request was sent: \S+nowhere cannot be read \(ENOENT\)$/],
  ['the certificates are a folder', ', ca: "."', /^no request was sent: \S+ is a folder$/],
])('%s: the fallback decides, and the decision names why', async (_, more, why) => {
  const layered = machine();
  const say = (fallback: string) =>
    layered.put('user', 'teams.yaml', `evaluator: opa\nopa: {url: "http://127.0.0.1:1", fallback: ${fallback}${more}}\n`);
  const local = await say('local').decide('Read', { file_path: 'a' });
  expect([local.decision, local.evaluator?.by, local.evaluator?.note]).toEqual(['pass', 'local', expect.stringMatching(why)]);
  const closed = await say('deny').decide('Read', { file_path: 'a' });
  expect([closed.decision, closed.by, closed.evaluator]).toEqual(['deny', 'fault', undefined]);
  expect(closed.reason).toContain(local.evaluator?.note);
});
