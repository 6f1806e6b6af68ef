// Rego files of the repository, as modules by name relative to its root.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './load-source.mjs';

/**
 * @param {string[]} folders relative to the root
 * @param {{tests: boolean}} options whether `*_test.rego` are wanted too
 * @returns {Record<string, string>} sorted by name
 */
export function readModules(folders, { tests }) {
  const names = folders.flatMap((folder) => listRego(folder)).filter((name) => tests || !name.endsWith('_test.rego'));
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

function listRego(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listRego(name);
    return entry.name.endsWith('.rego') ? [name] : [];
  });
}
