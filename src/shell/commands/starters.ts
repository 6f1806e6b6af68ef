// Programs that start another program elsewhere: in a separate terminal, in a namespace, later, or under a debugger. Their
// effects there are not known, so they are of class unknown. The command inside is still analyzed, so that deny and ask rules
// match it.

import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { hostOf } from '../hosts.ts';

interface Starter {
  /** Options that take the next word: letters, then long names separated by blanks. */
  valued?: string;
  /** Letters that may take the next word, because their meaning differs between programs. */
  maybe?: string;
  /** Options with a shell text as their value, in the same notation. */
  text?: string;
  /** Number of operands before the command. */
  skip?: number;
  /** The kind of operands: the words of a command, one shell text each, or none of these. */
  operands?: 'words' | 'texts' | 'none';
}

interface Words {
  operands: Arg[];
  texts: Arg[];
}

/** Splits words into options and operands with a short list. Unknown options are not reported. */
function cut(words: Arg[], { valued = '', text = '' }: Starter): Words {
  const [letters = '', ...names] = valued.split(' ');
  const [textLetters = '', ...textNames] = text.split(' ');
  const out: Words = { operands: [], texts: [] };
  const takes = (list: Arg | undefined) => {
    if (list) out.texts.push(list);
  };
  let isOpen = true;
  for (let at = 0; at < words.length; at++) {
    const arg = words[at]!;
    const word = arg.value ?? arg.lead;
    const long = /^--([^=]+)(=)?/.exec(word);
    if (long && textNames.includes(long[1]!)) takes(long[2] ? arg.after(long[0].length) : words[++at]);
    else if (/^-[^-]/.test(word) && hasLetter(word, textLetters)) {
      const end = word.slice(1).search(new RegExp(`[${textLetters}]`)) + 2;
      takes(end < word.length ? arg.after(end) : words[++at]);
    } else if (!isOpen || !/^-./.test(word)) {
      isOpen = false;
      out.operands.push(arg);
    } else if (word === '--') isOpen = false;
    else if (long ? names.includes(long[1]!) && !long[2] : letters.includes(word.at(-1)!)) at++;
  }
  return out;
}

/** A letter that takes a text may come after other letters (`-qc TEXT`), in a word that is not a long option. */
function hasLetter(word: string, letters: string): boolean {
  return (
    letters !== '' && /^-[A-Za-z]+/.test(word) && [...letters].some((letter) => /^-[A-Za-z]+/.exec(word)![0].includes(letter))
  );
}

/** The operands if the letters in `maybe` take the next word, and the operands if they do not. */
function readings(words: Arg[], starter: Starter): Arg[][] {
  const { valued = '', maybe = '' } = starter;
  const [one, other] = [maybe + valued, valued].map((how) => cut(words, { ...starter, valued: how }).operands) as [Arg[], Arg[]];
  return one.length === other.length ? [one] : [one, other];
}

function runsText(call: CommandCall, arg: Arg): void {
  if (arg.literal !== null) call.host.runText(arg.literal, arg, call.freshState());
}

function runsWords(call: CommandCall, words: Arg[]): void {
  if (words.length > 0) call.host.runWords(words, call.freshState(), call.at, call.stdin);
}

function starts(starter: Starter) {
  return (call: CommandCall) => {
    call.unknown(`${call.name} starts another program in an unknown environment`);
    const { texts } = cut(call.rest, starter);
    for (const text of texts) runsText(call, text);
    let isAlone = false;
    for (const operands of readings(call.rest, starter)) {
      const inner = operands.slice(starter.skip ?? 0);
      isAlone ||= inner.length === 0;
      if (starter.operands === 'texts') for (const text of inner) runsText(call, text);
      else if (starter.operands !== 'none') runsWords(call, inner);
    }
    // Without a command, these start a shell.
    if (starter.operands === undefined && texts.length === 0 && isAlone) runsInput(call);
    call.opaque(...call.rest.filter((arg) => /[\s!]/.test(arg.value ?? '')));
  };
}

const TMUX: Starter = { valued: 'sntcexyF', maybe: 'fwlhdNLSTbp' };

/** Lists sessions or prints the content of a pane. Formats may run commands, so they are not among the options. */
function shows(call: CommandCall): boolean {
  const [verb, ...rest] = call.rest.map((arg) => arg.literal);
  if (/^(?:capturep|capture-pane)$/.test(verb ?? '')) return rest.includes('-p') && areOptions(rest, /^-[peJ]$/, /^-[tSE]$/);
  return (
    /^(?:ls|list-sessions|lsw|list-windows|lsp|list-panes|lsc|list-clients)$/.test(verb ?? '') &&
    areOptions(rest, /^-[as]$/, /^-t$/)
  );
}

