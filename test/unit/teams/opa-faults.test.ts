// Whatever a server answers, or does not: its word counts only where it is a whole verdict of the very bundle that this machine has.
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { combineVerdicts } from '../../../src/engine/combine.ts';
import type { Facts } from '../../../src/model/facts.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import { Breaker } from '../../../src/policy/remote/breaker.ts';
import { OpaClient } from '../../../src/policy/remote/opa-client.mjs';
import { type Evaluation, OpaPolicy, type OpaPolicyOptions } from '../../../src/policy/remote/opa-policy.ts';
import { afterTest } from '../../support/cleanup.ts';
import { type Answer, certificate, makeFolder, TestServer } from '../../support/team-server.ts';

const verdict = (given: Partial<Verdict> = {}): Verdict => ({
  verdict: 'pass',
  by: 'default',
  hits: [],
  unnamed: [],
  protections: [],
  policies: [],
  ...given,
});

const revision = '0123456789abcdef';
/** Milliseconds: none that a busy machine does not keep to, and of a server that never answers. */
const patient = 20_000;
const soon = 100;
const answering = (result: unknown, revisions: string[] = [revision]): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    provenance: { version: '1', bundles: Object.fromEntries(revisions.map((one, at) => [`b${at}`, { revision: one }])) },
    ...(result === undefined ? {} : { result }),
  }),
});
const opening = answering(verdict({ verdict: 'allow', by: 'rule' }));
const facts = { tool: { name: 'Bash' } } as Facts;

/** The verdict that applies, and who gave it. */
type Evaluated = Pick<Evaluation, 'evaluator'> & { verdict: Verdict };

interface Asked {
  ask(tool?: string): Promise<Evaluated>;
  differing: string[];
}

/** A policy of this machine that asks a server, as a process with a thread for it does. */
function asking(
  url: string,
  given: Partial<OpaPolicyOptions['pin']> = {},
  own: Partial<OpaPolicyOptions> = {},
  ca: string | null = certificate().cert,
): Asked {
  const client = new OpaClient({ ca, deadlineMs: given.deadline ?? patient, maxBytes: 64 * 1024 });
  afterTest(() => client.close());
  const differing: string[] = [];
  const policy = new OpaPolicy({
    pin: { url, deadline: patient, fallback: 'local', check: false, ...given },
    mode: 'one',
    revision,
    isSteady: true,
    input: (all) => all,
    local: () => verdict({ verdict: 'ask' }),
    breaker: new Breaker(() => 0),
    observer: { failed: () => undefined, back: () => undefined, differs: (_, what) => differing.push(what) },
    ...own,
  });
  return {
    differing,
    async ask(tool = 'Bash') {
      const steps = policy.evaluate({ ...facts, tool: { name: tool } } as Facts);
      let reply: Awaited<ReturnType<OpaClient['ask']>> | null = null;
      for (let step = steps.next(null); ; step = steps.next(reply)) {
        if (step.done) return { verdict: combineVerdicts(step.value.verdicts), evaluator: step.value.evaluator };
        if (step.value.kind === 'receive') continue;
        const { onReply: heard, question } = step.value;
        reply = await client.ask({ ...question, token: 'secret' });
        heard?.(reply);
      }
    },
  };
}

async function serving(answer: Answer | 'hang'): Promise<TestServer> {
  const server = await TestServer.start();
  server.answer = () => answer;
  return server;
}

