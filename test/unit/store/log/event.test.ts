// A decision as a line: OPA's names, no secret, bounded.
import { describe, expect, test } from 'vitest';
import { about, tableLine, widthsOf } from '../../../../src/app/log/table.ts';
import { measureWidth } from '../../../../src/config/text.ts';
import { callKey, lineOf, makeEvent, readEvent, sameness } from '../../../../src/store/log/event.ts';
import { maxText } from '../../../../src/store/log/mask.ts';
import { noted, write } from './fixture.ts';

const secret = 'hunter2hunter2';

describe('the names are those of OPA', () => {
  const event = makeEvent(
    noted('Write', write, { fields: { tool_use_id: 't-1', agent_id: 'a-1', permission_mode: 'plan' } }),
    'build-1',
  );

  test('around our decision and the facts', () => {
    expect(event).toMatchObject({
      type: 'openpolicyagent.org/decision_logs',
      path: 'modes/verdict',
      bundles: { m: { revision: 'sha256:b' } },
      requested_by: 'pipe',
      timestamp: '2026-11-22T07:00:00.123Z',
      metrics: { timer_server_handler_ns: 31_000 },
      result: { decision: 'deny', by: 'rule', reason: 'Write(src/**) is denied in m.' },
      input: { version: 1, mode: 'm', tool: { name: 'Write', input: write }, writes: [{ path: 'src/a.ts', via: 'Write' }] },
    });
    expect(event.decision_id).toBe(event.result.decision_id);
    expect(event.result).not.toHaveProperty('facts');
    expect(event).not.toHaveProperty('masked');
    expect(event).not.toHaveProperty('erased');
  });

  test('and labels are texts', () => {
    const { cwd, id, ...labels } = event.labels;
    expect(labels).toEqual({ version: 'build-1', session: 's-1', tool_use_id: 't-1', agent: 'a-1', permission_mode: 'plan' });
    expect([cwd?.startsWith('/'), id]).toEqual([true, String(process.pid)]);
  });

  test('and a line is read back unchanged', () => {
    const line = lineOf(event);
    expect(line).not.toContain('\n');
    expect(readEvent(line)).toEqual(JSON.parse(JSON.stringify(event)));
  });

  test('and the answer in place of an ask is recorded', () => {
    const asked = { ...noted('Write', write, { decided: { decision: 'ask' } }), answered: 'deny' as const };
    expect(makeEvent(asked, 'b').labels.answered).toBe('deny');
  });
});

test.each(['', 'x', 'null', '[]', '{}', '{"type":"openpolicyagent.org/decision_logs"}', '{"half'])(
  '%j is not a line of the log',
  (line) => {
    expect(readEvent(line)).toBeNull();
  },
);

describe('a line with a value that no version wrote', () => {
  const whole = JSON.parse(lineOf(makeEvent(noted('Write', write), 'b'))) as Record<string, object>;
  const rule = { id: 'r', effect: 'deny', text: 'Write', source: { file: 'f', line: 1, column: 1 }, matched: 'm' };
  const rows: [at: string, value: unknown][] = [
    ['decision_id', '\u001b[2J'],
    ['timestamp', '(\u001b[31m) 2026'],
    ['timestamp', '2026-13-40T00:00:00Z'],
    ['labels.session', 1],
    ['labels', []],
    ['bundles', null],
    ['bundles.m', 'sha256:b'],
    ['input', 1],
    ['result.decision', '\u001b[2Jallow'],
    ['result.decision', 'constructor'],
    ['result.mode', 1],
    ['result.tool', null],
    ['result.by', {}],
    ['result.rules', [null]],
    ['result.rules', [{ ...rule, source: null }]],
    ['result.also', [{ ...rule, text: 1 }]],
    ['result.policies', [1]],
    ['result.protections', {}],
    ['result.reason', undefined],
    ['result.remedy', []],
    ['result.grants', [{}]],
  ];

  test.each(rows)('%s as %j is damaged', (at, value) => {
    const [above, name] = at.split('.') as [string, string?];
    const changed = name === undefined ? { ...whole, [above]: value } : { ...whole, [above]: { ...whole[above], [name]: value } };
    expect(readEvent(JSON.stringify(changed))).toBeNull();
  });

  test('but a rule as written is valid, and so is a line of an older version', () => {
    const { also, policies, protections, ...result } = { ...whole.result, rules: [rule] } as Record<string, unknown>;
    expect(readEvent(JSON.stringify({ ...whole, result }))).not.toBeNull();
  });

  test('a step of a newer version is shown by its name', () => {
    const event = readEvent(JSON.stringify({ ...whole, result: { ...whole.result, by: 'constructor', rules: [] } }))!;
    expect(tableLine(event, false)).toMatch(/constructor$/);
  });
});

