// Options of programs whose value is a command that the program runs on this host, such as `rsync -e`.
import type { Arg } from './arg.ts';
import type { CommandCall } from './call.ts';

interface CommandOptions {
  /** Short options, each with a value. */
  short?: string;
  /** Long options. GNU programs accept abbreviations of them. */
  long?: string;
  /** The place of the command in the value: a pattern with the command as its only group. Values that do not match run nothing. */
  value?: RegExp;
  /** A known beginning of the value that leaves open whether it is a command. */
  open?: RegExp;
}

/** `ProxyCommand=cmd` or `ProxyCommand cmd`, in any case. */
const SSH_SETTING: CommandOptions = {
  short: 'o',
  value: /^\s*(?:proxycommand|localcommand|knownhostscommand|match\b.*?\bexec)\s*[=\s]\s*"?(?!none$)(.*?)"?$/is,
  open: /^\s*(?:\w*|(?:proxycommand|localcommand|knownhostscommand|match)\b.*)$/is,
};

const TAR: readonly CommandOptions[] = [
  { short: 'IF', long: 'to-command use-compress-program info-script new-volume-script rsh-command rmt-command' },
  { long: 'checkpoint-action', value: /^exec=(.*)$/s, open: /^(?:e|ex|exe|exec|exec=.*)?$/s },
];

const TABLE: Readonly<Record<string, readonly CommandOptions[]>> = {
  tar: TAR,
  gtar: TAR,
  bsdtar: TAR,
  rsync: [{ short: 'e', long: 'rsh' }],
  ssh: [SSH_SETTING],
  scp: [SSH_SETTING, { short: 'S' }],
  sftp: [SSH_SETTING, { short: 'SD' }],
  'ssh-copy-id': [SSH_SETTING],
  sshfs: [SSH_SETTING],
  autossh: [SSH_SETTING],
  man: [{ short: 'PH', long: 'pager html' }],
  split: [{ long: 'filter' }],
  'git fetch': [{ long: 'upload-pack' }],
  'git pull': [{ long: 'upload-pack' }],
  'git clone': [{ short: 'u', long: 'upload-pack' }],
  'git ls-remote': [{ long: 'upload-pack exec' }],
  'git push': [{ long: 'receive-pack exec' }],
  'git archive': [{ long: 'exec' }],
  'git grep': [{ short: 'O', long: 'open-files-in-pager' }],
  'git send-email': [{ long: 'sendmail-cmd smtp-server to-cmd cc-cmd header-cmd' }],
  sort: [{ long: 'compress-program' }],
};

/** Usual programs that need no rule of their own here: the option would be useless without them. */
const USUAL =
  /^(?:ssh(?:\s+-(?:[46CqTx]+|p\s*\d+|l\s*\w+|i\s*[\w.~/-]+))*|gzip|pigz|bzip2|pbzip2|xz|zstd|lz4|cat|less|more|git-(?:upload|receive)-pack|)$/;

/** Shortest abbreviation of a long option that is accepted here. */
const SHORTEST = 3;

/** The values of an option among the words. A short option may be the last one of several letters. */
function valuesOf(words: readonly Arg[], { short = '', long = '' }: CommandOptions): Arg[] {
  const names = long === '' ? [] : long.split(' ');
  return words.flatMap((word, at) => {
    const lead = word.value ?? word.lead;
    const next = words[at + 1] ?? [];
    const found = /^--([\w-]+)(=?)/.exec(lead);
    if (found) {
      const [all, name, equals] = found as unknown as [string, string, string];
      if (!names.some((one) => one === name || (name.length >= SHORTEST && one.startsWith(name)))) return [];
      return equals === '' ? next : word.after(all.length);
    }
    if (short === '' || !/^-[A-Za-z0-9]/.test(lead)) return [];
    const letter = [...lead].findIndex((one, index) => index > 0 && short.includes(one));
    if (letter === -1 || !/^-[A-Za-z0-9]*$/.test(lead.slice(0, letter))) return [];
    return word.value !== null && lead.length === letter + 1 ? next : word.after(letter + 1);
  });
}

/** Analyzes the commands in the values of options as commands of the call. */
export function judgeCommandOptions(call: CommandCall): void {
  if (!Object.hasOwn(TABLE, call.name)) return;
  for (const options of TABLE[call.name] as readonly CommandOptions[])
    for (const value of valuesOf(call.rest, options)) {
      const { value: form = /^(.*)$/s, open = /^/ } = options;
      if (value.literal === null) {
        if (open.test(value.lead)) call.runsUnknownText(`${call.name} runs a command that is not known`, value);
        continue;
      }
      const text = form.exec(value.literal)?.[1]?.trim() ?? '';
      if (!USUAL.test(text)) call.host.runText(text, value, call.state.fresh(call.cwds));
    }
}
