// Files and folders for tests.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Writes a file, and creates its folders. @returns its path */
export function putFile(file: string, content: string | Uint8Array, options: fs.WriteFileOptions = {}): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content, options);
  return file;
}

/** A new folder for temporary files, as a real path. */
export const temporaryFolder = (prefix: string): string => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), prefix)));