describe('secrets', () => {
  const rows: [string, string, Record<string, unknown>][] = [
    ['in the text of a command', 'Bash', { command: `PASSWORD=${secret} ./run` }],
    ['as a word of its own behind an option', 'Bash', { command: `mytool --password ${secret} --verbose` }],
    ['in a header', 'Bash', { command: `curl -H 'Authorization: Bearer ${secret}' https://x` }],
    ['in an argument of an MCP tool', 'mcp__s__t', { nested: { deep: [{ apiKey: secret }] }, path: 'a' }],
    ['in a list of arguments', 'mcp__s__t', { args: ['login', '--token', secret] }],
    ['and once more elsewhere', 'Bash', { command: `TOKEN=${secret}; echo ${secret} > out/${secret}.txt` }],
    ['in lists called like those of the facts', 'mcp__s__t', { keys: [`token=${secret}`], a: { labels: [`token=${secret}`] } }],
    ['in a name that is put together by quotes', 'Bash', { command: `PASS''WORD=${secret} ./run` }],
    ['in a URL', 'WebFetch', { url: `https://alice:${secret}@example.org/`, prompt: 'x' }],
  ];
  test.each(rows)('%s are in no part of the line', (_, tool, input) => {
    const matched = JSON.stringify(input);
    const rules = [{ id: 'r0', effect: 'deny' as const, text: 'Bash', matched, source: { file: 'f', line: 1, column: 1 } }];
    const event = makeEvent(noted(tool, input, { decided: { rules, also: rules, reason: matched, remedy: matched } }), 'b');
    const line = lineOf(event);
    expect(line).not.toContain(secret);
    expect(line).toContain('REDACTED');
    expect(event.masked).toEqual(expect.arrayContaining(['/result/reason', '/result/rules/0/matched']));
    for (const pointer of event.masked ?? []) expect(valueAt(event, pointer)).toEqual(expect.stringContaining('REDACTED'));
  });
});

function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce((at: unknown, name) => (at as Record<string, unknown>)[name], value);
}

describe('contents of a call that touches a hidden path', () => {
  const hides = ({ path }: { path: string }) => path.endsWith('.env');
  const content = 'what nobody may read';
  test('of an MCP tool are not stored in any other form', () => {
    const given = { path: 'config/.env', items: [{ line: content }], mode: null };
    const { input } = makeEvent(noted('mcp__s__t', given, { hides, decided: { reason: 'No.' } }), 'b');
    expect(input.tool).toMatchObject({ params: { path: 'config/.env' } });
    expect((input.tool as { params: object }).params).not.toHaveProperty('items');
  });

  test.each<[string, Record<string, unknown>, boolean]>([
    ['Write', { file_path: '.env', content }, true],
    ['Edit', { file_path: 'config/.env', old_string: content, new_string: content }, true],
    ['NotebookEdit', { notebook_path: '.env', new_source: content }, true],
    ['Bash', { command: `echo ${content} > .env` }, true],
    ['Bash', { command: `cat > .env <<'EOF'\n${content}\nEOF` }, true],
    ['Write', { file_path: 'a.ts', content }, false],
    ['Bash', { command: `echo ${content} > a.ts` }, false],
    ['Bash', { command: `grep '${content}' .env` }, false],
  ])('%s %j are not stored: %s', (tool, input, expected) => {
    const event = makeEvent(noted(tool, input, { hides, decided: { reason: 'No.' } }), 'b');
    expect(lineOf(event).includes(content)).toBe(!expected);
    if (expected) expect(event.masked).not.toEqual([]);
    // Which file it was stays known.
    if (expected) expect(lineOf(event)).toContain('.env');
  });
});

