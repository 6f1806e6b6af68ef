// The files of a patch. A patch that cannot be read names none, and then the call may write anywhere.
import { describe, expect, test } from 'vitest';
import { patchedFiles } from '../../../src/facts/patch.ts';
import { callOf, factsOf } from '../../support/call.ts';
import { makeTree } from '../../support/tree.ts';

const envelope = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
const git = (...lines: string[]): string => ['diff --git a/src/a.js b/src/a.js', ...lines, ''].join('\n');

describe('patchedFiles', () => {
  const readable: [string, string, string[]][] = [
    ['an added file', envelope('*** Add File: src/a.js', '+one'), ['src/a.js']],
    [
      'an updated file',
      envelope('*** Update File: src/a.js', '@@ f()', ' one', '-two', '+three', '*** End of File'),
      ['src/a.js'],
    ],
    ['a deleted file', envelope('*** Delete File: src/a.js'), ['src/a.js']],
    ['a moved file', envelope('*** Update File: a', '*** Move to: b c', '@@', '-x', '+y'), ['a', 'b c']],
    [
      'several files',
      envelope('*** Add File: a', '+x', '*** Delete File: b', '*** Update File: /c', '@@', '+x'),
      ['a', 'b', '/c'],
    ],
    ['an indented header', envelope('*** Add File: a', '+x', '  *** Delete File: src/b '), ['a', 'src/b ', 'src/b']],
    // Codex keeps blanks before a name.
    ['blanks before a name', envelope('*** Add File:   a b', '+x'), ['  a b', 'a b']],
    ['blank lines around it', `\n${envelope('*** Add File: a', '+x')}\n\n`, ['a']],
    ['content that looks like a header', envelope('*** Add File: a', '+*** Delete File: b'), ['a']],
    ['a heredoc around it', `apply_patch <<'EOF'\n${envelope('*** Add File: a', '+x')}EOF\n`, ['a']],
    ['carriage returns', envelope('*** Add File: a', '+x').replaceAll('\n', '\r\n'), ['a']],
    ['a git diff', git('index 12ab..34cd 100644', '--- a/src/a.js', '+++ b/src/a.js', '@@ -1 +1,2 @@', ' x', '+y'), ['src/a.js']],
    ['a rename', git('similarity index 100%', 'rename from src/a.js', 'rename to lib/a.js'), ['src/a.js', 'lib/a.js']],
    ['a folder that ends like a prefix', 'diff --git a/x b/y b/x b/y\nold mode 100644\nnew mode 100755\n', ['x b/y']],
    ['a new file', git('new file mode 100644', '--- /dev/null', '+++ b/src/a.js', '@@ -0,0 +1 @@', '+x'), ['src/a.js']],
    ['a removed line of dashes', git('--- a/src/a.js', '+++ b/src/a.js', '@@ -1 +0,0 @@', '--- b'), ['src/a.js']],
    [
      'quoted names',
      'diff --git "a/src/\\303\\244\\t" b/x y\nrename from "src/\\303\\244\\t"\nrename to x y\n',
      ['src/ä\t', 'src/ä', 'x y'],
    ],
    ['a quoted name with a date', '--- "a/\\"x\\\\"\t2026-01-01\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n', ['"x\\']],
    [
      'binary files',
      `${git('index 12ab..34cd 100644', 'GIT binary patch', 'delta 3', 'zcmV+b0{', '', 'literal 0', 'HcmV?d00001', '')}diff --git a/b b/b\nnew file mode 100644\nindex 0000000..12ab\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n`,
      ['src/a.js', 'b'],
    ],
    ['a name with a date', '--- a/x\t2026-01-01\n+++ b/x\t2026-01-01\n@@ -1 +1 @@\n-a\n+b\n', ['x']],
    ['a name without a prefix', '--- src/x\n+++ src/x\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n', ['src/x', 'x']],
    ['a name with a blank after it', '+++ b/src/x \n@@ -0,0 +1 @@\n+b\n', ['src/x ', 'src/x']],
    ['an absolute name', '--- /src/x\n+++ /src/x\n@@ -1 +1 @@\n-a\n+b\n', ['/src/x', 'src/x']],
  ];
  test.each(readable)('reads %s', (_, text, files) => {
    expect(patchedFiles(text)).toEqual(files);
  });

  const unreadable: [string, string][] = [
    ['nothing', ''],
    ['prose', 'change a to b'],
    ['an envelope without files', envelope()],
    ['an unknown header', envelope('*** Add File: a', '+x', '*** Link File: b')],
    ['another environment', envelope('*** Environment ID: remote', '*** Add File: a', '+x')],
    ['a quoted name that is not UTF-8', git('--- "a/src/\\303"', '+++ b/src/a.js')],
    ['a quoted name with an unknown escape', git('rename from "src/\\q"', 'rename to b')],
    ['a quoted name without an end', git('--- "a/src/x', '+++ b/src/a.js')],
    ['a name in a diff that ends with a next-line character', git('rename from a', 'rename to src/a.js\u0085')],
    ['a quote within a name', git('--- a/src/"x"', '+++ b/src/a.js')],
    ['binary content without a name', 'GIT binary patch\nliteral 3\nabc\n'],
    ['binary content that goes on in another form', git('GIT binary patch', 'literal 3', 'abc', '- x')],
    ['a name that ends with a next-line character', envelope('*** Add File: src/a.js\u0085', '+x')],
    ['a name with a byte order mark', envelope('*** Add File: \ufeffa', '+x')],
    ['a header after a next-line character', envelope('*** Add File: a', '+x', '\u0085*** Delete File: b')],
    [
      'a diff of a file that contains an envelope',
      `--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n ${envelope('*** Add File: a', '-x').replaceAll('\n', '\n ')}`,
    ],
    ['a header before the envelope', `*** Delete File: a\n${envelope('*** Add File: b', '+x')}`],
    ['a hunk that is too short', git('--- a/x', '+++ b/x', '@@ -1,9 +1,9 @@', ' x')],
    ['a hunk that is too long', git('--- a/x', '+++ b/x', '@@ -1 +1 @@', ' x', '+y')],
    ['a new link', git('new file mode 120000', '--- /dev/null', '+++ b/src/a.js', '@@ -0,0 +1 @@', '+/etc/passwd')],
    ['a changed link', git('index 12ab..34cd 120000', '--- a/src/a.js', '+++ b/src/a.js', '@@ -1 +1 @@', '-a', '+b')],
    ['a file that becomes a link', git('old mode 100644', 'new mode 120000')],
    ['a submodule', git('new file mode 160000', 'index 0000000..12ab')],
    ['a line that names two files in more than one way', 'diff --git a/x b/y b/z\nold mode 100644\nnew mode 100755\n'],
    ['a line of ed', '1c\nx\n.\n'],
  ];
  test.each(unreadable)('does not read %s', (_, text) => {
    expect(patchedFiles(text)).toBeNull();
  });
});

test('every file of a patch is a write of the call, and an unreadable patch may write anywhere', () => {
  const tree = makeTree();
  const facts = (patch: string) => factsOf(callOf('ApplyPatch', { patch }, tree.root), tree.place());
  const two = facts(envelope('*** Add File: a', '+x', '*** Update File: src/b', '*** Move to: ../c', '@@', '+x'));
  expect(two.writes.map(({ path }) => path)).toEqual(['a', 'src/b', expect.stringMatching(/\/c$/)]);
  expect(two.may_write_anywhere).toBeNull();
  expect(facts('garbage').may_write_anywhere).toEqual([expect.objectContaining({ why: 'the patch cannot be read' })]);
});
