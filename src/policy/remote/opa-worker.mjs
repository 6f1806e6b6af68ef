// The thread that asks OPA servers while the deciding thread waits.
import { parentPort, workerData } from 'node:worker_threads';
import { OpaClient } from './opa-client.mjs';

/** @typedef {{ port: import('node:worker_threads').MessagePort, signal: SharedArrayBuffer, ca: string | null, ownOnly: boolean, deadlineMs: number, maxBytes: number }} Start */

const { port, signal, ...options } = /** @type {Start} */ (workerData);
/** Number of messages so far. The waiting thread wakes up when it changes. */
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