/** True if the words are only these options. Options in `valued` take the next word, which must be plain. */
function areOptions(words: readonly (string | null)[], bare: RegExp, valued: RegExp): boolean {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (bare.test(word)) continue;
    if (!valued.test(word) || !/^[\w.:%@$-]+$/.test(words[++at] ?? '')) return false;
  }
  return true;
}

/** One line contains several commands, separated by `;`. Sent keys act as typed input. */
function tmux(call: CommandCall) {
  if (shows(call)) return;
  call.unknown(`${call.name} starts programs on a terminal of its own`);
  const lines: Arg[][] = [[]];
  for (const arg of call.rest) {
    if (arg.literal === ';' || arg.literal === '\\;') lines.push([]);
    else lines.at(-1)!.push(arg);
  }
  for (const line of lines) {
    const [verb, ...rest] = cut(line, { valued: 'cfLST' }).operands;
    if (/^(?:send|send-keys)$/.test(verb?.literal ?? '')) {
      const keys = cut(rest, { valued: 'tN' }).operands.filter(
        (arg) => !/^(?:Enter|C-[a-z]|M-[a-z]|Escape|Space|Tab)$/.test(arg.literal ?? ''),
      );
      for (const separator of [' ', '']) {
        const typed = keys.map((arg) => arg.literal ?? '').join(separator);
        if (keys[0] && typed !== '') runsText(call, keys[0].as(typed));
      }
    } else if (
      /^(?:new|neww|splitw|respawn|popup|display-popup|run|if|pipe|confirm|bind|set-hook)/.test(verb?.literal ?? '') ||
      verb?.literal === 'split-window'
    ) {
      for (const operands of readings(rest, TMUX)) {
        if (operands.length > 1) runsWords(call, operands);
        for (const text of operands) if (operands.length === 1 || /\s/.test(text.value ?? '')) runsText(call, text);
      }
    }
  }
}

/** GNU parallel: the command before `:::`. Without a command, each argument after it is one. */
function parallel(call: CommandCall) {
  call.unknown('parallel runs commands that it builds from its input');
  // Any command that it runs may read its arguments as files.
  let how = '';
  for (const [at, word] of call.rest.entries()) {
    if (/^:{3,4}\+?$/.test(word.literal ?? '')) how = word.literal!.replace('+', '');
    else if (how === ':::') call.read(word, 'parallel');
    else if (how === '::::' || /^(?:-a|--arg-file)$/.test(call.rest[at - 1]?.literal ?? '')) call.readNamesIn(word, 'parallel');
  }
  if (how === '') call.readInputs('parallel');
  const { operands } = cut(call.rest, { valued: 'jnNPIaSsLdC jobs joblog tmpdir results delay timeout retries colsep arg-file' });
  const end = operands.findIndex((arg) => /^:::/.test(arg.literal ?? ''));
  const command = end === -1 ? operands : operands.slice(0, end);
  if (command.length > 1) runsWords(call, command);
  else if (command[0]) runsText(call, command[0]);
  if (command.length === 0) for (const text of operands.slice(end + 1)) runsText(call, text);
}

/** An address selects the program that runs. */
function socat(call: CommandCall) {
  call.network();
  call.unknown(`${call.name} opens a connection that may send anything`);
  for (const arg of call.rest) {
    const match = /^(?:EXEC|SYSTEM|SHELL):("?)([^,"]*)\1/i.exec(arg.literal ?? '');
    if (match) runsText(call, arg.as(match[2]!));
    const host = /^(?:TCP|UDP|SCTP|DCCP|OPENSSL|SSL|SOCKS|PROXY)(?!\w*-L)[\w-]*:(\[[^\]]*\]|[^:,]+):/i.exec(arg.literal ?? '');
    if (host) call.network(host[1]);
  }
}

/**
 * `ssh -G HOST` and `ssh -Q WHAT` only print. The name is inserted into commands from the user's settings, so it must be a plain
 * name.
 */
function sshTells(call: CommandCall): boolean {
  const words = call.rest.map((arg) => arg.literal ?? '?');
  return /^-(?:G(?: -(?:4|6|v))*(?: -[lp] \w+)*(?: \w[\w.@:-]*)|Q \w[\w-]*)$/.test(words.join(' '));
}

