// The thread that asks OPA servers while the one that decides waits.
import { parentPort, workerData } from 'node:worker_threads';
import { OpaClient } from './opa-client.mjs';

/** @typedef {{ port: import('node:worker_threads').MessagePort, signal: SharedArrayBuffer, ca: string | null, ownOnly: boolean, deadlineMs: number, maxBytes: number }} Start */

const { port, signal, ...options } = /** @type {Start} */ (workerData);
/** How much was told so far. Whoever waits is woken by it. */
const told = new Int32Array(signal);
const client = new OpaClient(options);

/** @param {object} message */
function tell(message) {
  port.postMessage(message);
  Atomics.add(told, 0, 1);
  Atomics.notify(told, 0);
}

parentPort?.on('message', async (/** @type {{ id: number } & import('./opa-client.mjs').Question} */ { id, ...question }) => {
  tell({ id, reply: await client.ask(question) });
});
tell({ id: 0 });
