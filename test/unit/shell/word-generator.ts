// Random words of Bash, and the variables that they use.

/** Numbers from a seed, so that a failure can be repeated. */
export class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = (seed * 2_654_435_761) >>> 0 || 1;
  }

  below(n: number): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    this.state >>>= 0;
    return this.state % n;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** Assignments in front of a batch of words: one line of each kind is taken. */
const PRELUDES: readonly (readonly string[])[] = [
  ['x=secret/key.bak', 'x=.env', "x='a b'", 'x=', "x='*.t'", 'x=Ab.Cd', "x=$(printf 'secret/%s' key)", 'x=~/a', 'x=x/y/z.tar.gz'],
  ['y=v', 'y=key', "y=' lead'", "y='trail '", 'y=n"v"', "y=$'t\\tab'", 'y=$x$x', 'y=${x##*/}', 'y=3'],
  [
    'a=(.env b)',
    'a=()',
    'a=("a b" c)',
    'a=(one)',
    'a=(1 2 3); a+=(4)',
    'a=(p q); a[1]=r',
    'a=({a,b}c "$x")',
    'declare -a a=(m n)',
  ],
  ['n=2', 'n=0', 'n=1'],
  ['set --', 'set -- .env b', 'set -- "a b"', 'set -- one two three; shift'],
  [': plain', 'shopt -s extglob', 'shopt -s nocasematch', 'shopt -s extglob nocasematch'],
  [': plain', 'b=x', 'b=y; y=w', 'if true; then b=q; else b=r; fi', 'for b in u v; do :; done', 'b=$UNSET_IN_TEST'],
];

export function prelude(dice: Dice): string {
  return PRELUDES.map((lines) => dice.of(lines)).join('\n');
}

const LITERALS = [
  'a',
  '.env',
  'secret',
  '/',
  'key',
  '.',
  '-',
  'b.t',
  '~',
  '=',
  ':',
  ',',
  '_',
  '1',
  '..',
  'x=',
  '}',
  '@',
  '%',
  '+',
];
const NAMES = ['x', 'y', 'b', 'x', 'y'];
const GROUPS = ['+(a)', '*(K)', '?(.)*', '@(a|.e|secret)*', '!(a)', '+([a-c])*', '"+(a)"', '*(/)x', '+(x|e)y', 'EN', 'b|(a)'];
const PATTERNS = [
  '*',
  '?',
  '*.',
  '.*',
  '*/',
  '/*',
  'a',
  'key',
  '"*"',
  '[a-c]',
  '[!a]*',
  '$y',
  '"$y"',
  'b*',
  '\\*',
  '[0-9]',
  ...GROUPS,
];

function operator(dice: Dice): string {
  const p = () => dice.of(PATTERNS);
  switch (dice.below(14)) {
    case 0:
      return `${dice.of(['-', ':-', '+', ':+'])}${operand(dice)}`;
    case 1:
      return `${dice.of(['#', '##', '%', '%%'])}${p()}`;
    case 2:
      return `${dice.of(['#', '##', '%', '%%'])}${p()}`;
    case 3:
      return `${dice.of(['/', '//', '/#', '/%'])}${dice.of(['', ...PATTERNS.filter((one) => !one.includes('/'))])}/${dice.of(['', 'Z', 'q.r', 's/k', '$n', '"v"', '&', 'a&'])}`;
    case 4:
      return `:${dice.of(['0', '1', '2', ' -2', '$n', 'n', '99'])}`;
    case 5:
      return `:${dice.of(['0', '1', ' -3'])}:${dice.of(['1', '3', '0', '$n', ' -1'])}`;
    case 6:
      return dice.of(['^', '^^', ',', ',,', '^^[a-c]', ',a']);
    case 7:
      return `@${dice.of(['U', 'L', 'u', 'Q', 'E'])}`;
    default:
      return '';
  }
}

function operand(dice: Dice): string {
  return dice.of(['d', '', '.env', 'p q', '"p q"', "'s'", '$x', '"$y"', '~/d', '*.t', '{c,d', '$(printf z)', '\\.e', '$n']);
}