function ssh(call: CommandCall) {
  if (sshTells(call)) return;
  call.network();
  call.unknown('ssh runs commands on another host');
  const { operands } = cut(call.rest, { valued: 'bcDEeFIiJLlmOopQRSWw' });
  if (operands[0]?.literal) call.network(hostOf(operands[0].literal));
  const jump = call.rest.findIndex((arg) => arg.literal === '-J');
  for (const host of (jump === -1 ? '' : (call.rest[jump + 1]?.literal ?? '')).split(',')) call.network(hostOf(host));
  const words = operands.slice(1).map((arg) => arg.literal);
  // The remote files are not examined, but the program name is.
  if (words.length > 0 && !words.includes(null)) call.opaque(operands[1]!.as(words.join(' ')), operands[1]!);
}

/** Standard input is a shell text. */
export function runsInput(call: CommandCall) {
  call.runInput(call.freshState());
  runsUnknownInput(call);
}

/** An input that is not known in full may contain any command. */
export function runsUnknownInput(call: CommandCall) {
  const { stdin } = call;
  if (stdin.kind !== 'inherit' && !('text' in stdin && stdin.text !== undefined && stdin.isAll))
    call.anything(`${call.name} runs its standard input, which is not known`);
}

function otherShell(call: CommandCall) {
  call.unknown(`${call.name} is an unsupported shell`);
  const { texts } = cut(call.rest, { text: 'c c command Command' });
  for (const text of texts) runsText(call, text);
  call.opaque(...call.rest);
}

