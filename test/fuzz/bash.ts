// The analyser of Bash. Its model: a plain command whose name writes, with something to write, is not read-only; nor is a text in
// which a row of the corpora that changes something stands as a command of its own.
import { readFileSync } from 'node:fs';
import type { BashClass } from '../../src/model/command.ts';
import { analyse, CRASHED } from '../../src/shell/analyse.ts';
import { MAX_CHARACTERS } from '../../src/shell/parse.ts';
import { joints, nested, nests, repeated, repeatedPieces } from './repeat.ts';
import type { Target } from './target.ts';

const WRITES_ONE = /^(?:touch|rm|rmdir|mkdir|mkfifo|unlink|truncate|shred|tee|sponge|dd of=\S+) /;
const WRITES_TWO = /^(?:mv|cp|ln|install|chmod|chown) (?:\S+ )*[^-\s]\S* [^-\s]/;
const WORDS = [
  ...[
    '; ',
    ' && ',
    ' || ',
    ' | ',
    '\n',
    ' & ',
    '$(',
    ')',
    '`',
    '"',
    "'",
    '<(',
    '>(',
    '{ ',
    '; }',
    '(',
    '<<E\n',
    '\nE\n',
    '<<<',
    '((',
    '))',
    '[[ ',
    ' ]]',
  ],
  ...[
    '> ',
    '>> ',
    '>| ',
    '&> ',
    '2>&1',
    '< ',
    '<> ',
    '3> ',
    '> /dev/null',
    '$x',
    '${x:-',
    '}',
    '${x@P}',
    '$((',
    '$RANDOM',
    '~',
    '*',
    '{a,b}',
    "$'\\x61'",
    '\\\n',
  ],
  ...[
    'touch pwned',
    'rm -rf src',
    'cat a.txt',
    'ls',
    'sed -i s/a/b/ a',
    'git ',
    'find . ',
    '-exec ',
    ' \\;',
    '-delete',
    'xargs ',
    'env ',
    'sudo ',
    'timeout 5 ',
    'bash -c ',
    'eval ',
    'npm test',
  ],
  ...[
    'if ',
    '; then ',
    '; fi',
    'for i in ',
    '; do ',
    '; done',
    'case x in ',
    'esac',
    'f() ',
    'x=',
    'export ',
    'local ',
    'trap ',
    'cd ',
    '-o ',
    '--output=',
    '--help',
    '-c ',
    ' # ',
  ],
];

/** Words of plain letters, so that nothing of Bash has a part in it. */
const PLAIN = /^[\w./-]+(?: [\w./,=+-]+)*$/;
/** The one word behind such an option may be its value. */
const VALUED = /^(?:touch|truncate|mkdir|mkfifo|shred) (?:-\S+ )*-\w*[dmnrst] \S+$/;
const harmless = (text: string) =>
  /(?:^| )--?(?:help|version|h|V)(?: |$)|\/dev\//.test(text) || !/ [^-]/.test(text) || VALUED.test(text);
const CLASSES: BashClass[] = ['read-only', 'writes', 'runs', 'unknown'];

const context = { cwd: '/p', home: '/home/u' };

const commands = (name: string): string[] =>
  readFileSync(`test/corpora/${name}.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => (JSON.parse(line) as { command: string }).command);

export function bashTarget(): Target {
  const mutating = commands('bash-mutating');
  const reading = commands('bash-readonly');
  const unparsable = commands('bash-unparsable');
  const plainMutating = new Set(mutating.filter((command) => PLAIN.test(command)));
  return {
    name: 'bash',
    seeds: [...mutating, ...reading, ...unparsable, ...commands('zsh-mutating')],
    words: WORDS,
    make(pick) {
      const one = <T>(list: readonly T[]) => list[pick(list.length)]!;
      const piece = () => (pick(3) === 0 ? one([...mutating, ...reading]) : one(repeatedPieces));
      const long = MAX_CHARACTERS - pick(2_000);
      if (pick(3) === 0) return nested(piece(), one(nests), long);
      if (pick(2) === 0) return repeated(piece(), one(joints), long);
      const joint = one(joints);
      return repeated(piece(), joint, long / 2) + joint + repeated(piece(), joint, long / 2 - joint.length);
    },
    check(text) {
      const facts = analyse(text, context);
      const why = facts.why.find((one) => one.text.startsWith(CRASHED));
      if (why) return why.text;
      if (!CLASSES.includes(facts.class)) return `has the class ${facts.class}`;
      const worst = Math.max(0, ...facts.commands.map((command) => CLASSES.indexOf(command.class)));
      if (CLASSES.indexOf(facts.class) < worst) return 'is of a better class than one of its commands';
      if (facts.class !== 'read-only') return null;
      if (facts.writes.length > 0) return 'is read-only and writes';
      if (facts.uncertain.length > 0) return 'is read-only and uncertain';
      let at = 0;
      for (const piece of text.split(/(\n|;|&&|\|\|)/)) {
        // Behind these the part may be a text, or never run.
        if (/['"`#\\<]|\$['{]/.test(text.slice(0, at))) break;
        at += piece.length;
        const part = piece.trim();
        if (plainMutating.has(part)) return `is read-only, and "${part}" changes something`;
        if (PLAIN.test(part) && (WRITES_ONE.test(part) || WRITES_TWO.test(part)) && !harmless(part))
          return `is read-only, and "${part}" writes`;
      }
      return null;
    },
  };
}