function expansion(dice: Dice): string {
  switch (dice.below(10)) {
    case 0:
      return `$${dice.of(NAMES)}`;
    case 1:
      return `\${${dice.of(['a[@]', 'a[*]', '@', '*'])}${dice.of(['', '', '', '%b', '^^', ':1', ':0:1', ':1:2', '/b/c', '/#/s/', '/%//k', '/*/&k', '#b'])}}`;
    case 2:
      return `\${a[${dice.of(['0', '1', '2', '-1', '$n', 'n'])}]}`;
    case 3:
      return dice.of(['${#x}', '${#a[@]}', '$#', '$1', '${2}', '$@', '$*', '${!a[@]}', '${a}', '$a']);
    case 4:
      return dice.of(['$PWD', '$HOME', '${HOME}', '${PWD##*/}', '$((1+n))', '$$', '$?']);
    case 5:
      return substitution(dice);
    default:
      return `\${${dice.of(NAMES)}${operator(dice)}}`;
  }
}

function substitution(dice: Dice): string {
  const inner = dice.of([
    'printf .en%s v',
    'printf "%s/%s" secret key',
    "printf '%s\\n' a b",
    'printf "%d" 7',
    'printf %s "$x"',
    'printf "a\\tb"',
    'echo .env',
    'echo "$x"',
    'echo $x $y',
    'echo -n q',
    'echo a  b',
    'dirname secret/x',
    'dirname "$x"',
    'basename secret/x.t',
    'basename x/a.bak .bak',
    'pwd',
    'cd secret && pwd',
    'echo a; echo b',
    'true && echo c',
    'echo a | tr a b',
    'cat <<< "$y"',
    'realpath secret/../secret/key',
    'readlink -f secret',
    ':',
    'false || echo d',
    'echo "$(echo e)f"',
    'basename /',
    'dirname /',
    'printf "%s-" "${a[@]}"',
    'echo {g,h}',
    'printf "%b" "a b"',
    'command echo k',
  ]);
  return dice.below(4) === 0 && !/[`\\]/.test(inner) ? `\`${inner}\`` : `$(${inner})`;
}

function braces(dice: Dice, depth: number): string {
  if (dice.below(4) === 0)
    return dice.of([
      '{1..3}',
      '{a..c}',
      '{3..1}',
      '{01..03}',
      '{a..e..2}',
      '{-1..1}',
      '{1..2',
      '{x}',
      '{}',
      '{A..C}',
      '{5..1..2}',
      '{1..a}',
      '{,}',
    ]);
  const items = Array.from({ length: 1 + dice.below(3) }, () => (dice.below(3) === 0 ? '' : chunks(dice, depth + 1)));
  return `{${items.join(',')}}`;
}

function quoted(dice: Dice): string {
  switch (dice.below(6)) {
    case 0:
      return dice.of(["'a b'", "'.env'", "'*'", "''", "'$x'", "'{a,b}'"]);
    case 1:
      return dice.of(["$'.e\\x6ev'", "$'a\\tb'", "$'\\u0041'", "$'q\\'r'", "$'\\101'", "$'a\\\\b'"]);
    case 2:
      return dice.of(['\\ ', '\\*', '\\$x', '\\~', '\\{', '\\a', '\\,', '\\"']);
    case 3:
      return dice.of(['""', '"a b"', '"*"', '"{a,b}"', '"~"', '"\\$x"', '"a\\b"']);
    default:
      return `"${dice.below(3) === 0 ? dice.of(['p', ' ', '.e', "'"]) : ''}${expansion(dice)}${dice.below(3) === 0 ? dice.of(['p', ' s', '/k']) : ''}"`;
  }
}

function chunk(dice: Dice, depth: number): string {
  const kind = dice.below(depth > 1 ? 9 : 11);
  if (kind < 3) return dice.of(LITERALS);
  if (kind < 6) return expansion(dice);
  if (kind < 8) return quoted(dice);
  if (kind === 8) return dice.of(['*', '?', '[ab]', '*.t', 's*', '[!a]', 'se?ret']);
  return braces(dice, depth);
}

function chunks(dice: Dice, depth: number): string {
  return Array.from({ length: 1 + dice.below(depth > 0 ? 2 : 4) }, () => chunk(dice, depth)).join('');
}

/** One word, as it would be written in a command. */
export function word(dice: Dice): string {
  const start = dice.below(12) === 0 ? dice.of(['~', '~/', '~+/', '~nobody/', 'if=~/', '~-']) : '';
  return start + chunks(dice, 0);
}
