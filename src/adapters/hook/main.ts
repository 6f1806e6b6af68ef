// The entry file of the one-shot process. It contains nearly all exports of the package, so CommonJS
// programs load them from here too.
import { createRequire } from 'node:module';
import { analyseBash, decide, loadProjectBy } from '../sdk/loaded.ts';
import { openModesBy } from '../sdk/modes.ts';
import type { OpenOptions } from '../sdk/open.ts';
import { prepare } from './hook.ts';

export { main } from './hook.ts';

const slow = (): typeof import('../sdk/slow.ts') =>
  createRequire(import.meta.url)('./prepare.cjs') as typeof import('../sdk/slow.ts');

/** The exports of dist/library.cjs. */
export const library = {
  analyseBash,
  decide,
  loadProject: (folder: string, options?: OpenOptions) => loadProjectBy(prepare, folder, options),
  parseRule: (...given: Parameters<typeof import('../sdk/rule.ts').parseRule>) => slow().parseRule(...given),
};

/** The exports of dist/sdk.cjs. */
export const sdk = { openModes: (folder: string, options?: OpenOptions) => openModesBy(prepare, folder, options) };
