// Texts that say one thing again and again, with other names each time: what is looked up, copied or compared grows with them.

/** How the pieces of a text are joined. */
export const joints = ['; ', ' && ', ' || ', ' | ', '\n', ' & ', ' '];

/** How one piece lies in the one before: what stands in front and behind. `#` is another number at each depth. */
export const nests: readonly (readonly [string, string])[] = [
  ['{ ', '; }'],
  ['( ', ' )'],
  ['if ', '; then :; fi'],
  ['if ls; then ', '; fi'],
  ['while ', '; do :; done'],
  ['if ls; then :; else ', '; fi'],
  ['while ls; do ', '; done < a'],
  ['until ls; do ', '; done'],
  ['for i in a b; do ', '; done'],
  ['for i# in 1; do ', '; done'],
  ['for i# in 1; do cd a#; ', '; done'],
  ['for i in a b; do unset a#; ', '; done'],
  ['for ((i#=0; i#<3; i#++)); do ', '; done'],
  ['select i# in a; do ', '; done'],
  ['f() { ', '; }'],
  ['f#() { ', '; }; f#'],
  ['coproc { ', '; }'],
  ['ls | { ', '; }'],
  ['ls && { ', '; }'],
  ['case a in b) ', ';; esac'],
  ['echo $(', ')'],
  ["eval '", "'"],
  ['env ', ''],
  ['xargs ', ''],
  ['exec 3> a# ', ''],
  ['tsp -c ', ''],
];

/** One of each thing that the shell's state, the targets or the reasons grow by. `#` is another number each time. */
export const repeatedPieces = [
  'ln -s a.txt b#',
  'ln -s a# b',
  'ln -s a# b; cat b',
  'ln a# b#',
  'mv a# b#',
  'mv a# b; cat b/c',
  'cp -s a# b#',
  'cd a#',
  'cd a#; cd ..',
  'pushd a#',
  'rm -rf a#',
  'touch a',
  'export a#=1',
  'readonly a#=1',
  'readonly a# b#',
  'declare -i a#=1',
  'unset a#',
  'a#=1',
  'a=$a#',
  'a#=1 ls',
  'if a; then x#=1; else x#=2; fi',
  'f#() { ls; }',
  'f#() { a#=1; cd b#; }; f#',
  'alias a#=b',
  'ls > a#',
  'ls >> a < b#',
  'cat <<E#\nx\nE#\n',
  'cat <<< a#',
  'for i# in a b; do ls; done',
  'for i# in 1; { ls; }',
  'for i in a b; do x#=$x#$i; done',
  'while read a#; do ls $a#; done',
  'case a in b#) cd c#;; *) ls;; esac',
  '((a#++))',
  'echo {a,b}#',
  'echo {1..60}',
  'echo a#*',
  'x=a#; y#=$x',
  'curl a#.b',
  'curl -o a# b#.c',
  'git diff --output=a#',
  'git mv a# b#',
  'git -C a# status',
  'git bundle create a# HEAD',
  'npm test',
  'sed -i s/a/b/ a#',
  'bash -c "cd a#; ls"',
  'find . -exec rm {} \\;',
  'exec 3> a#',
  'printf -v a# b',
  'node a#.js',
];

/** A piece as often as it fits into so many characters, numbered. */
export function repeated(piece: string, joint: string, characters: number): string {
  let text = '';
  for (let number = 0; ; number++) {
    const more = (text === '' ? '' : joint) + piece.replaceAll('#', String(100 + number));
    if (text.length + more.length > characters) return text;
    text += more;
  }
}

/** The same, each in the one before; with no piece the nest alone. */
export function nested(piece: string, [front, behind]: readonly [string, string], characters: number): string {
  let [head, tail] = ['', ''];
  for (let number = 0; ; number++) {
    const numbered = (part: string) => part.replaceAll('#', String(100 + number));
    const more = numbered(piece === '' ? front : `${piece}; ${front}`);
    const end = numbered(behind);
    if (head.length + more.length + tail.length + end.length + 1 > characters) return `${head}:${tail}`;
    head += more;
    tail = end + tail;
  }
}
