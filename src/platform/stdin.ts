// The input of a process: stdin, which is read to its end even from a nonblocking pipe, and a terminal.
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';

/** All of stdin as text; null if it has more bytes. Throws if it is not UTF-8: names in it would be other ones. */
export function readStdin(maxBytes: number): string | null {
  const chunks: Buffer[] = [];
  const chunk = Buffer.allocUnsafeSlow(1 << 16);
  let size = 0;
  for (;;) {
    let count: number;
    try {
      count = fs.readSync(0, chunk, 0, chunk.length, null);
    } catch (error) {
      // The socket pair has no data yet; the writer is about to send some.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
        continue;
      }
      if ((error as NodeJS.ErrnoException).code === 'EOF') break;
      throw error;
    }
    if (count === 0) break;
    size += count;
    if (size > maxBytes) return null;
    chunks.push(Buffer.from(chunk.subarray(0, count)));
  }
  const bytes = Buffer.concat(chunks);
  if (!isUtf8(bytes)) throw new Error('the input is not UTF-8 text');
  return bytes.toString('utf8');
}

/** True if the process has a controlling terminal, as it has where a person works in the harness. */
export function hasTerminal(): boolean {
  try {
    fs.closeSync(fs.openSync('/dev/tty', 'r'));
    return true;
  } catch {
    // There is none, or it cannot be read.
    return false;
  }
}
