// What is kept of a word that only the running command knows in full.
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/shell/analyse.ts';

const all = (text: string): string[] =>
  analyse(text, { cwd: '/w', home: '/home/ann' }).open.map(
    ({ kind, outline, confined }) => `${kind} ${outline.join('…')}${confined ? ' confined' : ''}`,
  );

/** Without reads of which nothing is known. */
const open = (text: string): string[] => all(text).filter((one) => one !== 'read …');

describe('a partly known target', () => {
  it.each<[string, string[]]>([
    ['cat "$U/secret/key"', ['read …/secret/key']],
    ['cat ${U}secret/key', ['read …secret/key']],
    ['cat $(f)/key', ['read …/key']],
    ['cat `f`/key', ['read …/key']],
    ['cat secret/$x', ['read /w/secret/…']],
    ['cat secret/"$x".pem', ['read /w/secret/….pem']],
    // What is not quoted may be several words.
    ['cat secret/$x.pem', ['read /w/secret/…', 'read ….pem']],
    ['cat {a..z}{a..z}{a..z}ecret/key', ['read …ecret/key']],
    ['cat "$a/secret/$b"', ['read …/secret/…']],
    ['f="$U/.env"; cat "$f"', ['read …/.env']],
    ['if x; then f="$U/.env"; else f="$V/b"; fi; cat "$f"', ['read …/.env', 'read …/b']],
    ['export F="$U/.env"; cat "$F"', ['read …/.env']],
    ['cat "${F:-.env}"', ['read /w/.env']],
    ['cd "$x" && cat key', ['read …/key']],
    ['cd "$x" && cat *.pem', ['read …/….pem']],
    ['cat "$x"', []],
    ['grep -r a "$x/src"', ['read …/src', 'read …/src/…']],
    ['for f in a b; do cat "$U/$f"; done', ['read …/a', 'read …/b']],
    ['echo y > "$U/a"', ['write …/a']],
    ['cd "$x" && echo y > .claude/s.json', ['write …/.claude/s.json']],
    ['echo y > "$x"', ['write …']],
    ['echo y > $(f)', ['write …']],
    ['cp a "$x"', ['write …']],
    ['cp a "$(dirname "$f")/hooks/pre-commit"', ['write …/hooks/pre-commit']],
    ['cp a $(dirname "$f")/hooks/pre-commit', ['write …', 'write …/hooks/pre-commit']],
    ['tee "$U/a" b', ['write …/a']],
    ['rm -rf "$U/src"', ['write …/src']],
    ['echo y > out/$RANDOM.txt', ['write /w/out/….txt confined']],
    ['i=0; while x; do i=$((i+1)); echo y > out/$i; done', ['write /w/out/… confined']],
    ['echo y > a', []],
    ['cat a', []],
  ])('%s', (text, expected) => {
    expect(open(text)).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ['cat "$x"', ['read …']],
    ['cat $x', ['read …']],
    ['xargs cat < list', ['read …']],
    ['while read f; do cat "$f"; done < list', ['read …']],
    ['wc --files0-from=list', ['read …']],
    ['cat /proc/$$/cwd/key', ['read /proc/…/cwd/key confined', 'read …/key']],
    ['ls "$x"', []],
    ['find . | xargs cat', []],
    ['for f in *; do cat "$f"; done', []],
    ['a=(x y); cat "${a[@]}"', []],
    ['cat "${F:-.env}"', ['read …', 'read /w/.env']],
  ])('a read is unknown: %s', (text, expected) => {
    expect(all(text)).toEqual(expected);
  });

  it('keeps no more pieces than fit, and ends in loops that make a value longer', () => {
    expect(open('x="$U"; while y; do x="$x/a"; cat "$x/key"; done').length).toBeGreaterThan(0);
    expect(open(`cat ${'"$x"/a'.repeat(200)}`)[0]!.length).toBeLessThan(100);
  });
});
