// The identity of a configuration: what a person trusts.
import { createHash } from 'node:crypto';
import type { ConfigFile } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { PROJECT_SHOWN } from '../platform/layer-folders.ts';
import { parseInstructionsName } from './names.ts';
import { compareNames } from './order.ts';

/**
 * `sha256:…` over modes.yaml, settings and policies. Every name and content stands behind its length in bytes, so that no two
 * sets of files give the same bytes; a file that could not be read counts by its name and code.
 */
export function hashConfiguration(files: readonly ConfigFile[], faults: readonly Problem[] = [], shown = PROJECT_SHOWN): string {
  const hash = createHash('sha256');
  const add = (text: string) => {
    const bytes = Buffer.from(text, 'utf8');
    hash.update(`${bytes.length}:`).update(bytes);
  };
  add('modes configuration 1');
  for (const file of [...files].sort(compareNames)) {
    if (parseInstructionsName(file.name, shown) !== null) continue;
    add('file');
    add(file.name);
    add(file.text);
  }
  for (const fault of faults) {
    if (parseInstructionsName(fault.file ?? '', shown) !== null) continue;
    add('fault');
    add(fault.file ?? '');
    add(fault.code);
  }
  return `sha256:${hash.digest('hex')}`;
}
