// The table of faults as data: a scene is one session of the client, a fault one row of it, played under each permission mode.
import type { Site } from './site.ts';

export const permissionModes = ['default', 'acceptEdits', 'bypassPermissions'] as const;
export type PermissionMode = (typeof permissionModes)[number];

export interface Fault {
  name: string;
  /** How it is made, for the reader of docs/reliability.md. */
  how: string;
  make?(site: Site): void | Promise<void>;
  /** Makes the site whole again, before the next fault. */
  mend?(site: Site): void | Promise<void>;
  /** Calls that the mode allows go on; else why they do not; `client`: what allowed them is gone, and the client's own rules decide. */
  goesOn: true | 'client' | string;
  /** What the model has to be told of each denied call. */
  says?: RegExp;
  /** The one permission mode under which it is played where time is short: it starts many processes, or is one of many of its kind. */
  lean?: PermissionMode;
  /** Played in a session of its own under each permission mode: it is the first of a session, or leaves one that is not as it was. */
  apart?: true;
  /** Why it cannot be made on this machine; null: it can. */
  cannot?(): string | null;
}

/** Faults of one kind, which where time is short are shared out to the permission modes. */
export const inTurn = (faults: Fault[]): Fault[] =>
  faults.map((fault, at) => ({ ...fault, lean: permissionModes[at % permissionModes.length] }));

export interface Scene {
  title: string;
  /** The file of tests that plays it: they run side by side. */
  file: 'server' | 'files' | 'state';
  /** Name of the project's folder. */
  name?: string;
  /** Name of the plugin's folder. */
  plugin?: string;
  /** Arguments of the client. */
  args?: string[];
  /** Done before the session starts. */
  before?(site: Site): void | Promise<void>;
  faults: Fault[];
}

export const isRoot = process.getuid?.() === 0;
export const needsRoot = () => (isRoot ? null : 'needs root');
