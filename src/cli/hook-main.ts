// The file that the one-shot runs from. It has nearly all of what the package exports, so CommonJS programs get that from here too.
import { createRequire } from 'node:module';
import { analyseBash, decide, loadProjectBy } from '../interop/loaded.ts';
import { openModesBy } from '../interop/modes.ts';
import type { OpenOptions } from '../interop/open.ts';
import { prepare } from './hook.ts';

export { main } from './hook.ts';

const slow = (): typeof import('../interop/slow.ts') =>
  createRequire(import.meta.url)('./prepare.cjs') as typeof import('../interop/slow.ts');

/** What dist/library.cjs gives. */
export const library = {
  analyseBash,
  decide,
  loadProject: (folder: string, options?: OpenOptions) => loadProjectBy(prepare, folder, options),
  parseRule: (...given: Parameters<typeof import('../interop/rule.ts').parseRule>) => slow().parseRule(...given),
};

/** What dist/sdk.cjs gives. */
export const sdk = { openModes: (folder: string, options?: OpenOptions) => openModesBy(prepare, folder, options) };
