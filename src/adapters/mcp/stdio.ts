// The private pipe to the client. It carries one JSON message a line, and a line may arrive in many chunks.
import { type Readable, Transform } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

/** Maximum length of a message in bytes. A longer one is dropped with a note on stderr, and its hook counts as failed. */
const maxLine = 67_108_864;

/**
 * The SDK's reader copies its complete buffer for every chunk, which is quadratic in the length of a message, and closes over 10
 * MiB. So complete lines are joined here and passed on one by one.
 */
export function stdioTransport(input: Readable, onEnd: () => void): StdioServerTransport {
  const lines = new LineJoiner();
  input.on('end', onEnd);
  input.on('close', onEnd);
  input.on('error', onEnd);
  input.pipe(lines);
  return new StdioServerTransport(lines, process.stdout, { maxBufferSize: 2 * maxLine });
}

/** Emits one complete line per chunk. `limit` is the maximum length of a line in bytes, including its end. */
export class LineJoiner extends Transform {
  private parts: Buffer[] = [];
  private size = 0;
  private dropping = false;

  constructor(private readonly limit = maxLine) {
    super();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.gather(chunk.subarray(from, at + 1));
      if (!this.dropping) this.push(Buffer.concat(this.parts));
      this.parts = [];
      this.size = 0;
      this.dropping = false;
      from = at + 1;
    }
    if (from < chunk.length) this.gather(chunk.subarray(from));
    done();
  }

  private gather(part: Buffer): void {
    if (this.dropping) return;
    this.size += part.length;
    if (this.size > this.limit) {
      process.stderr.write(`modes: a message of more than ${this.limit} bytes was dropped\n`);
      this.dropping = true;
      this.parts = [];
      return;
    }
    this.parts.push(part);
  }
}