const faults: [string, Answer | 'hang', RegExp][] = [
  [
    'another bundle',
    answering(verdict({ verdict: 'allow' }), ['fedcba9876543210']),
    /another bundle \(fedcba9876543210, here 0123/,
  ],
  [
    'no word of its bundle',
    { ...opening, body: JSON.stringify({ result: verdict({ verdict: 'allow' }) }) },
    /does not name its bundle/,
  ],
  [
    'bundles that are none',
    { status: 200, body: '{"provenance":{"bundles":[null,{"revision":7}]},"result":{}}' },
    /does not name its bundle/,
  ],
  ['an undefined result', answering(undefined), /no document at modes\/verdict/],
  ['a verdict that is none', answering({ ...verdict(), verdict: 'maybe' }), /malformed: verdict\.verdict/],
  ['a verdict that lacks a part', answering({ ...verdict({ verdict: 'allow' }), hits: undefined }), /malformed: verdict\.hits/],
  ['a text for a verdict', answering('allow'), /malformed/],
  ['no JSON', { status: 200, body: 'allow' }, /not a JSON object/],
  ['JSON that is torn', { status: 200, body: String(opening.body).slice(0, -3) }, /not a JSON object/],
  ['a list', { status: 200, body: '[]' }, /not a JSON object/],
  ['nothing', { status: 200 }, /not a JSON object/],
  ['400', { ...opening, status: 400 }, /answers 400/],
  ['401', { ...opening, status: 401 }, /answers 401/],
  ['404', { ...opening, status: 404 }, /answers 404/],
  ['204', { status: 204 }, /answers 204/],
  ['500', { ...opening, status: 500 }, /answers 500/],
  ['503', { status: 503, headers: { 'retry-after': '1' } }, /answers 503/],
  [
    'another address',
    { ...opening, status: 307, headers: { location: 'https://localhost:1/' } },
    /redirects to https:\/\/localhost:1\/, which is not followed/,
  ],
  ['more than it may', { status: 200, body: `${opening.body}${' '.repeat(70_000)}` }, /larger than 64 KB/],
  ['never', 'hang', /within 100 ms/],
];

describe.each(['local', 'deny'] as const)('with fallback: %s', (fallback) => {
  test.each(faults)('a server that answers %s', async (_, answer, why) => {
    const { url } = await serving(answer);
    const said = asking(url, { fallback, deadline: answer === 'hang' ? soon : patient }).ask();
    if (fallback === 'deny') await expect(said).rejects.toThrow(why);
    else
      await expect(said).resolves.toEqual({
        verdict: verdict({ verdict: 'ask' }),
        evaluator: { by: 'local', server: url, note: expect.stringMatching(why) },
      });
  });
});

test.each<[string, () => Promise<string>, RegExp]>([
  ['nobody listens', async () => 'https://localhost:1', /ECONNREFUSED/],
  [
    'it speaks in the clear',
    async () => {
      const server = http.createServer((_, response) => response.end(opening.body)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      afterTest(() => server.close());
      return `https://localhost:${(server.address() as AddressInfo).port}`;
    },
    /cannot be reached \(\S+\)/,
  ],
  [
    'it hangs up on every connection',
    async () => {
      const server = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      afterTest(() => server.close());
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    /cannot be reached \(\S+\)/,
  ],
])('%s: this machine decides', async (_, place, why) => {
  const { verdict: said, evaluator } = await asking(await place()).ask();
  expect([said.verdict, evaluator.by, evaluator.note]).toEqual(['ask', 'local', expect.stringMatching(why)]);
});

test('an unknown certificate is refused, regardless of the environment', async () => {
  const { url } = await serving(opening);
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  afterTest(() => vi.unstubAllEnvs());
  const { verdict: said, evaluator } = await asking(url, {}, {}, null).ask();
  expect([said.verdict, evaluator.note]).toEqual(['ask', 'it cannot be reached (DEPTH_ZERO_SELF_SIGNED_CERT)']);
});

test('a complete verdict of the same bundle counts, requested with the token at the path of the mode, and is cached', async () => {
  const server = await serving(answering(verdict({ verdict: 'allow', by: 'rule' }), ['another', revision]));
  const asked = asking(`${server.url}/opa/{mode}/`);
  const { verdict: said, evaluator } = await asked.ask();
  expect([said.verdict, evaluator]).toEqual(['allow', { by: 'opa', server: `${server.url}/opa/one/` }]);
  expect(await asked.ask()).toEqual({ verdict: said, evaluator });
  expect(
    server.requests.map(({ url, method, headers, body }) => [method, url, headers.authorization, JSON.parse(String(body))]),
  ).toEqual([['POST', '/opa/one/v1/data/modes/verdict?provenance=true', 'Bearer secret', { input: { tool: { name: 'Bash' } } }]]);
});

test('a policy without stable results is requested each time', async () => {
  const server = await serving(opening);
  const asked = asking(server.url, {}, { isSteady: false });
  await asked.ask();
  await asked.ask();
  expect(server.requests.length).toBe(2);
});

describe('compared with this machine', () => {
  test.each<[Verdict['verdict'], Verdict['verdict'], Verdict['verdict']]>([
    ['allow', 'deny', 'deny'],
    ['deny', 'allow', 'deny'],
    ['ask', 'pass', 'ask'],
    ['pass', 'allow', 'pass'],
  ])('the server returns %s, this machine %s: %s', async (theirs, ours, expected) => {
    const { url } = await serving(answering(verdict({ verdict: theirs })));
    const asked = asking(url, { check: true }, { local: () => verdict({ verdict: ours }) });
    const { verdict: said, evaluator } = await asked.ask();
    const what = `the OPA server says ${theirs} by default, this machine ${ours} by default`;
    expect([said.verdict, evaluator, asked.differing]).toEqual([expected, { by: 'both', server: url, note: what }, [what]]);
  });

  test('equal: nothing is reported', async () => {
    const { url } = await serving(answering(verdict()));
    const asked = asking(url, { check: true }, { local: () => verdict() });
    expect([(await asked.ask()).evaluator, asked.differing]).toEqual([{ by: 'both', server: url }, []]);
  });

  test('another rule for the same verdict is reported too', async () => {
    const { url } = await serving(answering(verdict({ by: 'rule' })));
    const asked = asking(url, { check: true }, { local: () => verdict() });
    expect([(await asked.ask()).verdict.by, asked.differing.length]).toEqual(['default', 1]);
  });

  test('a local failure counts, regardless of the server', async () => {
    const { url } = await serving(opening);
    const local = (): never => {
      throw new Error('broken here');
    };
    await expect(asking(url, { check: true }, { local }).ask()).rejects.toThrow('broken here');
  });
});

describe('a server that is dead', () => {
  test('gets no request after three failures, then one in the background, and counts again after its answer', async () => {
    const server = await serving({ status: 500 });
    let now = 0;
    const asked = asking(server.url, {}, { now: () => now });
    const said: string[] = [];
    const ask = async () => {
      const { evaluator } = await asked.ask(`tool ${said.length}`);
      said.push(`${evaluator.by} ${evaluator.note ?? ''}`);
    };
    for (let i = 0; i < 5; i++) await ask();
    expect(server.requests.length).toBe(3);
    now = 500;
    await ask();
    server.answer = () => opening;
    now = 1_400;
    await ask();
    now = 2_000;
    await ask();
    await ask();
    expect(said).toEqual([
      ...Array(3).fill('local it answers 500'),
      ...Array(2).fill('local requests to it are paused: it answers 500'),
      'local a new request to it is pending: it answers 500',
      'local requests to it are paused: it answers 500',
      'local a new request to it is pending: it answers 500',
      'opa ',
    ]);
    expect(server.requests.length).toBe(6);
  });

  test('if nothing else may decide, calls wait for that request', async () => {
    const server = await serving({ status: 500 });
    let now = 0;
    const asked = asking(server.url, { fallback: 'deny' }, { now: () => now });
    for (let i = 0; i < 4; i++) await expect(asked.ask(`tool ${i}`)).rejects.toMatchObject({ code: 'E_POLICY_SERVICE' });
    expect(server.requests.length).toBe(3);
    server.answer = () => opening;
    now = 500;
    expect((await asked.ask('at last')).evaluator.by).toBe('opa');
  });
});

test('requests use one connection, which is opened again after the server closed it', async () => {
  const sockets = new Set<net.Socket>();
  const server = http.createServer((_, response) => response.end(opening.body)).listen(0, '127.0.0.1');
  server.on('connection', (socket) => sockets.add(socket));
  await once(server, 'listening');
  afterTest(() => server.close());
  const asked = asking(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  for (let i = 0; i < 20; i++) expect((await asked.ask(`tool ${i}`)).evaluator.by).toBe('opa');
  expect(sockets.size).toBe(1);
  for (const socket of sockets) socket.destroy();
  expect((await asked.ask('after that')).evaluator.by).toBe('opa');
  expect(sockets.size).toBe(2);
});

test('a server on a socket of this machine', async () => {
  const socket = path.join(makeFolder(), 'opa-one.sock');
  const server = http.createServer((_, response) => response.end(opening.body)).listen(socket);
  await once(server, 'listening');
  afterTest(() => server.close());
  expect(fs.existsSync(socket)).toBe(true);
  expect((await asking(`unix://${socket.replace('one', '{mode}')}`).ask()).evaluator.by).toBe('opa');
});
