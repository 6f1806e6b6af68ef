// Commands that run another command from their words.

import { type Arg, argOf, literalArg, unknownArg } from '../arg.ts';
import { checkAssignment } from '../assignments.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { type Given, has, type OptionTable, option } from '../options.ts';
import { HASH } from '../outputs.ts';
import { areNumbers, between, isKnown, type NameSearch } from '../possible-names.ts';
import { ANYTHING, anyItems, type ShellState } from '../state.ts';
import { basename, enterFolder } from '../targets.ts';
import { parametersOf, valueOfWord } from '../words.ts';
import { SHELL_OPTIONS } from './builtins.ts';
import { runsInput } from './starters.ts';

/** After an unknown option, any word may be the command, because the option may have taken the next word. */
function admit(call: CommandCall, given: Given): void {
  call.accept({ ...given, flaggy: given.operands[0] === given.flaggy ? null : given.flaggy });
  if (given.problem) hides(call);
}

/** Runs a command with no known words. */
function hides(call: CommandCall): void {
  call.opaque(...call.rest);
  call.host.runWords([unknownArg(call.at.pos, call.at.end)], call.freshState(), call.at, call.stdin);
}

/** zsh may read the words in an unknown way, but the command itself is known. */
function ofZsh(call: CommandCall) {
  call.unknown(`${call.name} changes how zsh reads the words`);
  if (call.rest.length > 0) call.host.runWords(call.rest, call.state.copy(), call.at, call.stdin);
}

/** Reads the options of the wrapper up to its first operand and returns the words after it. */
function strip(call: CommandCall, t: OptionTable, skip = 0, external = true): Arg[] | null {
  const given = call.parse(t, ['posix']);
  admit(call, given);
  call.roles(given);
  const rest = given.operands.slice(skip);
  if (external) call.external = true;
  if (given.operands.slice(0, skip).some((a) => a.several)) call.unknown('it is unknown which word is the command');
  return rest.length > 0 ? rest : null;
}

function plain(skip = 0) {
  return (call: CommandCall, t: OptionTable) => {
    const rest = strip(call, t, skip);
    if (rest) call.unwrap(rest);
  };
}

const ENV =
  '-i0v --ignore-environment --null --debug -u: --unset: -C: --chdir: -S: --split-string: --default-signal? --ignore-signal? --block-signal? --list-signal-handling';

