// Programs that rewrite the files below a folder choose those files themselves. Where runs are verified, such a write counts only
// for the folder: the files that the mode guards below it are compared after the run.
import path from 'node:path';
import type { FactsContext } from '../facts/collect.ts';
import { writeAccess } from '../facts/paths/access.ts';
import type { Facts, ReadAccess, UncertainPart, WriteAccess } from '../model/facts.ts';
import { anyFile } from '../shell/written.ts';

/** Formatters that write only files below the folders in their arguments. */
const formatter = /^(?:gofmt|goimports|gofumpt|shfmt|terraform|tofu)$/;

/**
 * The facts with one file in place of everything below the folders that programs of the project rewrite. A rule that covers the
 * folder matches that file, a rule about a part of the folder does not.
 */
export function withoutSweeps(facts: Facts, context: FactsContext): Facts {
  const formatters = (facts.bash?.commands ?? []).flatMap(({ name, class: given }, command) =>
    given === 'writes' && formatter.test(name)
      ? [{ kind: 'command', command, name, class: 'runs', why: `${name} rewrites the files below a folder` } as const]
      : [],
  );
  const parts = [...(facts.may_write_anywhere ?? []), ...formatters];
  const programs = new Set(parts.flatMap((part) => (isProgram(part) ? [part.command] : [])));
  const isSwept = ({ deep, unnamed, own, root, command, path: written }: ReadAccess | WriteAccess) =>
    deep && unnamed !== true && own === null && root === 'project' && programs.has(command) && !/[*?[\]]/.test(written);
  if (programs.size === 0 || !facts.writes.some(isSwept)) return facts;
  const grounds = { ...context, own: { read: [], write: [] } };
  const writes = facts.writes.map((write) => {
    if (!isSwept(write)) return write;
    const { via, command } = write;
    const request = {
      kind: 'write',
      path: path.resolve(context.place.root, write.path, anyFile),
      extent: 'one',
      via,
      command,
    } as const;
    return Object.assign(writeAccess(request, grounds), { path: write.path });
  });
  const swept = new Set(facts.writes.flatMap((write) => (isSwept(write) ? [write.command] : [])));
  const isPart = (part: UncertainPart) => !formatters.some((one) => one === part) || swept.has(part.command);
  return {
    ...facts,
    may_write_anywhere: parts.filter(isPart),
    writes,
    reads: facts.reads.filter((read) => !read.implied || !isSwept(read)),
  };
}

function isProgram({ kind, class: given, anything }: UncertainPart): boolean {
  return kind === 'command' && given === 'runs' && anything === undefined;
}
