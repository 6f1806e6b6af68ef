// modes policy fmt: formats Rego as `opa fmt` does.
import fs from 'node:fs';
import path from 'node:path';
import { structuredPatch } from 'diff';
import { openCompiler } from '../../app/own-package.ts';
import { readConfigFile } from '../../config/disk.ts';
import type { Modules } from '../../policy/compiler/types.ts';
import { startFolder } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuseInside } from './policy-output.ts';
import type { PolicyOptions } from './policy-test.ts';
import { refuseBroken } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

interface FormatOptions extends PolicyOptions {
  check?: boolean;
  diff?: boolean;
}

export async function policyFormat(named: string[], options: FormatOptions, terminal: Terminal): Promise<number> {
  const isDry = options.check === true || options.diff === true;
  if (!isDry) refuseInside('modes policy fmt without --check or --diff');
  const start = startFolder(options.project);
  const files = (named.length > 0 ? named : [path.join(start, '.claude/policies')]).flatMap(listRego);
  const readings = files.map((file) => readConfigFile(ANYWHERE, path.relative('.', file)));
  const faults = readings.flatMap((one) => (one !== null && 'fault' in one ? [one.fault] : []));
  if (faults.length > 0) return refuseBroken(faults, options, terminal);
  const before: Modules = Object.fromEntries(
    readings.flatMap((one) => (one !== null && 'file' in one ? [[one.file.name, one.file.text]] : [])),
  );
  const result = await openCompiler().format(before);
  if (!result.ok) return refuseBroken(result.problems, options, terminal);
  const changed = Object.keys(before).filter((file) => result.sources[file] !== before[file]);
  if (!isDry) for (const file of changed) fs.writeFileSync(file, result.sources[file]!);
  const diffs = options.diff ? changed.map((file) => unifiedDiff(file, before[file]!, result.sources[file]!)) : [];
  if (options.json) terminal.out(toJson<'policy-fmt'>({ changed, ...(options.diff ? { diffs } : {}) }, 2));
  else if (options.diff) for (const diff of diffs) terminal.out(diff);
  else for (const file of changed) terminal.out(file);
  return isDry && changed.length > 0 ? exits.wrong : exits.fine;
}

/** A person who names a file may format it, wherever it is. */
const ANYWHERE = { base: '.', shown: '', within: '/' };

function listRego(named: string): string[] {
  if (!fs.existsSync(named)) throw new UsageError(`there is no ${named}`);
  // A name that is not a file is refused later, with the reason, when it is read.
  if (!fs.statSync(named).isDirectory()) return [named];
  return fs
    .readdirSync(named, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(named, entry.name);
      if (entry.isDirectory()) return listRego(file);
      return entry.isFile() && entry.name.endsWith('.rego') ? [file] : [];
    });
}

/** The output of `diff -u`. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const { hunks } = structuredPatch(file, file, before, after, undefined, undefined, { context: 3 });
  const shown = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
  return [`--- ${file}`, `+++ ${file}`, ...shown].join('\n');
}
