// What lies around a project that could go round the modes or speak for them, as data.
import type { Source } from '../config/problem.ts';
import { showUnseen } from '../config/text.ts';
import type { Place } from '../tools/place.ts';

/** Where to look. */
export interface Surroundings {
  place: Place;
  /** The folder that the client was started in: its settings are read there. Absolute. */
  start: string;
}

/** `error`: something that should be held is not, or may not be. */
export type Severity = 'error' | 'warning';

/** What each code means and what a person can do; docs/findings.md shows the same. `ends`: it ends evidence and authority. */
export const kinds = {
  F_SETTINGS_UNREADABLE: {
    ends: true,
    severity: 'error',
    means: 'The client may read hooks there that Modes does not see.',
    remedy: 'Make it a file of JSON that you can read, or remove it, and start a new session.',
  },
  F_FOREIGN_HOOK: {
    ends: true,
    severity: 'error',
    means: 'It can send hook events to the server of Modes as if the client did, so they prove nothing in this session.',
    remedy: 'Remove the hook and start a new session.',
  },
  F_DIALOG_HOOK: {
    ends: true,
    severity: 'error',
    means: 'It can answer a dialog in your place, so a yes proves nothing in this session.',
    remedy: 'Remove the hook and start a new session.',
  },
  F_PERMISSION_HOOK: {
    ends: false,
    severity: 'warning',
    means: 'It can say yes in your place to what Modes asks about a call: the call then runs, and no dialog is shown.',
    remedy: 'Look at what it answers, and remove it where it allows anything; deny what it must not open.',
  },
  F_HOOKS_OFF: {
    ends: false,
    severity: 'error',
    means: 'From the next start on the client runs no hooks: no call is checked.',
    remedy: `Remove the key, or start the client with --settings '{"disableAllHooks":false}'.`,
  },
  F_HOOKS_MANAGED: {
    ends: false,
    severity: 'error',
    means: "The organisation's settings keep the client from running the hooks of Modes: no call is checked.",
    remedy:
      'An administrator names the plugin there under enabledPlugins, as it is installed (modes@MARKETPLACE), or takes the key away; no setting of yours and no option of the client goes before it.',
  },
  F_SAME_NAME: {
    ends: false,
    severity: 'error',
    means: 'Its tools look like those of Modes in dialogs and rules, and are not.',
    remedy: 'Rename or remove that server.',
  },
  F_SERVER_REPLACED: {
    ends: false,
    severity: 'error',
    means:
      'The client starts it instead of the server of Modes and sends it hook events and typed commands. A process each still decides calls; gates, grants and what the server watches over end.',
    remedy: 'Rename or remove that server, believe no answer to a command of Modes, and start a new session.',
  },
  F_HAND_CHANGED: {
    ends: false,
    severity: 'error',
    means: 'The server or the hooks that a person registered here without the plugin are not those any more.',
    remedy: 'Look at who changed it; modes init --no-plugin registers them anew.',
  },
  F_SERVER_SETTING: {
    ends: false,
    severity: 'warning',
    means: 'The server goes on as if the variable were not set.',
    remedy: 'Correct the variable where the server is registered, or remove it.',
  },
  F_BUNDLE: {
    ends: false,
    severity: 'warning',
    means:
      'What the organisation published is not in force here; the last bundle that was verified is, for as long as it is good.',
    remedy: 'Reach the server of the bundle, or tell whoever publishes it.',
  },
  F_LOGS: {
    ends: false,
    severity: 'warning',
    means:
      'What was decided here is not, or not all, where the organisation keeps it; it stands in the log of this machine as long as that has room.',
    remedy: 'Reach the server of the logs, or correct what teams.yaml says of it.',
  },
  F_EVALUATOR: {
    ends: false,
    severity: 'warning',
    means: 'Verdicts are not, or not only, those of the OPA server that teams.yaml names; its fallback decides, or the stricter.',
    remedy: 'Reach the server, and give it the bundle that modes policy build makes here; teams.md says when an answer counts.',
  },
  F_SCHEDULED_COMMAND: {
    ends: false,
    severity: 'warning',
    means: 'The client will type a command of Modes by itself. What widens is still asked of you.',
    remedy: 'Remove the task, and confirm no dialog that you did not ask for.',
  },
  F_NESTED_PROJECT: {
    ends: false,
    severity: 'warning',
    means:
      'A call from here that touches that project is judged by its present mode as well, and the stricter counts. A client that is started there has the modes of that project instead of the ones here.',
    remedy:
      'To work in that project, start the client in its folder. If the project is not yours, remove its .claude/modes.yaml after you have read it.',
  },
  F_LINK_OUT: {
    ends: false,
    severity: 'warning',
    means: 'What it leads to can change without this project changing.',
    remedy: 'Put the file or folder itself there.',
  },
  F_OTHER_OWNER: {
    ends: false,
    severity: 'error',
    means: 'Another user of this machine can change it at any time.',
    remedy: 'Take it over (chown) after reading it, or copy the project.',
  },
  F_FORGED_WORKTREE: {
    ends: false,
    severity: 'warning',
    means: 'It says that it is a worktree of a repository that does not know it. It is judged as an ordinary folder.',
    remedy: 'Remove the .git file, or make the worktree with git worktree add.',
  },
  F_ENVIRONMENT: {
    ends: false,
    severity: 'error',
    means: 'It changes which programs, settings or libraries the client starts, the hooks and the server of Modes among them.',
    remedy: 'Remove the variable from the settings and start a new session.',
  },
  F_MOD: {
    ends: false,
    severity: 'warning',
    means: 'A mod answers before or after every hook and can let through what Modes denied.',
    remedy: 'Disable the plugin where that matters.',
  },
  F_NODE: {
    ends: false,
    severity: 'error',
    means: 'The hooks find no Node that is new enough, so every call is refused where no server answers.',
    remedy:
      'Install Node 20.11 or newer in /usr/bin, /usr/local/bin or /opt/homebrew/bin, or run modes init with it once, which records where it is.',
  },
  F_CLIENT_ABSENT: {
    ends: false,
    severity: 'warning',
    means: 'It was not proven that the hooks fire and that they close.',
    remedy: 'Install Claude Code 2.1.295 or newer, or name it with --client.',
  },
  F_CLIENT_OLD: {
    ends: false,
    severity: 'error',
    means: 'It lets a call run whose hook cannot start or takes too long.',
    remedy: 'Update Claude Code to 2.1.295 or newer.',
  },
  F_PLUGIN_ABSENT: {
    ends: false,
    severity: 'error',
    means: 'Only a client that is started with --plugin-dir checks calls.',
    remedy:
      'Type /plugin install modes --marketplace OWNER/REPOSITORY in the client, or run modes init --no-plugin in the project.',
  },
  F_PLUGIN_OFF: {
    ends: false,
    severity: 'error',
    means: 'No call is checked.',
    remedy: `Remove the line, or start the client with --settings '{"enabledPlugins":{"modes@MARKETPLACE":true}}'.`,
  },
  F_PLUGIN_OTHER: {
    ends: false,
    severity: 'warning',
    means: 'What this command line says of the modes may not be what sessions do.',
    remedy: 'Update both to the same version.',
  },
  F_PLUGIN_DAMAGED: {
    ends: false,
    severity: 'error',
    means: 'Its hooks or its policy are not what was built, so calls may be refused, or not be checked.',
    remedy: 'Install the plugin anew.',
  },
  F_OPEN_TO_OTHERS: {
    ends: false,
    severity: 'error',
    means: 'Other users of this machine can read what was decided, or change what is.',
    remedy: 'Take their rights away: chmod go-rwx for the data folder, chmod go-w for the configuration.',
  },
  F_SOCKET_STALE: {
    ends: false,
    severity: 'warning',
    means: 'Its server is gone. The next one takes the name over; until then each call starts a process of its own.',
    remedy: 'Nothing, or remove it.',
  },
  F_SOCKET_FOREIGN: {
    ends: false,
    severity: 'error',
    means: 'No server of yours can be reached there, so each call starts a process of its own.',
    remedy: 'Move it away.',
  },
  F_NOT_PROVEN: {
    ends: false,
    severity: 'warning',
    means: 'It was not proven that the hooks fire and that they close.',
    remedy: 'Do what it says, and run modes doctor again.',
  },
  F_SERVER_ABSENT: {
    ends: false,
    severity: 'error',
    means: 'Calls are decided by a process each; gates, typed commands and grants do not work.',
    remedy: 'Look at /mcp in the client; reinstall the plugin if it says nothing.',
  },
  F_NOT_ALLOWED: {
    ends: false,
    severity: 'error',
    means: 'A call that the modes allow was not let through: what they decide does not reach the client.',
    remedy: 'Look at the reason; reinstall the plugin if it names none.',
  },
  F_NOT_DENIED: {
    ends: false,
    severity: 'error',
    means: 'A call that the modes deny was run: nothing is guarded in a session like this.',
    remedy: 'Mend the other findings first, then run modes doctor again.',
  },
  F_NOT_CLOSED: {
    ends: false,
    severity: 'error',
    means: 'With the server killed a call that the modes deny was run.',
    remedy: 'Mend the other findings first, then run modes doctor again.',
  },
  F_CONFIGURATION: {
    ends: false,
    severity: 'error',
    means: 'The configuration of the project cannot be used: the last one that could holds, or only reading is possible.',
    remedy: 'Fix it; modes validate shows the place and what to write.',
  },
  F_CONFIGURATION_DOUBT: {
    ends: false,
    severity: 'warning',
    means: 'It holds as it is written, which is most likely not what is meant.',
    remedy: 'Look at it with modes validate.',
  },
} as const satisfies Record<string, { ends: boolean; severity: Severity; means: string; remedy: string }>;

export type FindingCode = keyof typeof kinds;

export interface Finding extends Source {
  code: FindingCode;
  severity: Severity;
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

/** What a detector's hit is, with everything that the table says of its code. */
export function findingOf(code: FindingCode, { file, line = 1, what }: Hit): Finding {
  const { severity, means, remedy } = kinds[code];
  return { code, severity, file, line, column: 1, what, means, remedy };
}

/** One line a finding: where, code, what, what it means, what to do. */
export function findingLines(findings: readonly Finding[]): string {
  return findings
    .map(({ file, line, code, what, means, remedy }) =>
      showUnseen(`${file}:${line} ${code} ${what}. ${means} ${remedy}`.replace(/[\r\n]+/g, ' ')),
    )
    .join('\n');
}