describe('size', () => {
  test('a long string is cut, and its length is recorded', () => {
    const event = makeEvent(noted('Write', { file_path: 'a', content: 'x'.repeat(50_000) }), 'b');
    const { content } = (event.input.tool as { input: { content: string } }).input;
    expect(content.length).toBeLessThan(maxText + 50);
    expect(content).toMatch(/x… \(cut, 50000 characters\)$/);
    expect(event.masked).toEqual(['/input/tool/input/content']);
  });

  test('a secret that begins before the cut is not stored partly', () => {
    const content = `${' '.repeat(maxText - 10)}ghp_${'a'.repeat(36)} and more ${'y'.repeat(1_000)}`;
    const event = makeEvent(noted('Write', { file_path: 'a', content }), 'b');
    expect(lineOf(event)).not.toContain('ghp_');
    // An id of the line may well hold three letters in a row; what was given may not.
    expect((event.input.tool as { input: { content: string } }).input.content).not.toContain('aa');
  });

  test('megabytes of lists and fields become a short line', () => {
    const input = {
      list: Array.from({ length: 50_000 }, (_, i) => ({ [`k${i}`]: 'v'.repeat(300) })),
      text: 'password='.repeat(1_000_000),
    };
    const line = lineOf(makeEvent(noted('mcp__s__t', input), 'b'));
    expect(line.length).toBeLessThan(100_000);
    const event = readEvent(line)!;
    expect(event.erased).toEqual(expect.arrayContaining([expect.stringMatching(/^\/input/)]));
    expect(event.result.reason).toBe('Write(src/**) is denied in m.');
  });

  test('a command of many parts keeps its decision', () => {
    const event = makeEvent(
      noted('Bash', { command: Array.from({ length: 3_000 }, (_, i) => `echo ${'x'.repeat(40)}${i}`).join(';') }),
      'b',
    );
    expect(lineOf(event).length).toBeLessThan(100_000);
  });

  test.each([
    ['a name of every object', JSON.parse('{"__proto__":{"a":1},"constructor":"x"}')],
    ['nesting', Array.from({ length: 100 }).reduce((inner: unknown) => ({ inner }), 'end')],
    ['a lone surrogate', { a: '\ud800' }],
    ['nothing', {}],
  ])('%s is a line too', (_, input) => {
    expect(readEvent(lineOf(makeEvent(noted('mcp__s__t', input as Record<string, unknown>), 'b')))).not.toBeNull();
  });
});

describe('two decisions about one call', () => {
  const event = (fields: object, decided = {}) =>
    makeEvent(noted('Write', write, { fields: { tool_use_id: 't-1', ...fields }, decided }), 'b');

  test('are the same whatever their ids and times', () => {
    expect(sameness(event({}))).toBe(sameness(event({}, { took_us: 7, bundle: 'sha256:c', remedy: 'x' })));
  });
  test.each([{ decision: 'ask' }, { reason: 'Another.' }, { mode: 'n' }, { by: 'policy' }] as const)(
    'are not with %j',
    (decided) => {
      expect(sameness(event({}, decided))).not.toBe(sameness(event({})));
    },
  );
  test('are about one call by session and tool-use id', () => {
    expect(callKey(event({}))).toBe(callKey(event({})));
    expect(callKey(event({ session_id: 's-2' }))).not.toBe(callKey(event({})));
    expect(callKey(event({ tool_use_id: '' }))).toBeNull();
  });
});

describe('a line of the table', () => {
  const event = makeEvent(noted('Bash', { command: 'echo \u001b[31m\u202e red\n\ttwo' }), 'b');
  test('contains no terminal control character', () => {
    const line = tableLine(event, false);
    expect(line).toContain('red two');
    expect(line).not.toMatch(/[\x00-\x1f\u202e]/);
  });
  test.each([
    ['short and long names', ['ls', 'npm run build:everything'], ['mcp__a__b', 'Bash']],
    ['wide characters', ['echo 日本語', 'ls'], ['Bash', 'Bash']],
  ])('has its columns below those of the others: %s', (_, commands, tools) => {
    const events = commands.map((command, at) =>
      makeEvent(noted('Bash', { command }, { decided: { tool: tools[at] as string } }), 'b'),
    );
    const lines = events.map((one) => tableLine(one, false, widthsOf(events)));
    expect(new Set(lines.map((line) => measureWidth(line.slice(0, line.indexOf('  Write(src/**)')))))).toHaveProperty('size', 1);
  });
  test('describes the call in a few words, and splits no character', () => {
    const long = makeEvent(noted('Bash', { command: `echo ${'🚀'.repeat(100)}` }), 'b');
    expect(measureWidth(about(long))).toBeLessThanOrEqual(60);
    expect(about(long)).toMatch(/^echo (🚀)+…$/u);
  });
  test('is colored on request', () => {
    expect(tableLine(event, true)).toContain('\u001b[31mdeny \u001b[0m');
  });
});
