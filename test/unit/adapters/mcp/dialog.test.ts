// The question to a person: only a deliberate yes is one.
import fs from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ChannelIntegrity } from '../../../../src/adapters/mcp/channel-integrity.ts';
import { type Confirmation, confirm } from '../../../../src/adapters/mcp/dialog.ts';
import { findEnding } from '../../../../src/workflow/findings/find.ts';
import { makeTree, type Tree } from '../../../support/tree.ts';

type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> };
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) await close();
});

interface Asked {
  server: Server;
  questions: unknown[];
}

async function connect(answer: (() => Answer | Promise<Answer>) | null): Promise<Asked> {
  const server = new Server({ name: 'modes', version: '1' }, { capabilities: { tools: {} } });
  const client = new Client({ name: 'client', version: '1' }, { capabilities: answer === null ? {} : { elicitation: {} } });
  const questions: unknown[] = [];
  if (answer !== null)
    client.setRequestHandler(ElicitRequestSchema, async (request) => {
      questions.push(request.params);
      return (await answer()) as never;
    });
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), client.connect(other)]);
  closers.push(async () => {
    await client.close();
    await server.close();
  });
  return { server, questions };
}
const standingOf = (tree: Tree): ChannelIntegrity =>
  new ChannelIntegrity(
    () => findEnding({ place: tree.place(), start: tree.root }),
    () => undefined,
  );
const ask = ({ server }: Asked, tree: Tree = makeTree(), signal = new AbortController().signal): Promise<Confirmation> =>
  confirm(server, standingOf(tree), signal, { message: 'Change it?', label: 'Yes, change it' });

describe('an approval', () => {
  test('is a ticked checkbox in a form without a default [w:authority.dialog]', async () => {
    const asked = await connect(() => ({ action: 'accept', content: { confirm: true } }));
    expect(await ask(asked)).toEqual({ confirmed: true });
    expect(asked.questions).toEqual([
      expect.objectContaining({
        message: 'Change it?',
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: 'Yes, change it', description: expect.any(String) } },
          required: ['confirm'],
        },
      }),
    ]);
  });
});

describe('a refusal', () => {
  const rows: [string, () => Answer | Promise<Answer>, RegExp][] = [
    ['an accept without the tick', () => ({ action: 'accept', content: { confirm: false } }), /declined/],
    ['an accept without content', () => ({ action: 'accept' }), /./],
    ['an accept with an empty form', () => ({ action: 'accept', content: {} }), /./],
    ['an accept with a text for the tick', () => ({ action: 'accept', content: { confirm: 'true' } }), /./],
    ['an accept with another field', () => ({ action: 'accept', content: { yes: true } }), /./],
    ['a decline', () => ({ action: 'decline' }), /declined/],
    ['a decline with a tick', () => ({ action: 'decline', content: { confirm: true } }), /declined/],
    ['a cancel', () => ({ action: 'cancel' }), /nobody answered/],
    ['an answer that is none', () => ({ action: 'perhaps' }) as unknown as Answer, /not answered/],
    ['an error of the client', () => Promise.reject(new Error('no screen')), /not answered: .*no screen/],
  ];
  test.each(rows)('is %s', async (_, answer, why) => {
    expect(await ask(await connect(answer))).toEqual({ confirmed: false, why: expect.stringMatching(why) });
  });

  test('is the result in a client without dialogs, without a question [w:authority.refused]', async () => {
    const asked = await connect(null);
    expect(await ask(asked)).toEqual({ confirmed: false, why: expect.stringContaining('no dialogs') });
  });

  test('is the result of a withdrawn question, even if an answer comes later', async () => {
    let answerLater: (answer: Answer) => void = () => undefined;
    const asked = await connect(
      () =>
        new Promise<Answer>((resolve) => {
          answerLater = resolve;
        }),
    );
    const withdrawn = new AbortController();
    const answer = ask(asked, makeTree(), withdrawn.signal);
    await expect.poll(() => asked.questions).toHaveLength(1);
    withdrawn.abort('AbortError');
    expect(await answer).toMatchObject({ confirmed: false });
    answerLater({ action: 'accept', content: { confirm: true } });
    expect(await ask(asked, makeTree(), AbortSignal.abort())).toMatchObject({ confirmed: false });
  });

  test('is the result after nine minutes without an answer, before the hook times out', async () => {
    const asked = await connect(() => new Promise<Answer>(() => undefined));
    const tree = makeTree();
    vi.useFakeTimers();
    const answer = ask(asked, tree);
    await vi.advanceTimersByTimeAsync(539_000);
    let settled = false;
    void answer.then(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await answer).toEqual({ confirmed: false, why: expect.stringContaining('not answered') });
  });

  test.each(['.claude/settings.json', '.claude/settings.local.json'])(
    'is the result if a hook in %s could answer, without a question',
    async (name) => {
      const tree = makeTree();
      tree.file(name, '{"hooks":{"Elicitation":[]}}');
      const asked = await connect(() => ({ action: 'accept', content: { confirm: true } }));
      expect(await ask(asked, tree)).toEqual({ confirmed: false, why: expect.stringContaining(`${tree.root}/${name}`) });
      expect(asked.questions).toEqual([]);
    },
  );

  test('is the result if such a hook appears during the dialog', async () => {
    const tree = makeTree();
    const asked = await connect(() => {
      tree.file('.claude/settings.local.json', '{"hooks":{"Elicitation":[]}}');
      return { action: 'accept', content: { confirm: true } };
    });
    expect(await ask(asked, tree)).toMatchObject({ confirmed: false });
  });

  test('is the result of every later question in a session that ever had such a hook', async () => {
    const tree = makeTree();
    const standing = standingOf(tree);
    const asked = await connect(() => ({ action: 'accept', content: { confirm: true } }));
    const question = () => confirm(asked.server, standing, new AbortController().signal, { message: 'Change it?', label: 'Yes' });
    expect(await question()).toEqual({ confirmed: true });
    const file = tree.file('.claude/settings.local.json', '{"hooks":{"Elicitation":[]}}');
    expect(await question()).toMatchObject({ confirmed: false });
    fs.rmSync(file);
    expect(await question()).toEqual({ confirmed: false, why: expect.stringContaining('start a new session') });
    expect(asked.questions).toHaveLength(1);
  });
});
