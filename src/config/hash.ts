// The identity of a configuration, which a person approves.
import { createHash } from 'node:crypto';
import type { ConfigFile } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { PROJECT_SHOWN } from '../platform/layer-folders.ts';
import { parseInstructionsName } from './names.ts';
import { compareNames } from './order.ts';

/**
 * `sha256:…` over modes.yaml, settings and policies. The length in bytes precedes every name and content, so that different sets
 * of files never give the same bytes. A file that could not be read counts by its name and error code.
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
