// Finds declarations of MCP tools without an argument that is known to write.

import { shippedRoles } from '../../facts/servers.ts';
import type { Configuration } from '../../model/configuration.ts';
import type { Problem } from '../../model/problem.ts';
import type { Rule } from '../../model/rule.ts';
import type { ConfigSnapshot } from '../../store/snapshots.ts';

/** A trusted declaration replaces the shipped one. If it names fewer arguments, a deny of writes no longer matches the tool. */
export function findUndeclared(declared: Configuration['arguments'], rules: readonly Rule[], content: ConfigSnapshot): Problem[] {
  const deny = rules.find(
    ({ kind, effect, ...rule }) =>
      effect === 'deny' &&
      (kind === 'write' || kind === 'outside' || (kind === 'every' && 'access' in rule && rule.access === 'write')),
  );
  if (deny === undefined) return [];
  return declared
    .filter(({ trusted }) => trusted)
    .flatMap(({ tool, roles }) => {
      const left = [...(shippedRoles(tool) ?? [])].filter(
        ([argument, role]) =>
          (role === 'write' || role === 'command') &&
          !roles.some((one) => one.argument === argument && (one.role === 'write' || one.role === 'command')),
      );
      return left.map(
        ([argument, role]): Problem => ({
          code: 'W_ARGUMENTS_WRITE',
          severity: 'warning',
          message: `${tool} may write by its argument ${argument}, although ${deny.text} (${deny.source.file}:${deny.source.line}) denies writes: its declaration does not say so`,
          remedy: `Declare ${argument}: ${role}, or remove the declaration; then the shipped one applies.`,
          ...placeOf(tool, content),
        }),
      );
    });
}

/** The place of the tool's name as a key. */
function placeOf(tool: string, content: ConfigSnapshot): Pick<Problem, 'file' | 'line' | 'column' | 'length'> {
  for (const { files } of content) {
    for (const { name, text } of files) {
      if (!name.endsWith('modes.yaml')) continue;
      const lines = text.split(/\r?\n/);
      const line = lines.findIndex((one) => one.includes(`${tool}:`) || one.includes(`${tool}"`) || one.includes(`${tool}'`));
      if (line !== -1)
        return { file: name, line: line + 1, column: (lines[line] as string).indexOf(tool) + 1, length: tool.length };
    }
  }
  return {};
}