/** Editors run the text after `!` and commands in their terminals. */
function editor(call: CommandCall) {
  call.unknown(`${call.name} is an editor, which may write and run anything`);
  const orders = call.rest.filter((arg) => /!|^\+|\bterm|\bsystem|shell|process/.test(arg.value ?? ''));
  call.opaque(...orders);
  const isTerminal = /^(?:r?vim?|nvim|ex|ed|nano|pico|emacs|joe|hx|kak|mcedit)$/.test(call.name);
  for (const [at, arg] of call.rest.entries()) {
    if (/^[-+]/.test(arg.value ?? arg.lead)) continue;
    call.read(arg, call.name);
    // A script may save the file. Other editors open a window for a person.
    if (isTerminal && !/^(?:-[cSuswWq]|--cmd|--eval|-f|--load|-l)$/.test(call.rest[at - 1]?.literal ?? ''))
      call.write(arg, call.name, { old: 'kept', why: `${call.name} may save its files` });
  }
  for (const arg of orders) {
    const match = /^(?:\+|:)*term(?:inal)?\s+(?:\+\+\w+\s+)*(.*)$/s.exec(arg.literal ?? '') ?? /!(.*)$/s.exec(arg.literal ?? '');
    // The text may be inside a string of the editor: `exe "!cmd"`.
    if (match) for (const text of new Set([match[1]!, match[1]!.replace(/["'].*$/s, '')])) runsText(call, arg.as(text));
  }
}

/** `exec … -- COMMAND`, as in tools that set up an environment. */
function runAfterDashes(call: CommandCall) {
  call.unknown(`${call.name} may start another program in an unknown environment`);
  const at = call.rest.findIndex((arg) => arg.literal === '--');
  if (at === -1) call.opaque(...call.rest);
  else runsWords(call, call.rest.slice(at + 1));
}

function scripted(call: CommandCall) {
  call.unknown(`${call.name} runs a program text that is not analyzed`);
  call.opaque(...call.rest);
  call.opaqueInput();
}

export const starters: CommandEntry[] = [
  {
    names: 'script',
    handle: starts({ text: 'c command', valued: 'EmoOBIT log-out log-in log-io echo output-limit logging-format', skip: 1 }),
    examples: { 'script -qc "ls" /dev/null': 'unknown' },
  },
  { names: 'su runuser', handle: starts({ text: 'c command session-command', valued: 'gGsuw shell group user', skip: 0 }) },
  {
    names: 'at batch',
    version: '-l=at -V=at',
    handle: (call) => {
      starts({ operands: 'none' })(call);
      runsInput(call);
    },
    examples: { 'at -l': 'read-only', 'at now <<< ls': 'unknown', 'at -l -f x now': 'unknown', 'batch -l': 'unknown' },
  },
  {
    names: 'tmux',
    version: '-V',
    handle: tmux,
    examples: {
      'tmux -V': 'read-only',
      'tmux new -d ls': 'unknown',
      'tmux ls': 'read-only',
      'tmux capture-pane -pt a': 'unknown',
      'tmux capture-pane -p -t a -S -50': 'read-only',
      'tmux capture-pane -t a': 'unknown',
      "tmux ls -F '#(x)'": 'unknown',
      'tmux ls ; new ls': 'unknown',
    },
  },
  // It creates a folder for its sockets.
  { names: 'screen', version: '-ls -list', handle: starts({ valued: 'cSsTphet' }), examples: { 'screen -dmS x ls': 'unknown' } },
  { names: 'parallel', handle: parallel, examples: { 'parallel ls ::: a': 'unknown' } },
  { names: 'socat', handle: socat, examples: { 'socat - EXEC:ls': 'unknown' } },
  {
    names: 'ssh',
    version: '-V',
    handle: ssh,
    examples: {
      'ssh host ls': 'unknown',
      'ssh -V': 'read-only',
      'ssh -G -p 22 me@a.invalid': 'read-only',
      'ssh -Q cipher': 'read-only',
      'ssh -G -F config a.invalid': 'unknown',
      'ssh -G -o ProxyCommand=x a.invalid': 'unknown',
      "ssh -G 'a;b'": 'unknown',
      'ssh -G $x': 'unknown',
      'ssh -G a.invalid ls': 'unknown',
      'ssh -Q cipher a': 'unknown',
    },
  },
  { names: 'expect', handle: scripted, examples: { "expect -c 'spawn ls'": 'unknown' } },
  { names: 'pee mispipe', handle: starts({ operands: 'texts' }), examples: { "pee 'cat > a' < b": 'unknown' } },
  {
    names: 'hyperfine',
    version: '--version',
    handle: starts({
      operands: 'texts',
      text: 'pc prepare cleanup setup conclude',
      valued: 'wmrMsnLPDSNI warmup runs min-runs max-runs',
    }),
  },
  {
    names: 'setarch',
    handle: (call) => {
      // The architecture is optional.
      starts({})(call);
      starts({ skip: 1 })(call);
    },
  },
  { names: 'direnv', version: '--version version status', handle: starts({ skip: 2 }) },
  {
    names: 'op',
    version: '--version',
    options: '--account: --format: --cache --no-color --session:',
    verbs: {
      'item list|item get|item template list|vault list|vault get|account list|account get|user list|user get|group list|group get|document list|read|whoami|help':
        {
          options: '--vault: --categories: --tags: --favorite --include-archive --long --fields: --reveal --otp -n --no-newline',
          operands: 'text',
          network: true,
        },
      '*': { handle: runAfterDashes },
    },
    examples: {
      'op item list': 'read-only',
      'op read op://a/b/c': 'read-only',
      'op read -o f op://a/b/c': 'unknown',
      'op item create': 'unknown',
      'op run -- ls': 'unknown',
    },
  },
  { names: 'doppler aws-vault chamber', version: '--version', handle: runAfterDashes },
  {
    names: 'chroot runcon faketime',
    handle: starts({ skip: 1, valued: 'utrl userspec groups' }),
    examples: { 'chroot / ls': 'unknown' },
  },
  {
    names:
      'unshare nsenter setpriv pkexec xvfb-run dbus-run-session dbus-launch systemd-run systemd-inhibit unbuffer toybox fakeroot proot firejail rlwrap cpulimit prlimit numactl linux32 linux64 caffeinate ssh-agent entr watchexec chronic ifne daemonize proxychains proxychains4 torsocks torify tsocks catchsegv dotenv',
    handle: starts({
      maybe: 'tupeMHESRrwsnfl',
      valued: ' unit property setenv uid gid working-directory slice machine host target server-args auth-file wdir',
    }),
    examples: { 'unshare -r ls': 'unknown' },
  },
  { names: 'dtach abduco', handle: starts({ valued: 'AcnaNer' }), examples: { 'dtach -n s ls': 'unknown' } },
  { names: 'tsp ts', handle: starts({ valued: 'LNDWOE', text: 'S' }), examples: { 'tsp ls': 'unknown' } },
  {
    names: 'gdb lldb valgrind perf dtrace bpftrace rr',
    version: '--version',
    handle: (call) => {
      starts({ skip: call.name === 'perf' || call.name === 'rr' ? 1 : 0, valued: 'eoFcxp ex command tool log-file' })(call);
      call.opaque(...call.rest.filter((arg) => /\s/.test(arg.value ?? '')));
    },
  },
  {
    names: 'fish csh tcsh pwsh powershell xonsh nu elvish',
    version: '--version=fish,tcsh,nu',
    handle: otherShell,
    examples: { 'fish --version': 'read-only', "fish -c 'ls'": 'unknown', 'csh --version': 'unknown' },
  },
  {
    names: 'vim vi nvim ex view rvim ed nano emacs emacsclient code subl pico joe micro hx kak mcedit',
    version: '--version --list-extensions=code',
    handle: editor,
  },
];
