// Names and commands in the words of a program that is not understood. They add restrictions only.
import type { BashCommand } from '../model/command.ts';
import { basename } from './targets.ts';

/** Words of these programs are often prose, such as a commit message. */
const PROSE = new Set(['git', 'gh', 'glab', 'hub', 'hg', 'jj', 'svn']);

/** These programs run their words in a container or on another host. */
export const ELSEWHERE = /^(?:docker|podman|nerdctl|kubectl|oc|ssh|vagrant|docker-compose)$/;

/** True if a word with blanks in it is probably not a program text. */
export function isProse(program: string | null | undefined): boolean {
  return PROSE.has(basename(program ?? ''));
}

/** A word after which many programs expect a command: `mise exec -- git push`, `nix develop -c git push`. */
const BEFORE_COMMAND = /^(?:exec|run|x|dlx|--|-c|--command|--run)$/;
/** Programs whose first operand is a command. */
const STARTS = /^(?:parallel|ld(?:-linux[\w-]*)?\.so[\d.]*)$/;
const STRING = /(["'`])((?:\\[\s\S]|(?!\1)[^\\])*)\1/g;
/** Only these characters come between the words of a list: `["git", "push"]`. */
const BETWEEN = /^[\s,[\]()]*$/;
/** Most commands that are taken from one text, and the longest one, in characters. */
const MOST = 30;
const LONGEST = 300;
/** Number of words that are searched, and of words among them after which a command may begin. */
const FIRST = 20;
const MOST_STARTS = 3;
const NONE: string[] = [];
/** Longest program text that is searched, in characters. */
const LONGEST_CODE = 4_000;

/** The strings in a program text that may be commands: `os.system("git push")`, `spawn("git", ["push"])`. */
export function commandsInCode(code: string, depth = 0): string[] {
  const out: string[] = [];
  let list = '';
  let end = -1;
  for (const found of code.matchAll(STRING)) {
    if (out.length > MOST) break;
    const text = found[2]!.replaceAll(/\\(["'`\\])/g, '$1');
    if (text.length > LONGEST) continue;
    list = end >= 0 && BETWEEN.test(code.slice(end, found.index)) ? `${list} ${text}` : text;
    end = found.index + found[0].length;
    out.push(list, ...text.split(/[;&|\n]+/), ...(depth < 2 ? commandsInCode(text, depth + 1) : []));
  }
  return [...new Set(out.map((text) => text.trim()))].filter((text) => text !== '');
}

/** The commands that the words of a program may contain. Deny and ask rules are also compared with them. */
export function containedCommands({ class: kind, argv, input }: BashCommand): string[] {
  const [program, ...rest] = argv.slice(0, FIRST);
  const name = basename(program ?? '');
  if ((kind !== 'runs' && kind !== 'unknown') || isProse(name) || ELSEWHERE.test(name)) return NONE;
  const starts = rest.flatMap((word, at) => (BEFORE_COMMAND.test(word ?? '') ? [at + 1] : []));
  const started = (STARTS.test(name) ? [0, ...starts] : starts).slice(0, MOST_STARTS).flatMap((at) => {
    const words = rest.slice(at).filter((word) => word !== ':::');
    const end = words.indexOf(null);
    const [first, ...others] = (end === -1 ? words : words.slice(0, end)) as string[];
    if (first === undefined || first.length > LONGEST) return [];
    return [[basename(first), ...others].join(' ').slice(0, LONGEST), ...(/\s/.test(first) ? [first] : [])];
  });
  const texts = [...rest, input ?? ''].filter((text) => text !== null && text.length <= LONGEST_CODE && /["'`]/.test(text));
  return [...started, ...texts.flatMap((text) => commandsInCode(text!).slice(0, MOST))];
}
