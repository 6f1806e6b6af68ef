// What the threads share: every text arrives whole, and a wake that brings none is no answer.
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { Exchange } from '../../../src/policy/custom/exchange.mjs';
import { root } from '../../support/compiler.ts';

let other: Worker | undefined;
afterEach(() => other?.terminate());

/** Another thread with its end of the exchange. */
function openOther(exchange: Exchange, code: string): void {
  const script = `import { workerData } from 'node:worker_threads';
    import { Exchange } from ${JSON.stringify(`file://${root}/src/policy/custom/exchange.mjs`)};
    const exchange = new Exchange(workerData);
    const head = new Int32Array(workerData, 0, 1);
    const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    ${code}`;
  other = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), { workerData: exchange.memory });
}

const ECHO = `for (;;) { const { kind, bytes } = exchange.receive(); exchange.send(kind + 1, Uint8Array.from(bytes)); }`;

describe('an exchange', () => {
  test('transfers texts of any size in both directions, in any order', () => {
    const exchange = new Exchange();
    openOther(exchange, ECHO);
    const texts = ['', 'x', 'größer ✓ 𝄞', 'y'.repeat(70_000), 'z', '✓'.repeat(1_000_000), ...Array(2_000).fill('again')];
    for (const [kind, text] of texts.entries()) {
      exchange.send(kind, text);
      const answer = exchange.receive(5_000);
      expect(answer?.kind).toBe(kind + 1);
      expect(answer?.bytes.toString() === text).toBe(true);
    }
  });

  test('does not mistake a late wake-up for an answer', () => {
    const exchange = new Exchange();
    openOther(
      exchange,
      `exchange.receive(); pause(100); Atomics.notify(head, 0); pause(100); Atomics.notify(head, 0); exchange.send(7, 'here');`,
    );
    exchange.send(1, 'asked');
    expect(exchange.receive(5_000)).toMatchObject({ kind: 7, bytes: Buffer.from('here') });
  });

  test('reports a timeout', () => {
    const exchange = new Exchange();
    exchange.send(1, 'asked');
    expect(exchange.receive(20)).toBeNull();
  });

  test('refuses a text over its limit', () => {
    expect(() => new Exchange().send(1, new Uint8Array(64 * 1024 * 1024))).toThrow(/67108864 bytes are more/);
  });
});
