// Names and commands in the words of a program that is not understood. They add restrictions only.
import type { BashCommand } from '../model/command.ts';
import { quote } from './arg.ts';
import { basename } from './targets.ts';
import { sameCommands } from './usual-words.ts';

/** Words of these programs are often prose, such as a commit message. */
const PROSE = new Set(['git', 'gh', 'glab', 'hub', 'hg', 'jj', 'svn']);

/** These programs run their words in a container or on another host. */
export const ELSEWHERE = /^(?:docker|podman|nerdctl|kubectl|oc|ssh|vagrant|docker-compose)$/;

/** True if a word with blanks in it is probably not a program text. */
export function isProse(program: string | null | undefined): boolean {
  return PROSE.has(basename(program ?? ''));
}

/** A word after which many programs expect a command: `mise exec -- git push`, `nix develop -c git push`. */
const BEFORE_COMMAND =
  /^(?:exec|run|run_command|x|dlx|do|stuff|submit|ssh|rsh|enter|shell|create|debug|launch|unshare|watch|\w+:(?:run|exec)|--|-c|--?(?:command|run|exec|execute|shell|host)|\/c)$/i;
/** A place comes before the command: `docker exec web git push`, `apptainer exec a.sif git push`. */
const ENTERS = /^(?:exec|ssh|rsh|enter|shell)$/;
/** These programs run the words after a host, and their standard input there. */
const SSH = /^(?:ssh|autossh|mosh)$/;
/** These programs take a place after these words too. */
const ENTERS_ELSEWHERE = /^(?:run|create|debug)$/;
/** An option that names the program. Its words come after the next operand: `docker run --entrypoint git image push`. */
const NAMES_PROGRAM = /^--(?:entrypoint|command)(?:=(\S+))?$/;
/** A word after which a text is usually prose or the name of a test. */
const BEFORE_PROSE = /^(?:-[mktgn]|--(?:message|title|body|grep|name|description|notes?|reason|comment|test-?name-?pattern))$/i;
/** Programs that start a command in their words, with options and operands of their own before it. */
const STARTERS = new Set(
  `parallel sem sg bwrap fakeroot fakechroot eatmydata catchsegv proot faketime perf heaptrack numactl schedtool trickle softlimit
  chpst envdir setuidgid gosu su-exec dumb-init tini catatonit retry chronic ifne run0 pkexec systemd-cat systemd-inhibit
  systemd-run lockf lckdo setlock s6-envdir s6-softlimit s6-setuidgid argv0 run-one run-this-one keep-one-running when-changed cgexec multitime
  repeat nq ts tsp pueue daemonize dtach abduco wezterm kitty foot xterm konsole alacritty gnome-terminal screen wsl winpty arch
  caffeinate sandbox-exec cmd cmd.exe steam-run appimage-run wine box64 summon envchain env-cmd cross-env cross-env-shell dotenv
  dotenvx concurrently nodemon sops flatpak-spawn expect tclsh pwsh pwsh.exe powershell powershell.exe watchexec`.split(/\s+/),
);
const STARTER = /^(?:ld(?:-linux[\w-]*)?\.so[\d.]*|qemu-[\w-]+)$/;
/** Programs that run the lines of their standard input, in part with words before each command. */
const READS_COMMANDS =
  /^(?:parallel|sem|expect|tclsh|f?crontab|at|batch|pwsh|powershell|nu|xonsh|elvish|gnuplot|gdb|lldb|ed|ex|sqlplus|ssh|autossh|docker|podman|g?make|just|task)(?:\.exe)?$/;
