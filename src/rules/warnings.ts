// Warnings about path patterns that are valid in gitignore syntax but probably not intended.

export interface PatternProblem {
  message: string;
  remedy: string;
  /** Offset in the pattern's text. */
  at: number;
}

/** `$` in the texts is replaced by the matched text. */
interface Doubt {
  found: RegExp;
  message: string;
  remedy: string;
}

const bare = 'Remove them, or write a \\ before a blank, a quote or a * that is part of the name.';
const names = 'Write a rule for each, or {a,b} without a space.';
const table: readonly Doubt[] = [
  {
    found: /(?<=^|\/)\$(?:\{\w+\}|[A-Z_][A-Z0-9_]*)(?=\/|$)|%[A-Za-z_]+%/,
    message: '$ is a name here: variables are not expanded',
    remedy: 'Write ~/ for the home folder, or // and the path from the root of the system.',
  },
  {
    found: /^\/{0,2}[A-Za-z]:(?=[\\/])/,
    message: '$ is a folder of that name here, not a drive',
    remedy: 'Write // and the path from the root of the system, with / between its folders.',
  },
  {
    found: /(?<=\w)\\(?:\*\*|[\w.])/,
    message: '$ is the character after the \\, which does not separate folders',
    remedy: 'Write / between folders.',
  },
  {
    found: /^[a-z]+:\/\//,
    message: '$ is part of the name: a rule takes a path, not a URL',
    remedy: 'Write // and the path after it.',
  },
  { found: /(?<!\\), /, message: 'the space after the comma is part of the name', remedy: names },
  {
    found: /(?<=^[^{}\\]*),(?=[.*~/][^{}]*$)|(?<=^[^{}\\]*[*/]),(?=[^{}]*$)/,
    message: 'the comma is part of the name',
    remedy: names,
  },
  {
    found: /(?<=\/)\*\*+(?=[\w.{-])/,
    message: '$ matches no further folders here, because it is only a part of the name',
    remedy: 'Write **/* in its place.',
  },
  { found: /(?<=[^\\,])\x20(?=[.~*/])/, message: 'the space is part of the name', remedy: names },
  {
    found: /(?<=^|\/)\.\.\.+(?=\/|$)/,
    message: '$ is a folder of that name here',
    remedy: 'Write ** for any folders.',
  },
  {
    found: /^@s[cratch]{3,6}s?$/,
    message: '$ is a name here',
    remedy: 'Write @scratch for the temporary folder.',
  },
  {
    found: /(?<=\.\w+):\d+(?:[:-]\d+)?$/,
    message: '$ is part of the name: a rule is about the whole file',
    remedy: 'Remove it.',
  },
  { found: /(?<!\\)[|;]/, message: '$ is part of the name', remedy: names },
  {
    found: /^(?:\.|\.?\/|~\/?|\/\/)$/,
    message: '$ is only that folder, and nothing in it',
    remedy: 'Write ** for everything in the project, ~/** for the home folder, //** for the whole system.',
  },
  { found: /^(["'`]).*\1$/, message: 'the quotes $ are part of the name', remedy: bare },
  {
    found: /^~[A-Za-z_]\w*(?=\/|$)/,
    message: '$ is a name here: only ~/ is a home folder',
    remedy: 'Write // and the path of that home folder.',
  },
  {
    found: /\\\.\w+\$$|\.[*+]\$$|(?<=\w)\$$/,
    message: '$ is part of the name: a pattern is not a regular expression',
    remedy: 'Remove it; * matches any text of a name, ** any folders.',
  },
  {
    found: /\.\+(?=\\|\/|$)|\.\*(?=\\\.(?!.*\$$))/,
    message: '$ is part of the name: a pattern is not a regular expression',
    remedy: 'Remove it; * matches any text of a name, ** any folders.',
  },
  {
    found: /^(?:regexp?|re|glob|path|file|filepath|dir|folder):(?!\/)/,
    message: '$ is part of the name: a rule takes only a pattern of paths',
    remedy: 'Remove it; * matches any text of a name, ** any folders.',
  },
  { found: /\s#.*/, message: '$ is part of the name: a rule has no comment', remedy: 'Remove it.' },
  {
    found: /^\/\/~(?=\/|$)/,
    message: '$ is a folder of that name at the root of the system',
    remedy: 'Write ~/ for the home folder.',
  },
  {
    found: /^\^/,
    message: '$ is part of the name: a pattern is not a regular expression',
    remedy: 'Remove it; * and ** match any text.',
  },
];

/** Warnings for a pattern that is valid but probably not intended, at most one of each kind. */
export function warningsOf(text: string, home: string): PatternProblem[] {
  const warnings = table.flatMap(({ found, message, remedy }) => {
    const match = found.exec(text);
    return match === null
      ? []
      : [{ message: message.replace('$', () => (remedy === bare ? (match[1] ?? '') : match[0])), remedy, at: match.index }];
  });
  return [...warnings, ...fromTheRoot(text, home), ...inBrackets(text), ...unopened(text)];
}

/**
 * Folders at the root of a system that projects hardly ever have at their root. Folders that projects do have (bin, lib, dev,
 * data) are not included.
 */
const systemFolders =
  /^\/(?:home|Users|root|etc|tmp|opt|srv|mnt|media|var|usr|proc|sys|boot|nix|snap|private\/(?:tmp|var|etc)|cores|Volumes|Applications|Library|System|Network|run\/(?:secrets|user|lock)|dev\/(?:shm|null|tty|sd|disk|fd))(?=[/*?]|$)/;

function fromTheRoot(text: string, home: string): PatternProblem[] {
  if (text.startsWith('//') || !(systemFolders.test(text) || text.startsWith(`${home}/`))) return [];
  return [
    {
      message: 'a single / begins at the root of the project',
      remedy: `Write /${text} from the root of the system, or .${text} from that of the project.`,
      at: 0,
    },
  ];
}

function inBrackets(text: string): PatternProblem[] {
  const named = /(?<=^|\/)\[+(?:\.\.\.)?[A-Za-z_][\w-]+\]+(?=\/|$)/.exec(text);
  if (named === null || /^\[[^\]]-[^\]]\]$/.test(named[0])) return [];
  return [
    {
      message: `${named[0]} matches one character, not a name in brackets`,
      remedy: `Write ${named[0].replace(/[[\]]/g, '\\$&')} for the name.`,
      at: named.index,
    },
  ];
}

/** A ) without its (. */
function unopened(text: string): PatternProblem[] {
  const at = unopenedAt(text);
  if (at === -1) return [];
  return [
    {
      message: 'the ) is part of the name, because no ( opens it',
      remedy: 'Remove it, or write \\) where the name has one.',
      at,
    },
  ];
}

/** The offset of a ) without its (; -1 if there is none. */
function unopenedAt(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth < 0) return at;
  }
  return -1;
}
