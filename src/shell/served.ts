// Servers of files: whatever is below their folder can be read with a request afterwards.
import { type Arg, argOf } from './arg.ts';
import { basename } from './targets.ts';

/** Each server by its first words, the options that name its folder, and whether an operand may name it. */
const SERVERS: readonly [words: RegExp, options: RegExp, operand: boolean][] = [
  [/^(?:python|pypy)[\d.]* (?:\S+ )*?-m http\.server( |$)/, /^(?:-d|--directory)$/, false],
  [/^php[\d.]* (?:\S+ )*?-S /, /^-t$/, false],
  [/^(?:httpd|busybox httpd)( |$)/, /^-h$/, false],
  [/^caddy file-server( |$)/, /^(?:-r|--root)$/, false],
  [/^ruby -run /, /^$/, true],
  [/^openssl s_server (?:\S+ )*?-(?:WWW|HTTP)( |$)/, /^$/, false],
  [/^twistd? (?:\S+ )*?web( |$)/, /^--path$/, false],
  [
    /^(?:(?:npx|bunx|pnpx|pnpm dlx|yarn dlx|bun x|npm exec) (?:-\S+ )*)?(?:serve|http-server|live-server|lite-server|ws|local-web-server|darkhttpd|miniserve|simple-http-server|webfsd|statik|quark|sfz|dufs)(?:@\S+)?( |$)/,
    /^(?:-d|-r|-g|--directory|--root|--docroot)$/,
    true,
  ],
];

/** The folder that the command serves, as an unknown name below it. null: it is no such server. */
export function servedFolder([program, ...rest]: readonly Arg[]): Arg | null {
  if (program?.literal == null) return null;
  const words = [basename(program.literal), ...rest.map(({ literal }) => literal ?? '\u2026')];
  const line = words.join(' ');
  const found = SERVERS.find(([start]) => start.test(line));
  if (found === undefined || /(?:^| )--(?:help|version)(?: |$)/.test(line)) return null;
  const [start, options, mayBeOperand] = found;
  const first = start.exec(line)![0].trim().split(' ').length;
  const named = words.flatMap((word, at) => {
    const [option = '', value] = word.split(/=(.*)/s);
    if (value !== undefined) return options.test(option) ? [value] : [];
    return at > 0 && options.test(words[at - 1]!) ? [word] : [];
  });
  const operands = mayBeOperand ? words.slice(first).filter((word, at, all) => isFolder(word, all[at - 1])) : [];
  const folders = [...named, ...operands];
  const { text, pos, end } = program;
  return argOf({ below: folders.length > 0 ? folders : ['.'], text, pos, end });
}

/** A word that is no option and probably not the value of one, such as a port. */
const isFolder = (word: string, before = ''): boolean => !/^(?:-|\d+$)/.test(word) && !/^--?[a-z]/.test(before);
