// Packs a bundle into the file that OPA loads: a gzipped tar. The same files give the same bytes.
import { gzipSync } from 'node:zlib';

const BLOCK = 512;
/** Limit for the name of a file. */
export const MAX_NAME_BYTES = 100;

/** `.tar.gz` of files by name; names have at most `MAX_NAME_BYTES`. */
export function packArchive(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [name, bytes] of files) {
    parts.push(header(name, bytes.length), bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  const packed = gzipSync(Buffer.concat(parts), { level: 9 });
  // Removes the operating system of the packer, so that the bytes do not depend on it.
  packed[9] = 255;
  return packed;
}

/** POSIX ustar header of a regular file without owner and time. */
function header(name: string, size: number): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  if (block.write(name, 0, MAX_NAME_BYTES) !== Buffer.byteLength(name))
    throw new Error(`the name ${name} is too long for a bundle`);
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, length, 'latin1');
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write(' '.repeat(8), 148, 8, 'latin1');
  block.write('0', 156, 1, 'latin1');
  block.write('ustar\x0000', 257, 8, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1');
  return block;
}
