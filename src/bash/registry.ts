// The commands that are known: one entry each, put together from the families.
import type { Call } from './call.ts';
import { archive } from './commands/archive.ts';
import { builtins } from './commands/builtins.ts';
import { files } from './commands/files.ts';
import { git } from './commands/git.ts';
import { network } from './commands/network.ts';
import { packages } from './commands/packages.ts';
import { runners } from './commands/runners.ts';
import { search } from './commands/search.ts';
import { system } from './commands/system.ts';
import { text } from './commands/text.ts';
import { wrappers } from './commands/wrappers.ts';
import { type OptionTable, type ParseStyle, table } from './options.ts';
import type { BashClass } from './types.ts';

/** One entry of a table: what a command's words mean. */
export interface CommandEntry {
  /** Names it goes by, separated by blanks. */
  names: string;
  /** Options in the notation of options.ts; what is not listed is not understood. */
  options?: string;
  style?: ParseStyle;
  /** Every option that the program has is harmless, so that a word that may become an option does no harm. */
  loose?: boolean;
  /** What operands are: files read, paths listed, only text, or not allowed. */
  operands?: 'read' | 'list' | 'text' | 'none' | 'write' | 'write-deep' | 'url';
  /** Most operands that are understood. */
  most?: number;
  /** Reads the folder in force when there is no operand. */
  here?: 'read' | 'list';
  /** Class of the command once its words are understood; read-only when left out. */
  class?: BashClass;
  network?: boolean;
  /** In words, for class and network. */
  why?: string;
  /** Strips words and goes on with the command inside. */
  wrapper?: boolean;
  /** Does everything by itself, in place of `operands`. */
  handle?: (call: Call, t: OptionTable) => void;
  /** Command lines that must come out as this class; checked by tests. */
  examples?: Record<string, BashClass>;
}

export interface Command {
  entry: CommandEntry;
  wrapper: boolean;
  judge(call: Call): void;
}

const FAMILIES: CommandEntry[][] = [builtins, wrappers, text, search, files, git, archive, network, packages, runners, system];

const COMMANDS = new Map<string, Command>();

for (const family of FAMILIES) {
  for (const entry of family) {
    const command = compile(entry);
    for (const name of entry.names.split(' ')) {
      if (COMMANDS.has(name)) throw new Error(`command ${name} stands twice`);
      COMMANDS.set(name, command);
    }
  }
}

export function lookup(name: string): Command | undefined {
  return COMMANDS.get(name);
}

/** All entries, for tests and documentation. */
export function allEntries(): CommandEntry[] {
  return FAMILIES.flat();
}

function compile(entry: CommandEntry): Command {
  const t = table(entry.options ?? '');
  const style = entry.style ?? {};
  if (entry.handle) {
    const handle = entry.handle;
    return { entry, wrapper: entry.wrapper ?? false, judge: (call) => handle(call, t) };
  }
  return {
    entry,
    wrapper: entry.wrapper ?? false,
    judge(call) {
      const given = call.parse(t, style);
      call.accept(given, entry.loose);
      call.roles(given);
      if (entry.network) call.network();
      if (entry.class && entry.class !== 'read-only') call.is(entry.class, entry.why ?? `${call.name} ${entry.class === 'runs' ? 'runs code of the project' : 'changes something'}`);
      const operands = given.operands;
      if (entry.most !== undefined && operands.length > entry.most) call.unknown(`${call.name} with ${operands.length} operands is not understood`, operands[entry.most]);
      switch (entry.operands ?? 'none') {
        case 'read':
          for (const o of operands) if (o.literal !== '-') call.read(o, call.name);
          break;
        case 'list':
          for (const o of operands) call.read(o, call.name, { listing: true });
          break;
        case 'write':
          for (const o of operands) call.write(o, call.name, { node: true });
          break;
        case 'write-deep':
          for (const o of operands) call.write(o, call.name, { deep: true, node: true });
          break;
        case 'url':
          for (const o of operands) call.url(o);
          break;
        case 'none':
          if (operands.length > 0) call.unknown(`${call.name} takes no operands that are understood`, operands[0]);
          break;
      }
      if (entry.here && operands.length === 0) call.readHere(call.name, { listing: entry.here === 'list', deep: entry.here === 'read' });
    },
  };
}
