// What lies around a project that could go round the modes or speak for them, as data.
import type { Source } from '../config/problem.ts';
import { replaceUnseen } from '../config/text.ts';
import type { Place } from '../tools/place.ts';

/** Where to look. */
export interface Surroundings {
  place: Place;
  /** The folder that the client was started in: its settings are read there. Absolute. */
  start: string;
}

/** What each code means and what a person can do; docs/findings.md shows the same. `ends`: it ends evidence and authority. */
export const kinds = {
  F_SETTINGS_UNREADABLE: {
    ends: true,
    means: 'The client may read hooks there that Modes does not see.',
    remedy: 'Make it a file of JSON that you can read, or remove it, and start a new session.',
  },
  F_FOREIGN_HOOK: {
    ends: true,
    means: 'It can send hook events to the server of Modes as if the client did, so they prove nothing in this session.',
    remedy: 'Remove the hook and start a new session.',
  },
  F_DIALOG_HOOK: {
    ends: true,
    means: 'It can answer a dialog in your place, so a yes proves nothing in this session.',
    remedy: 'Remove the hook and start a new session.',
  },
  F_HOOKS_OFF: {
    ends: false,
    means: 'From the next start on the client runs no hooks: no call is checked.',
    remedy: `Remove the key, or start the client with --settings '{"disableAllHooks":false}'.`,
  },
  F_SAME_NAME: {
    ends: false,
    means: 'Its tools look like those of Modes in dialogs and rules, and are not.',
    remedy: 'Rename or remove that server.',
  },
  F_SCHEDULED_COMMAND: {
    ends: false,
    means: 'The client will type a command of Modes by itself. What widens is still asked of you.',
    remedy: 'Remove the task, and confirm no dialog that you did not ask for.',
  },
  F_NESTED_PROJECT: {
    ends: false,
    means: 'A client that is started there has those modes instead of the ones here.',
    remedy: 'Start the client at the root, or remove the folder if it is not yours.',
  },
  F_LINK_OUT: {
    ends: false,
    means: 'What it leads to can change without this project changing.',
    remedy: 'Put the file or folder itself there.',
  },
  F_OTHER_OWNER: {
    ends: false,
    means: 'Another user of this machine can change it at any time.',
    remedy: 'Take it over (chown) after reading it, or copy the project.',
  },
  F_FORGED_WORKTREE: {
    ends: false,
    means: 'It says that it is a worktree of a repository that does not know it. It is judged as an ordinary folder.',
    remedy: 'Remove the .git file, or make the worktree with git worktree add.',
  },
  F_ENVIRONMENT: {
    ends: false,
    means: 'It changes which programs, settings or libraries the client starts, the hooks and the server of Modes among them.',
    remedy: 'Remove the variable from the settings and start a new session.',
  },
  F_MOD: {
    ends: false,
    means: 'A mod answers before or after every hook and can let through what Modes denied.',
    remedy: 'Disable the plugin where that matters.',
  },
} as const satisfies Record<string, { ends: boolean; means: string; remedy: string }>;

export type FindingCode = keyof typeof kinds;

export interface Finding extends Source {
  code: FindingCode;
  /** What is there, in words that go after "has" or "is". */
  what: string;
  means: string;
  remedy: string;
}

/** A detector's hit; `line` 1 where the place in the file is not known. */
export interface Hit {
  file: string;
  line?: number;
  what: string;
}

/** One line a finding: where, code, what, what it means, what to do. */
export function findingLines(findings: readonly Finding[]): string {
  return findings
    .map(({ file, line, code, what, means, remedy }) =>
      replaceUnseen(`${file}:${line} ${code} ${what}. ${means} ${remedy}`.replace(/[\r\n]+/g, ' ')),
    )
    .join('\n');
}
