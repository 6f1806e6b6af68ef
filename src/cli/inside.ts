// Whether a command runs inside the client, where only a person in a terminal may change what a session may do.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/** Why this process counts as started by the client; null: it does not. */
export function insideClient(env: NodeJS.ProcessEnv): string | null {
  if (env.CLAUDECODE) return 'CLAUDECODE is set';
  for (let pid = process.ppid, depth = 0; pid > 1 && depth < 64; depth++) {
    const parent = describe(pid);
    if (parent === null) return `process ${pid}, which started this one, cannot be looked at`;
    if (/(^|[/\s])claude(\s|$)|@anthropic-ai\/claude-code/.test(parent.command)) return `the client (process ${pid}) started it`;
    pid = parent.ppid;
  }
  return null;
}

function describe(pid: number): { ppid: number; command: string } | null {
  try {
    if (process.platform === 'linux') {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return { ppid, command: `${stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))} ${fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}` };
    }
    const [, ppid, command] = /^\s*(\d+)\s+(.*)$/s.exec(execFileSync('/bin/ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' })) ?? [];
    return ppid === undefined ? null : { ppid: Number(ppid), command: command ?? '' };
  } catch {
    // Gone or hidden: the caller then takes the careful answer.
    return null;
  }
}