const STRING = /(["'`])((?:\\[\s\S]|(?!\1)[^\\])*)\1|%\w{0,2}(?:\(([^()]*)\)|\{([^{}]*)\}|\[([^[\]]*)\])/g;
/** Only this comes between the words of a list: `["git", "push"]`, `"git", { args: ["push"] }`, `("git").arg("push")`. */
const BETWEEN = /^(?:[\s,[\](){}:']|\b(?:args?|argv|list|nil)\b|\.(?=args?\())*$/;
/** Words before a command in other languages and in a crontab. */
const LEAD = /^\s*(?:(?:[\d*/,-]+\s+){5}|@\w+\s+|(?:!+|:!|exec|spawn|system|shell|eval|do|run|host)\s*(?=[\w./~\\-]))/;
/** The value of `--command=git push` and `scripts.x=git push`. */
const VALUE = /^-{0,2}[\w.-]+=(.*\S.*)$/s;
/** Most commands that are compared, and characters in all of them. The call asks about the rest. */
const MOST = 400;
const MOST_CHARACTERS = 40_000;
/** The beginnings of a list, up to this many words, may be a command too: `spawn("git", ["push"], { "cwd": "x" })`. */
const MOST_BEGINNING = 8;
const NONE: string[] = [];
/** Represents a word with an unknown value. */
export const UNKNOWN_WORD = '"$_"';

/** The strings in a program text that may be commands: `os.system("git push")`, `spawn("git", ["push"])`. */
export function commandsInCode(code: string, depth = 0): string[] {
  const out: string[] = [];
  let list: string[] = [];
  let end = -1;
  const addList = (): void => {
    // `execvp("git", ["git", "push"])` names the program twice.
    const isTwice = list[1] !== undefined && basename(list[0]!) === basename(list[1]);
    for (const one of isTwice ? [list, list.slice(1)] : [list]) if (one.length > 1) out.push(one.join(' '));
  };
  for (const match of code.matchAll(STRING)) {
    // The caller does not look at more.
    if (out.length > 4 * MOST) break;
    const text = (match[2] ?? match[3] ?? match[4] ?? match[5] ?? '').replaceAll(/\\(["'`\\])/g, '$1');
    if (end >= 0 && BETWEEN.test(code.slice(end, match.index))) list.push(text);
    else {
      if (list.length > MOST_BEGINNING) addList();
      list = [text];
    }
    end = match.index + match[0].length;
    out.push(text);
    if (list.length <= MOST_BEGINNING) addList();
    if (depth < 2) out.push(...commandsInCode(text, depth + 1));
  }
  if (list.length > MOST_BEGINNING) addList();
  return [...new Set(out.map((text) => text.trim()))].filter((text) => text !== '');
}

/**
 * Texts of the commands that the words of a program may contain. Deny and ask rules are also compared with them. Each is a text
 * for a shell. `areAll` is false if there may be more.
 */
export function containedCommands(
  command: BashCommand,
  isListed: (name: string) => boolean,
): { texts: string[]; areAll: boolean } {
  const all = new Set([...sameCommands(command.argv).map(textOf), ...possibleCommands(command, isListed)]);
  const texts: string[] = [];
  let characters = 0;
  for (const text of all) {
    characters += text.length;
    if (texts.length === MOST || characters > MOST_CHARACTERS) break;
    texts.push(text);
  }
  return { texts, areAll: texts.length === all.size };
}

function possibleCommands({ class: kind, argv: words, input }: BashCommand, isListed: (name: string) => boolean): string[] {
  const [program, ...rest] = words;
  const name = basename(program ?? '');
  if (kind !== 'runs' && kind !== 'unknown') return NONE;
  // `jj util exec -- git push`, `gh extension exec`, `gh codespace ssh`
  const exec = rest.findIndex((word) => word === 'exec' || word === 'ssh');
  if (isProse(name)) return exec === -1 ? NONE : startedIn(words.slice(exec));
  const direct = isListed(name) ? NONE : textsAt(rest, leading(rest, 0));
  const texts = [...direct, ...startedIn(words), ...rest.flatMap((word, at) => textsIn(word, rest[at - 1] ?? ''))];
  if (input !== undefined) {
    texts.push(...commandsInCode(input));
    if (READS_COMMANDS.test(name)) texts.push(...input.split('\n').flatMap(withoutLead));
  }
  return texts;
}

type Words = readonly (string | null)[];

/** The words after those that many programs expect before a command. */
function startedIn(argv: Words): string[] {
  const [program, ...rest] = argv;
  const name = basename(program ?? '');
  const isElsewhere = ELSEWHERE.test(name);
  const starter = argv.findIndex((word, at) => at < 4 && word !== null && isStarter(basename(word)));
  const inStarter = starter === -1 ? [] : rest.flatMap((_, at) => (at >= starter ? [at] : []));
  const after = [program, ...rest].flatMap((word, at) => {
    if (at === 0 ? !SSH.test(name) : !BEFORE_COMMAND.test(word ?? '')) return [];
    const hasPlace = at === 0 || ENTERS.test(word!) || (isElsewhere && ENTERS_ELSEWHERE.test(word!));
    return leading(rest, at, hasPlace ? 2 : 1);
  });
  const named = rest.flatMap((word, at) => {
    const match = NAMES_PROGRAM.exec(word ?? '');
    const value = match && (match[1] ?? rest[at + 1]);
    if (!value) return [];
    return leading(rest, match[1] === undefined ? at + 2 : at + 1).map((next) => textOf([value, ...rest.slice(next + 1)]));
  });
  return [...textsAt(rest, [...inStarter, ...after]), ...named];
}

/** Texts for a shell that begin at these places. */
function textsAt(words: Words, places: readonly number[]): string[] {
  // `dotnet build -c Release`
  const isProgram = (at: number): boolean => Boolean(words[at]) && !/\s|^-|^(?:debug|release)$/i.test(words[at]!);
  const starts = [...new Set(places)].filter((at) => words[at] === ':::' || isProgram(at));
  return starts.slice(0, MOST + 1).flatMap((at) => {
    const [first, ...others] = words.slice(at).filter((word) => word !== ':::');
    if (!first) return NONE;
    // `nix run nixpkgs#git -- push`
    const program = first.slice(first.lastIndexOf('#') + 1);
    const texts = [textOf([program, ...others])];
    return others[0] === '--' ? [...texts, textOf([program, ...others.slice(1)])] : texts;
  });
}

const textOf = (words: Words): string => words.map((word) => (word === null ? UNKNOWN_WORD : quote(word))).join(' ');

/**
 * The places of the first operands. A word after an option may be its value or an operand: `nvm exec --silent 20 git push`.
 */
function leading(words: Words, from: number, most = 1): number[] {
  const out: number[] = [];
  let operands = 0;
  let mayBeValue = false;
  for (let at = from; at < words.length && operands < most; at++) {
    const word = words[at]!;
    if (word !== null && /^(?:-|v?\d)/.test(word)) mayBeValue = word.startsWith('-') && !word.includes('=');
    else {
      out.push(at);
      if (!mayBeValue) operands++;
      mayBeValue = false;
    }
  }
  return out;
}

const isStarter = (name: string): boolean => STARTERS.has(name) || STARTER.test(name);

/** A word of several words, if it is not prose, and the strings in it. */
function textsIn(word: string | null, before: string): string[] {
  if (word === null || !/[\s"'`]/.test(word)) return NONE;
  const value = VALUE.exec(word)?.[1];
  const texts = value === undefined ? [word] : [word, value];
  const whole = /\s/.test(word.trim()) && !BEFORE_PROSE.test(before) ? texts.flatMap(withoutLead) : NONE;
  return [...whole, ...commandsInCode(word)];
}

function withoutLead(text: string): string[] {
  const rest = text.replace(LEAD, '');
  return rest === text ? [text] : [text, rest];
}
