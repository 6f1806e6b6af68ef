// The percentage of the context warning has the same source as the status line.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PromptLines, promptContext } from '../../../../src/app/prompt.ts';
import { WindowWarnings } from '../../../../src/workflow/context/window.ts';
import { nobody } from '../../../../src/workflow/project.ts';
import { makeWorld } from '../../../support/sessions.ts';

/** What is told with a prompt after 170,000 tokens. */
async function told(window: string, reported: string | null, model = 'm'): Promise<string> {
  const world = makeWorld();
  world.put('.claude/modes.yaml', `name: t\ndefault: one\nmodes:\n  one:\n    context: {warn: [10]${window}}\n`);
  const line = { type: 'assistant', message: { model, usage: { input_tokens: 170_000 } } };
  world.put('t.jsonl', `${JSON.stringify(line)}\n`);
  const project = (await world.open()).for(nobody);
  const status = path.join(project.place.dataFolder, 'status');
  fs.mkdirSync(status, { recursive: true });
  if (reported !== null) fs.writeFileSync(path.join(status, `${process.pid}.window`), reported);
  const prompt = { given: null, session: 's', permissionMode: null, transcript: path.join(world.root, 't.jsonl') };
  const { text } = await promptContext(project, prompt, { warnings: new WindowWarnings(), lines: new PromptLines() });
  return /CONTEXT WINDOW: \d+ %/.exec(text)?.[0] ?? '';
}

test.each([
  ['the size that the client reports', '', '1000000\n', 'CONTEXT WINDOW: 17 %'],
  ['the same size rather than the setting', ', window: 200000', '1000000\n', 'CONTEXT WINDOW: 17 %'],
  ['the setting without a status line', ', window: 400000', null, 'CONTEXT WINDOW: 42 %'],
  ['no source', '', null, ''],
  ['an empty report', '', '', ''],
  ['a damaged report', '', 'x\n', ''],
])('%s [w:context.window]', async (_, window, reported, expected) => {
  expect(await told(window, reported)).toBe(expected);
});

test('the name of a model is no source', async () => {
  expect(await told('', null, 'claude-x[1m]')).toBe('');
});
