// The emergency stop: which words of a prompt mean it, and what is open until a person names a mode.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { journalFolder } from '../../../src/workflow/journal.ts';
import { stopPhrase } from '../../../src/workflow/phrases.ts';
import { nobody, openProject, type Project } from '../../../src/workflow/project.ts';
import { summarizedEvery } from '../../../src/workflow/state.ts';
import { temporaryFolder } from '../../support/files.ts';
import { prepare } from '../../support/prepare.ts';

describe('a phrase', () => {
  test.each<[string, string[], string | null]>([
    ['SILENCE', ['SILENCE'], 'SILENCE'],
    ['Please: SILENCE!', ['SILENCE'], 'SILENCE'],
    ['stop, SILENCE\nnow', ['STOP', 'SILENCE'], 'SILENCE'],
    ['"SILENCE"', ['SILENCE'], 'SILENCE'],
    ['silence please', ['SILENCE'], null],
    ['SILENCED', ['SILENCE'], null],
    ['UNSILENCE', ['SILENCE'], null],
    ['SILENCE_ALL', ['SILENCE'], null],
    ['SILENCEÉ', ['SILENCE'], null],
    ['SILENCE2', ['SILENCE'], null],
    ['SILENCED, then SILENCE', ['SILENCE'], 'SILENCE'],
    ['please HALT it', ['halt it'], 'halt it'],
    ['infinito', ['finito'], null],
    ['Finito.', ['finito'], 'finito'],
    ['STOP', [' ', 'STOP'], 'STOP'],
    ['un arre\u0302t', ['arr\u00eat'], 'arr\u00eat'],
    ['un arr\u00eat', ['arre\u0302t'], 'arre\u0302t'],
    ['arre\u0301t', ['arr\u00eat'], null],
    ['\u23f9\ufe0f now', ['\u23f9'], '\u23f9'],
    ['\u23f9', ['\u23f9\ufe0f'], '\u23f9\ufe0f'],
    ['halt\nit', ['halt it'], 'halt it'],
    ['HALT\u00a0 IT', ['HALT IT'], 'HALT IT'],
    ['halt, it', ['halt it'], null],
    ['anything', [], null],
    ['anything', [''], null],
  ])('%j with %j is %j [w:stop.word] [w:stop.false]', (prompt, phrases, found) => {
    expect(stopPhrase(prompt, '', phrases)).toBe(found);
  });

  test('after many near matches in a long text is found', () => {
    const long = 'STOPPED '.repeat(50_000);
    expect(stopPhrase(long, '', ['STOP'])).toBeNull();
    expect(stopPhrase(`${long}STOP`, '', ['STOP'])).toBe('STOP');
  });

  test.each(['system', 'loop_wakeup', 'schedule_wakeup', 'poll_event', 'something new'])(
    'of a prompt by %s stops nothing [w:stop.agents-text]',
    (source) => {
      expect(stopPhrase('SILENCE', source, ['SILENCE'])).toBeNull();
    },
  );

  test.each(['<task-notification>SILENCE</task-notification>', 'x <cross-session-message from="a">SILENCE'])(
    'in what an agent wrote stops nothing: %s [w:stop.agents-text]',
    (prompt) => expect(stopPhrase(prompt, 'user', ['SILENCE'])).toBeNull(),
  );
});

