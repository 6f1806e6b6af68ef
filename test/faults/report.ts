// docs/reliability.md: its tables are written from what was seen, and a run compares what it sees with them.
import fs from 'node:fs';
import path from 'node:path';
import { type Fault, type PermissionMode, permissionModes } from './fault.ts';
import type { Seen } from './matrix.ts';
import { scenes } from './scenes.ts';
import { type Tool, tools } from './site.ts';

export { permissionModes };

export const page = path.resolve('docs/reliability.md');

/** What a cell says: what became of the denied calls, then of the allowed ones. */
export function cellOf({ opened, tried, wentOn, cannot }: Omit<Seen, 'fault' | 'mode' | 'told' | 'took'>): string {
  if (cannot !== null) return `not here: ${cannot}`;
  const denied = opened.length === 0 ? 'refused' : `OPEN: ${opened.join(', ')}`;
  const allowed = wentOn.length === tried.length ? 'go on' : wentOn.length === 0 ? 'stop' : `${wentOn.join(', ')} go on`;
  return `${denied}; ${allowed}`;
}

/** What the client does with calls of which Modes says nothing, without a person. */
const byClient: Readonly<Record<PermissionMode, readonly Tool[]>> = {
  default: [],
  acceptEdits: ['Write', 'Bash'],
  bypassPermissions: tools,
};

/** What a cell has to say. */
export function expectedCell({ goesOn }: Fault, mode: PermissionMode): string {
  const wentOn = goesOn === true ? tools : goesOn === 'client' ? byClient[mode] : [];
  return cellOf({ opened: [], tried: [...tools], wentOn: [...wentOn], cannot: null });
}

const columns = ['what breaks', 'how it is made', ...permissionModes, 'why work stops'];
const rowOf = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** The tables of faults, from what every permission mode saw. */
export function renderMatrix(seen: ReadonlyMap<PermissionMode, ReadonlyMap<string, Seen>>): string {
  const counts = { faults: 0, denied: 0, opened: 0 };
  const tables = scenes.map(({ title, faults }) => {
    const rows = faults.map((fault) => {
      counts.faults++;
      const cells = permissionModes.map((mode) => {
        const one = seen.get(mode)?.get(fault.name);
        if (one === undefined) return 'not played';
        if (one.cannot === null) counts.denied += 3;
        counts.opened += one.opened.length;
        return cellOf(one);
      });
      return rowOf([
        fault.name,
        fault.how,
        ...cells,
        fault.goesOn === true
          ? ''
          : fault.goesOn === 'client'
            ? 'what allowed them is gone: the client’s own rules decide'
            : fault.goesOn,
      ]);
    });
    return [`### ${title}`, '', rowOf(columns), rowOf(columns.map(() => '---')), ...rows].join('\n');
  });
  const sum = `${counts.faults} faults; of ${counts.denied} calls that the mode denies ${counts.opened === 0 ? 'none' : counts.opened} got through.`;
  return [sum, ...tables].join('\n\n');
}

/** Fault → what the page says of it under a permission mode. */
export function readCells(mode: PermissionMode): Map<string, string> {
  const at = columns.indexOf(mode);
  return new Map(
    fs
      .readFileSync(page, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) =>
        line
          .slice(2, -2)
          .split(/ (?<!\\)\| /)
          .map((cell) => cell.replaceAll('\\|', '|')),
      )
      .map((cells) => [cells[0]!, cells[at] ?? '']),
  );
}

/** Puts a text between the marks of a part of the page. */
export function writePart(part: 'faults' | 'state' | 'load', text: string): void {
  const before = fs.readFileSync(page, 'utf8');
  const [begin, end] = [`<!-- ${part} -->\n`, `<!-- end of ${part} -->`];
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${page} has no place for ${part}`);
  fs.writeFileSync(page, `${before.slice(0, from)}${begin}\n${text}\n\n${before.slice(to)}`);
}
