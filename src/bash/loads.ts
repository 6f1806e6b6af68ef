// Files of a project by which some commands find a program to load first: with one of them there, such a command runs code of the project.
import { worse } from './effects.ts';
import { isAtOrAbove } from './targets.ts';
import type { BashCommand, BashFacts, BashLoad, BashTarget } from './types.ts';

/** Stands before a hook of the git repository that the folder lies in. */
export const HOOK = 'git:';

/** What a command is, as far as the text alone tells. */
export function condition(program: string, load: BashLoad): string {
  const hooks = load.files.filter((file) => file.startsWith(HOOK)).map((file) => file.slice(HOOK.length));
  if (hooks.length > 0) return `runs no program, unless the repository has a hook for it (${hooks.join(', ')})`;
  return `changes nothing, unless a file here or above tells ${program} what to load first (${load.files.map(shown).join(', ')})`;
}

/** A file in words: `package.json#a.b` is the file with that key in it, `@word` what the program itself is. */
function shown(file: string): string {
  if (file.startsWith('@')) return `or it is a stand-in of ${file.slice(1)}`;
  const [name, key] = file.split('#');
  return key === undefined ? file : `${name} with ${key}`;
}

/** Says what a command loads, in words; null when none of the files is there. */
export type FindLoad = (load: BashLoad, program: string, command: number) => string | null;

/** Facts in which each command that finds something to load is of class `runs`; the same object when none does. */
export function settleLoads(facts: BashFacts, find: FindLoad): BashFacts {
  let changed: BashFacts | null = null;
  facts.commands.forEach((command, index) => {
    const found = command.loads?.flatMap((load) => find(load, command.name, index) ?? []) ?? [];
    if (found.length === 0) return;
    changed ??= { ...facts, commands: [...facts.commands], uncertain: [...facts.uncertain], why: [...facts.why] };
    settle(changed, command, index, found[0]!);
  });
  return changed ?? facts;
}

function settle(facts: BashFacts, command: BashCommand, index: number, text: string): void {
  const conditions = command.loads!.map((load) => condition(command.name, load));
  const former = command.why.find((why) => conditions.includes(why.text));
  const why = { text, pos: former?.pos ?? 0, end: former?.end ?? 0 };
  const { loads: _, ...rest } = command;
  facts.commands[index] = {
    ...rest,
    class: worse(command.class, 'runs'),
    why: [...command.why.filter((one) => one !== former), why],
  };
  facts.class = worse(facts.class, 'runs');
  facts.uncertain.push({ command: index, class: 'runs', why: text });
  facts.why = [...facts.why.filter((one) => one !== former), why];
}

/** What a text changes may be one of the files: then nobody has to look for them. */
export function settleOwnWrites(facts: BashFacts): BashFacts {
  if (facts.writes.length === 0 && facts.uncertain.length === 0) return facts;
  const { writes, uncertain } = facts;
  return settleLoads(facts, (load, program, command) => {
    const target = writes.find((one) => one.command !== command && mayMake(one, load));
    if (target) return `${program} may run what ${target.via} writes`;
    return uncertain.some((one) => one.command !== command) ? `${program} may run what another part of the text writes` : null;
  });
}

/** True unless it is one file that certainly bears another name, and no part of the way to where the command runs. */
function mayMake(target: BashTarget, load: BashLoad): boolean {
  const isHook = load.files.some((file) => file.startsWith(HOOK));
  // What is gone is no hook any more; a link may bring a whole folder of them.
  if (isHook && /^(?:rm|rmdir|find -delete|git rm|git clean)\b/.test(target.via)) return false;
  if (target.extent !== 'one' || (isHook && target.via === 'ln')) return true;
  if (load.folders?.some((folder) => isAtOrAbove(target.path, folder))) return true;
  const parts = target.path.toLowerCase().split('/');
  return load.files.some((file) =>
    /^(?:git:)?([^#]*)/
      .exec(file)![1]!
      .split('/')
      .some((part) => parts.includes(part)),
  );
}
