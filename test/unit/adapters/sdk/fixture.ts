// A project with rules of every effect, approved, and a subagent with less; `opened` as a host has it.

import fs from 'node:fs';
import path from 'node:path';
import { type Opened, open } from '../../../../src/adapters/sdk/open.ts';
import { loadConfiguration } from '../../../../src/config/load.ts';
import { recordTrust } from '../../../../src/store/trust.ts';
import { putFile, temporaryFolder } from '../../../support/files.ts';
import { repository } from '../../../support/plugin.ts';
import { prepare } from '../../../support/prepare.ts';

const modes = `name: hosted
default: idle
stop: {phrases: [SILENCE]}
modes:
  idle:
    agents: {helper: {rules: {deny: [WebSearch]}}}
    transitions: [{to: work}]
  work: {permissionMode: acceptEdits}
`;
const rules = {
  allow: ['Read(**)', 'Write(notes/**)', 'Bash(touch notes/*)', 'Write(/notes/*)', 'WebSearch'],
  deny: ['Write(src/**)', 'Read(secret/**)'],
  ask: ['Bash(npm:*)'],
};

const made: string[] = [];
/** At the end of a file: its tests share projects. */
export function removeProjects(): void {
  for (const folder of made.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
}

interface Hosting {
  user: string;
  trusted: boolean;
  goesWith: string;
}

export interface Hosted {
  home: string;
  root: string;
  put(name: string, text: string): void;
  get(name: string): string;
  /** What a host's environment says, of which nothing else is read. */
  given: { env: Record<string, string>; packageRoot: string };
}

/** `user`: what the user's own modes.yaml says at the top; `goesWith`: the permission mode that the first mode names. */
export function hostedProject({ user, trusted = true, goesWith = '' }: Partial<Hosting> = {}): Hosted {
  const home = temporaryFolder('modes-hosted-');
  made.push(home);
  const root = path.join(home, 'work');
  const put = (name: string, text: string): void => {
    putFile(path.join(root, name), text);
  };
  put('.claude/modes.yaml', goesWith === '' ? modes : modes.replace('idle:\n', `idle:\n    permissionMode: ${goesWith}\n`));
  for (const mode of ['idle', 'work']) put(`.claude/settings.${mode}.json`, JSON.stringify({ permissions: rules }));
  put('notes/a.md', '');
  put('secret/key', '');
  fs.mkdirSync(path.join(home, '.claude'));
  if (user !== undefined)
    fs.writeFileSync(path.join(home, '.claude/modes.yaml'), `name: mine\ndefault: idle\n${user}\nmodes:\n  idle: {}\n`);
  if (trusted) recordTrust(path.join(home, '.claude/modes-data'), root, loadConfiguration(root).hash, 'terminal', new Date());
  const get = (name: string): string => fs.readFileSync(path.join(root, name), 'utf8');
  return { home, root, put, get, given: { env: { HOME: home, PATH: '/usr/bin:/bin' }, packageRoot: repository } };
}

export async function openHosted({ root, given }: Hosted): Promise<Opened> {
  const opened = await open(prepare, root, given);
  if (opened === null) throw new Error('not governed');
  return opened;
}
