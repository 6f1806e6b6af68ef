// Findings: things around a project that could bypass the modes or act in their name, as data.

import { showUnseen } from '../../config/text.ts';
import type { Place } from '../../facts/paths/place.ts';
import type { Source } from '../../model/problem.ts';

/** The places to search. */
export interface FindingContext {
  place: Place;
  /** The folder where the client was started, which reads its settings there. Absolute. */
  start: string;
}

/** `error`: something that must be guarded is not, or may not be. */
export type Severity = 'error' | 'warning';

/**
 * The meaning and remedy of each code; docs/findings.md shows the same. `ends`: the finding ends evidence and authority for the
 * session.
 */
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
    means: 'It can answer a dialog in your place, so an approval proves nothing in this session.',
    remedy: 'Remove the hook and start a new session.',
  },
  F_PERMISSION_HOOK: {
    ends: false,
    severity: 'warning',
    means: 'It can say yes in your place when Modes asks about a call. The call then runs, and no dialog is shown.',
    remedy: 'Check what it answers, and remove it if it allows anything. Deny what it must not open.',
  },
  F_HOOKS_OFF: {
    ends: false,
    severity: 'error',
    means: 'From its next start, the client runs no hooks, so no call is checked.',
    remedy: `Remove the key, or start the client with --settings '{"disableAllHooks":false}'.`,
  },
  F_HOOKS_MANAGED: {
    ends: false,
    severity: 'error',
    means: "The organization's settings keep the client from running the hooks of Modes, so no call is checked.",
    remedy:
      'Ask an administrator to add the plugin there under enabledPlugins, with its installed name (modes@MARKETPLACE), or to remove the key. None of your settings and no client option overrides it.',
  },
  F_SAME_NAME: {
    ends: false,
    severity: 'error',
    means: 'In dialogs and rules, its tools look like those of Modes, but they are not.',
    remedy: 'Rename or remove that server.',
  },
  F_SERVER_REPLACED: {
    ends: false,
    severity: 'error',
    means:
      "The client starts it instead of the server of Modes and sends it hook events and typed commands. A separate process still decides each call. Gates, grants and the server's own checks stop working.",
    remedy: 'Rename or remove that server, trust no answer to a command of Modes, and start a new session.',
  },
  F_HAND_CHANGED: {
    ends: false,
    severity: 'error',
    means: 'The server or the hooks that a person registered here without the plugin have changed.',
    remedy: 'Find out who changed them. modes init --no-plugin registers them again.',
  },
  F_SERVER_SETTING: {
    ends: false,
    severity: 'warning',
    means: 'The server ignores the variable, as if it were not set.',
    remedy: 'Correct the variable where the server is registered, or remove it.',
  },
  F_BUNDLE: {
    ends: false,
    severity: 'warning',
    means: "The organization's newest bundle is not in force here. The last verified bundle is, until it expires.",
    remedy: 'Restore the connection to the bundle server, or inform the publisher.',
  },
  F_LOGS: {
    ends: false,
    severity: 'warning',
    means:
      "Some or all decisions made here are missing from the organization's log. The log of this machine contains them as long as it has room.",
    remedy: 'Restore the connection to the log server, or correct its entry in teams.yaml.',
  },
  F_EVALUATOR: {
    ends: false,
    severity: 'warning',
    means:
      'Some or all verdicts do not come from the OPA server that teams.yaml names. The fallback decides, or the stricter of both.',
    remedy:
      'Restore the connection to the server, and give it the bundle that modes policy build makes here. teams.md says when an answer counts.',
  },
  F_SCHEDULED_COMMAND: {
    ends: false,
    severity: 'warning',
    means: 'The client will type a command of Modes by itself. A command that gives more permissions still asks you.',
    remedy: 'Remove the task, and confirm no dialog that you did not ask for.',
  },
  F_NESTED_PROJECT: {
    ends: false,
    severity: 'warning',
    means:
      'The current mode of that project also decides a call from here that touches it, and the stricter decision counts. A client started there uses the modes of that project instead of the ones here.',
    remedy:
      'To work in that project, start the client in its folder. If the project is not yours, remove its .claude/modes.yaml after you have read it.',
  },
  F_LINK_OUT: {
    ends: false,
    severity: 'warning',
    means: 'Its target can change without this project changing.',
    remedy: 'Replace the link with the file or folder itself.',
  },
  F_OTHER_OWNER: {
    ends: false,
    severity: 'error',
    means: 'Another user of this machine can change it at any time.',
    remedy: 'Read it, then take ownership (chown), or copy the project.',
  },
  F_FORGED_WORKTREE: {
    ends: false,
    severity: 'warning',
    means: 'It claims to be a worktree of a repository that does not list it. Modes treats it as an ordinary folder.',
    remedy: 'Remove the .git file, or create the worktree with git worktree add.',
  },
  F_ENVIRONMENT: {
    ends: false,
    severity: 'error',
    means: 'It changes which programs, settings or libraries the client starts, including the hooks and the server of Modes.',
    remedy: 'Remove the variable from the settings and start a new session.',
  },
  F_MOD: {
    ends: false,
    severity: 'warning',
    means: 'A mod answers before or after every hook and can allow what Modes denied.',
    remedy: 'Disable the plugin where that matters.',
  },
  F_NODE: {
    ends: false,
    severity: 'error',
    means: 'The hooks find no Node that is new enough, so every call is refused if no server answers.',
    remedy:
      'Install Node 20.11 or newer in /usr/bin, /usr/local/bin or /opt/homebrew/bin, or run modes init with it once, which records where it is.',
  },
  F_CLIENT_ABSENT: {
    ends: false,
    severity: 'warning',
    means: 'It was not proven that the hooks run and that they deny calls.',
    remedy: 'Install Claude Code 2.1.295 or newer, or name it with --client.',
  },
  F_CLIENT_OLD: {
    ends: false,
    severity: 'error',
    means: 'It lets a call run if the hook cannot start or takes too long.',
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
    means: 'Sessions may not behave as this command line reports.',
    remedy: 'Update both to the same version.',
  },
  F_PLUGIN_DAMAGED: {
    ends: false,
    severity: 'error',
    means: 'Its hooks or its policy differ from the build, so calls may be refused or not checked.',
    remedy: 'Reinstall the plugin.',
  },
  F_OPEN_TO_OTHERS: {
    ends: false,
    severity: 'error',
    means: 'Other users of this machine can read past decisions or change future ones.',
    remedy: 'Remove their access: chmod go-rwx for the data folder, chmod go-w for the configuration.',
  },
  F_SOCKET_STALE: {
    ends: false,
    severity: 'warning',
    means: 'Its server has ended. The next server replaces it. Until then, each call starts its own process.',
    remedy: 'You need to do nothing. You can also remove the socket.',
  },
  F_SOCKET_FOREIGN: {
    ends: false,
    severity: 'error',
    means: 'No server of yours can be reached there, so each call starts its own process.',
    remedy: 'Move it away.',
  },
  F_NOT_PROVEN: {
    ends: false,
    severity: 'warning',
    means: 'It was not proven that the hooks run and that they deny calls.',
    remedy: 'Do what it says, and run modes doctor again.',
  },
  F_SERVER_ABSENT: {
    ends: false,
    severity: 'error',
    means: 'A separate process decides each call. Gates, typed commands and grants do not work.',
    remedy: 'Check /mcp in the client. Reinstall the plugin if it shows nothing.',
  },
  F_NOT_ALLOWED: {
    ends: false,
    severity: 'error',
    means: 'A call that the modes allow did not run, so their decisions do not reach the client.',
    remedy: 'Read the reason. Reinstall the plugin if there is no reason.',
  },
  F_NOT_DENIED: {
    ends: false,
    severity: 'error',
    means: 'A call that the modes deny ran. Nothing is guarded in a session like this.',
    remedy: 'Fix the other findings first, then run modes doctor again.',
  },
  F_NOT_CLOSED: {
    ends: false,
    severity: 'error',
    means: 'After the server was killed, a call that the modes deny ran.',
    remedy: 'Fix the other findings first, then run modes doctor again.',
  },
  F_HARNESS_ABSENT: {
    ends: false,
    severity: 'error',
    means: 'This coding agent does not ask Modes before its calls.',
    remedy: 'Run modes init --harness NAME in the project.',
  },
  F_HARNESS_NOT_DENIED: {
    ends: false,
    severity: 'error',
    means: 'With this answer, the coding agent runs a call that the modes deny.',
    remedy: 'Run modes init --harness NAME again. If that does not help, reinstall the package.',
  },
  F_HARNESS_NOT_CLOSED: {
    ends: false,
    severity: 'error',
    means: 'With this answer, the coding agent runs a call that Modes could not decide.',
    remedy: 'Run modes init --harness NAME again. If that does not help, reinstall the package.',
  },
  F_CONFIGURATION: {
    ends: false,
    severity: 'error',
    means: 'The configuration of the project cannot be used. The last usable one applies, or only reads are open.',
    remedy: 'Fix it. modes validate shows the place and the remedy.',
  },
  F_CONFIGURATION_DOUBT: {
    ends: false,
    severity: 'warning',
    means: 'It applies as written, which is probably not what you meant.',
    remedy: 'Check it with modes validate.',
  },
} as const satisfies Record<string, { ends: boolean; severity: Severity; means: string; remedy: string }>;

export type FindingCode = keyof typeof kinds;

export interface Finding extends Source {
  code: FindingCode;
  severity: Severity;
  /** The thing that was found, in words that fit after "has" or "is". */
  what: string;
  means: string;
  remedy: string;
}

/** A detector's result. `line` is 1 if the place in the file is unknown. */
export interface FindingHit {
  file: string;
  line?: number;
  what: string;
}

/** Completes a detector's result with the table's entry for its code. */
export function findingOf(code: FindingCode, { file, line = 1, what }: FindingHit): Finding {
  const { severity, means, remedy } = kinds[code];
  return { code, severity, file, line, column: 1, what, means, remedy };
}

/** One line for each finding: place, code, subject, meaning and remedy. */
export function findingLines(findings: readonly Finding[]): string {
  return findings
    .map(({ file, line, code, what, means, remedy }) =>
      showUnseen(`${file}:${line} ${code} ${what}. ${means} ${remedy}`.replace(/[\r\n]+/g, ' ')),
    )
    .join('\n');
}
