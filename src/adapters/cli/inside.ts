// Detects whether a command runs inside the client or another coding agent. Only a person in a separate terminal may change the
// permissions of a session.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isInterpreter } from '../../shell/interpreters.ts';
import { harnesses } from '../harnesses/table.ts';

/** A process as the system describes it. */
export interface Described {
  ppid: number;
  /** The name that the system stores, or ''. */
  name: string;
  /** Command line of the process. */
  words: string[];
  /** The program's file; '' if it is unknown. */
  file: string;
  /** Variables with which it started, of those that agents set. */
  variables: readonly string[];
}

/** Variables that a client or another agent sets for the commands of its model. */
const agentVariables = ['CLAUDECODE', ...[...harnesses.values()].flatMap(({ variables }) => variables)];

/** The reason why this process counts as started by the client; null if it does not. */
export function insideClient(
  env: NodeJS.ProcessEnv,
  describe: (pid: number) => Described | null = describeProcess,
  parent = process.ppid,
): string | null {
  const variable = agentVariables.find((name) => env[name]);
  if (variable !== undefined) return `${variable} is set`;
  for (let pid = parent, depth = 0; pid > 1 && depth < 64; depth++) {
    const described = describe(pid);
    if (described === null) return `the parent process ${pid} cannot be inspected`;
    if (isClient(described)) return `the client (process ${pid}) started it`;
    const harness = [...harnesses.values()].find(({ program }) => program !== null && isProgram(described, program));
    if (harness !== undefined) return `${harness.title} (process ${pid}) started it`;
    const [left] = described.variables;
    if (left !== undefined) return `process ${pid} started it, for which ${left} is set`;
    const program = path.basename(described.file || (described.words[0] ?? ''));
    if (schedulers.test(program)) return `${program} (process ${pid}) started it`;
    if (terminalMakers.test(program) && described.ppid === 1)
      return `${program} (process ${pid}) started it, which left the process that started it`;
    pid = described.ppid;
  }
  return null;
}

/** An agent may have left a job to them. */
const schedulers = /^(?:cron|crond|anacron|fcron|atd)$/;
/** A person starts these programs from a shell. As a child of init, one was left by the process that started it. */
const terminalMakers = /^(?:script|expect|unbuffer|socat|setsid|nohup)$/;

const ofClient = /(^|\/)claude$|@anthropic-ai\/claude-code(\/|$)|\/claude\/versions\/[^/]+$/;

/**
 * By its name, its file, or the script that an interpreter runs. Other arguments do not count: an edited file may have any name.
 */
function isProgram({ words, file }: Described, pattern: RegExp): boolean {
  const [program = '', ...rest] = words;
  const script = isInterpreter(path.basename(program)) ? rest.find((word) => !word.startsWith('-')) : undefined;
  return [program, file, script ?? ''].some((text) => pattern.test(text));
}

const isClient = (described: Described): boolean => described.name === 'claude' || isProgram(described, ofClient);

function describeProcess(pid: number): Described | null {
  try {
    if (process.platform !== 'linux')
      return parsePs(execFileSync('/bin/ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }));
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const ppid = Number(stat.slice(end + 2).split(' ')[1]);
    const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return {
      ppid,
      name: stat.slice(stat.indexOf('(') + 1, end),
      words: words.filter((word) => word !== ''),
      file: fileOf(pid),
      variables: variablesOf(pid),
    };
  } catch {
    // Ended or hidden: the caller then assumes the stricter case.
    return null;
  }
}

/** A line of `ps -o ppid=,command=`; null if it is not one. */
export function parsePs(text: string): Described | null {
  const [, ppid, command = ''] = /^\s*(\d+)\s+(.*)$/s.exec(text) ?? [];
  if (ppid === undefined) return null;
  return { ppid: Number(ppid), name: '', words: command.trim().split(/\s+/), file: '', variables: [] };
}

function variablesOf(pid: number): string[] {
  try {
    const set = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return agentVariables.filter((name) => set.some((one) => one.startsWith(`${name}=`) && one.length > name.length + 1));
  } catch {
    // Only its owner may see them.
    return [];
  }
}

function fileOf(pid: number): string {
  try {
    return fs.readlinkSync(`/proc/${pid}/exe`);
  } catch {
    // Only its owner may see it. Name and command line must suffice then.
    return '';
  }
}
