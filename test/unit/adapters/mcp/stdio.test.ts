// Lines of the private pipe, put together whatever way they arrive.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineJoiner } from '../../../../src/adapters/mcp/stdio.ts';

/** What comes out when these chunks go in, one entry a push. */
function join(chunks: Buffer[], limit?: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const lines = limit === undefined ? new LineJoiner() : new LineJoiner(limit);
    const out: string[] = [];
    lines.on('data', (line: Buffer) => void out.push(line.toString('utf8')));
    lines.on('end', () => resolve(out));
    lines.on('error', reject);
    for (const chunk of chunks) lines.write(chunk);
    lines.end();
  });
}

describe('LineJoiner', () => {
  test('emits complete lines for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replaceAll('\n', ' ')),
          { maxLength: 20 },
        ),
        fc.array(fc.nat(60), { maxLength: 40 }),
        async (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const chunks: Buffer[] = [];
          let from = 0;
          for (const cut of cuts) {
            chunks.push(bytes.subarray(from, from + cut));
            from += cut;
          }
          chunks.push(bytes.subarray(from));
          expect(await join(chunks.filter((chunk) => chunk.length > 0))).toEqual(lines.map((line) => `${line}\n`));
        },
      ),
    );
  });

  test('emits no line without a newline', async () => {
    expect(await join([Buffer.from('{"a":1}\n{"half":')])).toEqual(['{"a":1}\n']);
  });

  test('a line of 40 MB in pieces of 64 KB is emitted completely', async () => {
    const piece = Buffer.alloc(65_536, 'x');
    const [line, next] = await join([...Array.from({ length: 640 }, () => piece), Buffer.from('\nnext\n')]);
    expect(line?.length).toBe(640 * 65_536 + 1);
    expect(next).toBe('next\n');
  });

  test('a line over the limit is dropped, and later lines are still emitted', async () => {
    expect(
      await join([Buffer.from('first\n'), Buffer.from('x'.repeat(8)), Buffer.from('y'.repeat(8)), Buffer.from('z\nlast\n')], 10),
    ).toEqual(['first\n', 'last\n']);
    expect(await join([Buffer.from(`${'x'.repeat(20)}\nlast\n`)], 10)).toEqual(['last\n']);
    expect(await join([Buffer.from(`${'x'.repeat(9)}\n${'y'.repeat(10)}\nlast\n`)], 10)).toEqual([
      `${'x'.repeat(9)}\n`,
      'last\n',
    ]);
  });
});