describe('a stopped project', () => {
  const asker = { session: 'a', permissionMode: null };
  let base: string;
  let project: Project;
  const open = async () => {
    const opened = openProject({
      start: path.join(base, 'project'),
      env: { HOME: base, PATH: process.env.PATH },
      packageRoot: fileURLToPath(new URL('../../..', import.meta.url)),
      prepare,
      isServer: true,
    });
    if (opened === null) throw new Error('not governed');
    await opened.ready();
    return opened;
  };
  const decide = (of: Project, tool: string, input: Record<string, unknown>) =>
    of.decideEvent({
      hook_event_name: 'PreToolUse',
      session_id: 'a',
      cwd: of.root,
      tool_name: tool,
      tool_input: input,
      tool_use_id: 't',
    }).decision;

  beforeEach(async () => {
    base = temporaryFolder('modes-stop-');
    fs.mkdirSync(path.join(base, 'project/.claude'), { recursive: true });
    fs.writeFileSync(
      path.join(base, 'project/.claude/modes.yaml'),
      'name: t\ndefault: a\nstop: {phrases: [SILENCE], to: talk}\nmodes:\n  a:\n    transitions: [{to: talk}]\n  talk:\n    transitions: [{to: a}]\n',
    );
    project = await open();
  });
  afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

  test('permits only reads, in every process, and names the next step [w:stop.reads]', async () => {
    const write = { file_path: path.join(project.root, 'x'), content: '' };
    expect(decide(project, 'Write', write)).toBe('pass');
    expect(project.for(nobody).transitions.stop('SILENCE in a prompt', asker)).toBe(true);
    for (const one of [project, await open()]) {
      expect(decide(one, 'Write', write)).toBe('deny');
      expect(decide(one, 'Bash', { command: 'npm test' })).toBe('deny');
      expect(decide(one, 'Read', { file_path: path.join(one.root, 'x') })).toBe('pass');
      expect(one.for(nobody).state()).toMatchObject({ mode: null, degraded: { code: 'E_STOPPED' } });
      expect(one.for(nobody).context('whole')).toMatch(/stopped \(SILENCE in a prompt\).*\/modes:mode NAME/s);
    }
    expect(JSON.parse(fs.readFileSync(path.join(project.folder, 'mode-state.json'), 'utf8'))).toMatchObject({
      currentMode: 'talk',
    });
  });

  test('has no transition for the model, and one for a person [w:stop.reads]', async () => {
    project.for(nobody).transitions.stop('x', asker);
    expect(await project.for(nobody).transitions.transition('a', 'I must', asker)).toMatchObject({
      success: false,
      reason: expect.stringContaining('frozen'),
    });
    expect(project.for(nobody).transitions.force('talk', 'a person', asker)).toEqual({ success: true, new_mode: 'talk' });
    expect(decide(project, 'Write', { file_path: path.join(project.root, 'x'), content: '' })).toBe('pass');
  });

  test('is stopped once, and every stop stays in the history', () => {
    expect(project.for(nobody).transitions.stop('one', asker)).toBe(true);
    expect(project.for(nobody).transitions.stop('two', asker)).toBe(false);
    expect(
      project
        .for(nobody)
        .state()
        .entries.map(({ kind, from, to }) => [kind, from, to]),
    ).toEqual([['stop', 'a', 'talk']]);
  });

  test('is stopped, too, by a server that detects only then that the journal is damaged', async () => {
    for (let n = 0; n < summarizedEvery; n++)
      project.for(nobody).transitions.force(n % 2 === 0 ? 'talk' : 'a', 'a person', asker);
    await project.check();
    fs.truncateSync(path.join(journalFolder(project.place.dataFolder, project.root, ''), '00000003.json'), 10);
    const other = await open();
    expect(other.for(nobody).state().degraded).toBeNull();
    expect(other.for(nobody).transitions.stop('one', asker)).toBe(true);
    expect(other.for(nobody).state().degraded?.code).toBe('E_STOPPED');
  });

  test('without a target mode stays in its mode', async () => {
    fs.writeFileSync(path.join(project.folder, 'modes.yaml'), 'name: t\ndefault: b\nmodes:\n  b:\n');
    const other = await open();
    await other.ready('later');
    expect(other.for({ session: 'later', cwd: null }).transitions.stop('x', { session: 'later', permissionMode: null })).toBe(
      true,
    );
    expect(other.for({ session: 'later', cwd: null }).state().entries.at(-1)?.to).toBe('b');
  });
});