function env(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  const split = option(given, 'S', 'split-string');
  call.external = true;
  call.accept(given);
  if (given.problem) hides(call);
  const folder = option(given, 'C', 'chdir');
  if (split) {
    // Later words come after the words of the text and may be options of the command in it.
    if (folder || given.options.findIndex((o) => o.spec === split.spec) !== given.options.length - 1)
      call.unknown('env -S together with other options is not understood', split.arg);
    const value = split.value?.literal ?? null;
    // The text is only split here if it contains no quoting and no variables of env itself.
    if (value === null || /[\\'"$#]/.test(value)) {
      call.unknown('env -S splits a text that cannot be analyzed', split.arg);
      hides(call);
      return;
    }
    const at = split.value!;
    const words = value
      .split(/\s+/)
      .filter((w) => w !== '')
      .map((w) => literalArg(w, at.pos, at.end));
    call.unwrap([call.args[0]!, ...words, ...given.operands]);
    return;
  }
  if (folder) call.cwds = folder.value?.literal == null ? null : enterFolder(folder.value.literal, call.cwds);
  const rest = [...given.operands];
  if (rest[0]?.literal === '-') rest.shift();
  while (rest.length > 0) {
    const m = /^([^=]*)=/.exec(rest[0]!.value ?? rest[0]!.lead);
    if (!m) break;
    const word = rest.shift()!;
    const value = valueOfWord(word.after(m[0].length));
    const verdict = checkAssignment(m[1]!, word.literal === null ? ANYTHING : value, 'export');
    call.host.assigned(m[1]!, value, word, call.state, call.entry);
    if (verdict.taint) call.unknown(verdict.taint, word);
    if (!verdict.safe)
      call.prefix = [...call.prefix, { name: m[1]!, text: word.text, safe: false, known: verdict.known ?? false, value }];
    if (!/^[A-Za-z_]\w*$/.test(m[1]!))
      call.unknown('the name of an environment variable contains more than letters, digits and _', word);
  }
  if (rest.length > 0) call.unwrap(rest);
  else call.tag('environment');
}

/** GNU xargs: the command also receives words that are not in the source text. */
export const XARGS =
  '-0rtpxo --null --no-run-if-empty --verbose --exit --interactive! --open-tty! -a:r --arg-file:r -d: --delimiter: -E: -e? --eof? -I: -i? --replace? -L: -l? --max-lines? -n: --max-args: -P: --max-procs: -s: --max-chars: --show-limits';

function xargs(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  const replace = option(given, 'I', 'i', 'replace');
  admit(call, given);
  if (has(given, 'p', 'o', 'interactive', 'open-tty')) call.unknown('xargs asks before each command');
  call.roles(given);
  call.external = true;
  const rest = given.operands;
  if (rest.length === 0) return;
  // With -a, the words come from this file and not from standard input.
  const list = option(given, 'a', 'arg-file')?.value;
  const all = list ? call.namesInFile(list) : call.inputNames();
  // With a custom separator, the names are not the same as the lines and words.
  const nameSearch = all && has(given, 'd', 'delimiter', 'E', 'e', 'eof') ? { names: all.names, isAll: false } : all;
  const isUsual = !list && call.stdin.kind === 'pipe' && !has(given, 'd', 'delimiter', 'E', 'e', 'eof');
  const unless = (isUsual && 'unless' in call.stdin && call.stdin.unless) || null;
  // A custom separator may cut a line.
  const hasObjects = !list && call.stdin.kind === 'pipe' && call.stdin.hasObjects === true && !has(given, 'd', 'delimiter', 'e');
  call.stdin = { kind: 'file' };
  const several = given.options.filter((o) => /^(?:[Iinl]|L|replace|max-(?:args|lines))$/.test(o.name));
  if (replace && several.length > 1) call.unknown('of several options for its items, xargs uses the last', replace.arg);
  if (replace) {
    const mark = replace.value === null ? '{}' : replace.value.literal;
    if (mark === null || mark === '') {
      call.unknown('the replacement text of xargs is unknown', replace.arg);
      return;
    }
    call.unwrap(rest.map((a) => (hasObjects && a.literal === mark ? object(a) : substitute(a, mark, nameSearch, unless))));
    return;
  }
  const last = rest[rest.length - 1]!;
  const [how] = several;
  const isOne = several.length === 1 && /^(?:n|max-args)$/.test(how!.name) && how!.value?.literal === '1';
  const { pos, end } = last;
  const objects = () => (isOne ? object(last) : argOf({ many: true, lead: HASH.lead, each: HASH, text: '', pos, end }));
  call.unwrap([...rest, hasObjects ? objects() : argOf({ many: !isOne, found: nameSearch, unless, text: '', pos, end })]);
}

/** The name of an object of git in the place of a word. */
function object({ text, pos, end }: Arg): Arg {
  return argOf({ lead: HASH.lead, vanishes: true, shape: HASH.shape, text, pos, end });
}

/** Replaces a placeholder in a word. At most some of its possible texts are known. */
export function substitute(
  arg: Arg,
  mark: string,
  nameSearch: NameSearch | null = null,
  unless: readonly string[] | null = null,
): Arg {
  const text = arg.literal;
  if (text === null) return arg;
  const i = text.indexOf(mark);
  if (i < 0) return arg;
  const { pos, end } = arg;
  const lead = text.slice(0, i);
  const tail = text.slice(i + mark.length);
  const names = nameSearch?.names.map((name) =>
    tail.includes(mark) && name.how !== 'deep' ? { ...name, text: text.replaceAll(mark, name.text) } : between(name, lead, tail),
  );
  // The lead `0` represents any digit.
  const isNumber = nameSearch !== null && areNumbers(nameSearch);
  return argOf({
    lead: isNumber && lead === '' ? '0' : lead,
    ...(isNumber && { numbered: text.replaceAll(mark, '1'), int: text === mark }),
    found: names && names.length > 0 ? { names, isAll: false, ...(isKnown(nameSearch) && { isListed: true }) } : null,
    unless: text === mark ? unless : null,
    outlines: isKnown(nameSearch) ? undefined : [[lead, ...tail.split(mark)]],
    text: arg.text,
    pos,
    end,
  });
}

function shell(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  // The shell of busybox ignores these words and continues with the other words or its standard input.
  const isAlone = given.options.length === 1 && given.operands.length === 0 && call.stdin.kind === 'inherit';
  if (isAlone && has(given, 'version', 'help')) return;
  if (given.flaggy && given.operands[0] !== given.flaggy) call.unknown('an option of the shell is unknown', given.flaggy);
  if (given.problem) {
    admit(call, given);
    return;
  }
  call.roles(given);
  // A dash alone ends the options.
  if (given.operands[0]?.literal === '-' && given.dashed > 0) given.operands.shift();
  for (const o of given.options)
    if (o.name === 'o' && !SHELL_OPTIONS.test(o.value?.literal ?? ''))
      call.unknown(`${call.name} -o may change how words are read`, o.arg);
  if (has(given, 'i', 'interactive')) call.unknown('an interactive shell runs start files');
  const inner: ShellState = call.freshState();
  const start = option(given, 'rcfile', 'init-file')?.value;
  if (start) call.scriptFile(start, inner);
  if (has(given, 'c')) {
    // Options with a plus may follow too: `bash -c +x text`.
    while (/^\+./.test(given.operands[0]?.lead ?? '')) if (/[oO]$/.test(given.operands.shift()!.lead)) given.operands.shift();
    const script = given.operands[0];
    if (!script) return;
    // If `$0` may be several words, all but the first are parameters.
    const [name, ...rest] = given.operands.slice(1);
    inner.positional = name?.several ? anyItems([name, ...rest].map(valueOfWord)) : parametersOf(rest);
    inner.shellName = name === undefined ? null : valueOfWord(name);
    call.script(script, inner);
    return;
  }
  const file = given.operands[0];
  if (has(given, 's') || !file) {
    if (call.stdin.kind !== 'text') call.anything(`${call.name} runs its standard input`);
    if (file) inner.positional = parametersOf(given.operands);
    call.runInput(inner);
    return;
  }
  if (/^\+/.test(file.value ?? file.lead)) call.unknown(`${call.name} reads ${file.text} as an option`, file);
  call.read(file, call.name);
  // If it may be several words, the first may be +n.
  if (file.many && file.lead === '') call.unknown(`${file.text || 'a word'} may become an option of ${call.name}`, file);
  if (has(given, 'n')) return;
  call.scriptFile(file, inner);
}

/** Of these programs, the busybox versions have no options that write. */
const APPLETS =
  /^(?:arch|base64|basename|cal|cat|cksum|cmp|cut|df|diff|dirname|du|echo|egrep|expr|false|fgrep|fold|free|grep|groups|head|id|ls|md5sum|nl|nproc|od|paste|printenv|printf|ps|pwd|readlink|realpath|rev|seq|sha1sum|sha256sum|sha512sum|sleep|stat|strings|tac|tail|test|tr|true|tty|uname|uptime|wc|which|whoami)$/;

function busybox(call: CommandCall) {
  const [applet] = call.rest;
  if (!applet || (call.rest.length === 1 && /^--(?:list|list-full|help)$/.test(applet.literal ?? ''))) return;
  call.external = true;
  if (applet.lead.startsWith('-')) {
    call.unknown('busybox with an unrecognized option', applet);
    return hides(call);
  }
  // The usual program with this name is still analyzed too.
  if (applet.literal !== null && !APPLETS.test(applet.literal)) {
    call.opaque(...call.rest);
    call.starts(call.rest);
    call.unknown(`busybox ${applet.literal} may change something`, applet);
  }
  call.unwrap(call.rest);
}

export const wrappers: CommandEntry[] = [
  { names: 'env', options: ENV, traits: ['wrapper'], handle: env },
  {
    names: 'timeout',
    options: '-k: --kill-after: -s: --signal: -v --verbose --preserve-status --foreground --help --version',
    traits: ['wrapper'],
    handle: plain(1),
  },
  { names: 'nice', options: '-n: --adjustment: -0123456789 --help --version', traits: ['wrapper'], handle: plain() },
  { names: 'ionice', options: '-c: -n: -t --class: --classdata: --ignore', traits: ['wrapper'], handle: plain() },
  { names: 'nohup', options: '--help --version', traits: ['wrapper'], handle: nohup },
  { names: 'stdbuf', options: '-i: -o: -e: --input: --output: --error: --help --version', traits: ['wrapper'], handle: plain() },
  { names: 'setsid', options: '-cfw --ctty --fork --wait', traits: ['wrapper'], handle: plain() },
  {
    names: 'chrt',
    options: '-abfiorRv',
    traits: ['wrapper'],
    handle: (call, t) => {
      const rest = strip(call, t);
      // In newer versions the number is optional.
      if (rest && !/^\d+$/.test(rest[0]!.literal ?? '')) {
        call.unknown('the command of chrt is unknown', rest[0]);
        hides(call);
      } else if (rest && rest.length > 1) call.unwrap(rest.slice(1));
    },
    examples: { 'chrt -b 0 ls': 'read-only', 'chrt -b rm ls': 'unknown' },
  },
  { names: 'taskset', options: '-ac --all-tasks --cpu-list', traits: ['wrapper'], handle: plain(1) },
  {
    names: 'time',
    options: '-pvqa --portability --verbose --quiet --append -f: --format: -o:w --output:w',
    traits: ['wrapper'],
    handle: plain(),
  },
  { names: 'noglob nocorrect', traits: ['wrapper'], handle: ofZsh },
  {
    names: 'busybox',
    traits: ['wrapper'],
    handle: busybox,
    examples: {
      'busybox ls -la': 'read-only',
      'busybox --list': 'read-only',
      'busybox rm a': 'unknown',
      'busybox sh -c ls': 'unknown',
      'busybox $x': 'unknown',
      'busybox ls > a': 'writes',
    },
  },
  { names: 'xargs', options: XARGS, traits: ['wrapper'], handle: xargs },
  {
    names: 'sudo doas',
    options:
      '-A -L --askpass -b --background -B --bell -C: --close-from: -D: --chdir: -E --preserve-env? -e --edit -g: --group: -H --set-home -h? --host: -i --login -k --reset-timestamp -K --remove-timestamp -l --list -N --no-update -n --non-interactive -p: --prompt: -P --preserve-groups -r: --role: -R: --chroot: -S --stdin -s --shell -t: --type: -T: --command-timeout: -u: --user: -U: --other-user: -v --validate -V --version --help',
    traits: ['wrapper'],
    handle: otherRights,
  },
  {
    names: 'strace',
    options: '-fFcCqrtTvxyYnwz -e: -s: -o:w -u: -a: -E:x -P: -b: -S: -O: -X: -k',
    traits: ['wrapper'],
    handle: trace,
  },
  {
    names: 'ltrace',
    options: '-fcCrtTSbiL -e: -s: -o:w -u: -a: -n: -w: -x: -l: -D: -A: -F:x',
    traits: ['wrapper'],
    handle: trace,
    examples: { 'ltrace -S ls': 'read-only', 'ltrace -n 2 rm x': 'writes', 'ltrace -F ls rm x': 'unknown' },
  },
  {
    names: 'watch',
    version: '--help --version',
    options: '-bcegtx -d? -n: --interval: --differences? --no-title --color --exec --errexit --chgexit --beep --precise -p',
    traits: ['wrapper'],
    handle: (call, t) => {
      const given = call.parse(t, ['posix']);
      admit(call, given);
      call.external = true;
      // Without -x, a shell runs the joined words.
      if (has(given, 'x', 'exec')) {
        if (given.operands.length > 0) call.unwrap(given.operands);
      } else if (given.operands.some((a) => a.literal === null))
        for (const arg of given.operands.filter((a) => a.literal === null))
          call.runsUnknownText('watch runs an unknown text', arg);
      else call.host.runText(given.operands.map((a) => a.literal).join(' '), call.at, call.freshState());
    },
  },
  {
    names: 'flock',
    options:
      '-seuxnoF -w: -E: -c: --shared --exclusive --unlock --nonblock --nb --timeout: --wait: --close --no-fork --conflict-exit-code: --command: --verbose',
    traits: ['wrapper'],
    handle: (call, t) => {
      const given = call.parse(t, ['posix']);
      const lock = given.operands[0];
      const early = option(given, 'c', 'command')?.value;
      if (early) call.script(early, call.freshState());
      call.accept(given);
      if (given.problem) hides(call);
      if (lock) call.write(lock, 'flock', { why: 'flock creates its lock file' });
      let rest = given.operands.slice(1);
      if (rest[0]?.literal === '-c' || rest[0]?.literal === '--command') {
        if (rest[1]) call.script(rest[1], call.freshState());
        return;
      }
      call.external = true;
      if (rest[0]?.literal === '-n' || rest[0]?.literal === '-x') rest = rest.slice(1);
      if (rest.length > 0) call.unwrap(rest);
    },
  },
  {
    names: 'sh bash dash ash ksh zsh',
    // In zsh, -b ends the options. A following -n is then the name of a script.
    options:
      '-efhilmnprstuvxBCHPc -o: --login -l --norc --noprofile --noediting --posix --version --help --init-file:x --rcfile:x --restricted --verbose --dump-strings! --dump-po-strings! --debugger!',
    handle: shell,
  },
];

/** Runs in another user's folders and partly in a login environment, so only literal words are certain. */
function otherRights(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  const rest = strip(call, t);
  call.unknown(`${call.name} runs with other rights`);
  if (has(given, 'e', 'edit')) {
    for (const file of given.operands) call.write(file, `${call.name} -e`);
    return;
  }
  // `-h` prints help, or takes the next word as a host.
  if (given.options.some((o) => o.flag === '-h' && o.value === null)) hides(call);
  const folder = option(given, 'D', 'chdir');
  if (folder) call.cwds = folder.value?.literal == null ? null : enterFolder(folder.value.literal, call.cwds);
  if (has(given, 'i', 'login', 'R', 'chroot')) call.cwds = null;
  for (let word = rest?.[0]; word !== undefined; word = rest?.[0]) {
    const name = /^([A-Za-z_]\w*)=/.exec(word.value ?? word.lead)?.[1];
    if (name === undefined) break;
    call.host.assigned(name, valueOfWord(word.after(name.length + 1)), word, call.state, call.entry);
    rest?.shift();
  }
  for (const words of shorterForms(rest ?? [])) call.spelled(call.name, words);
  if (rest?.[0]) call.unwrap(rest);
  else if (has(given, 'i', 'login', 's', 'shell')) runsInput(call);
}

/** `/bin/rm x` and `env rm x` as `rm x`. */
function shorterForms([first, ...rest]: readonly Arg[]): Arg[][] {
  const name = first?.literal;
  if (!name) return [];
  const isPassing = /^(?:env|command|nice|nohup|exec|setsid)$/.test(basename(name)) && !/^-|=|^$/.test(rest[0]?.lead ?? '');
  return [
    ...(name.includes('/') ? [[first.as(basename(name)), ...rest]] : []),
    ...(isPassing ? [rest, ...shorterForms(rest)] : []),
  ];
}

/** `-o '|cmd'` starts a command. `-ff` adds a number to the file name. Injected faults change the behavior of the program. */
function trace(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  const twice = given.options.filter((o) => o.name === 'f').length > 1;
  for (const o of given.options) {
    if (o.name === 'o' && (twice || /^[|!]/.test(o.value?.lead ?? '')))
      call.unknown(`${call.name} -o writes other files or starts a command`, o.arg);
    if (o.name === 'e' && !/^(?:(?:trace|t)=)?!?[%\w,/]*$/.test(o.value?.literal ?? '='))
      call.unknown(`${call.name} -e may change what the program does`, o.arg);
  }
  const rest = strip(call, t);
  if (rest) call.unwrap(rest);
}

function nohup(call: CommandCall, t: OptionTable) {
  const rest = strip(call, t);
  // Without a terminal, nohup does not redirect standard output. With a terminal, it appends to nohup.out.
  if (rest) call.unwrap(rest);
}
