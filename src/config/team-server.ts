// What the sections of teams.yaml that name a server have in common.
import path from 'node:path';
import { readDuration } from '../platform/duration.ts';
import { getEntry, getText, type Node } from './node.ts';
import type { Report } from './report.ts';
import { quote, type SourceText } from './text.ts';

/** How a server is reached. Files are absolute. */
export interface Server {
  url: string;
  /** Holds what is sent as `Authorization: Bearer`. */
  tokenFile: string | null;
  /** Certificates, PEM; null: those that Node knows. */
  caFile: string | null;
  proxy: string | null;
}

/** A file that is being read. */
export interface Reading {
  source: SourceText;
  /** What names of files in it are relative to. */
  folder: string;
  isManaged: boolean;
  report: Report;
}

/** Files are made absolute; an address that may not be asked is reported. */
export function readServer(node: Node, { folder, report }: Reading): Server {
  for (const key of ['url', 'proxy']) {
    const entry = getEntry(node, key);
    const text = getText(node, key);
    if (entry !== null && text !== null && !isAddress(text))
      report(
        'E_UNKNOWN_VALUE',
        `${quote(text)} is no address that may be asked.`,
        'Write https://…; http:// is taken for this machine alone.',
        entry.value.span,
      );
  }
  return { url: getText(node, 'url') ?? '', ...readFiles(node, folder), proxy: getText(node, 'proxy') };
}

/** Files that are sent or trusted; null where none is named. */
export function readFiles(node: Node, folder: string): Pick<Server, 'tokenFile' | 'caFile'> {
  const fileOf = (key: string): string | null => {
    const written = getText(node, key);
    return written === null ? null : path.resolve(folder, written);
  };
  return { tokenFile: fileOf('token'), caFile: fileOf('ca') };
}

/** Names of this machine itself. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What travels in the clear could be read, and kept back, by anybody on the way. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/** Milliseconds. */
export function timeOf(node: Node, key: string, absent: number, report: Report): number {
  const entry = getEntry(node, key);
  if (entry === null) return absent;
  const time = readDuration(getText(node, key) ?? '');
  if (time !== null) return time;
  report('E_UNKNOWN_VALUE', `${quote(key)} is no time.`, 'Write a number with its unit: 30s, 10m, 7d.', entry.value.span);
  return absent;
}
