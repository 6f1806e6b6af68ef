// A path of which only parts are known, held against deny rules.
import { describe, expect, it } from 'vitest';
import type { PathOutline } from '../../../src/model/facts.ts';
import { rulePathFilter } from '../../../src/rules/path-filter.ts';
import { dataOf } from '../../support/policy.ts';

/** `…` stands for what is not known; a path that begins so has an unknown head. */
function outline(text: string): PathOutline {
  const pieces = text.split('…');
  return { pieces, head: text.startsWith('…') ? 'unknown' : text.startsWith('/') ? 'absolute' : 'relative' };
}

const could = (rule: string, text: string): boolean =>
  rulePathFilter(dataOf({ deny: [`Read(${rule})`] })).couldMatchReadOutline(outline(text));

describe('an outline could match', () => {
  it.each<[rule: string, path: string, expected: boolean]>([
    ['secret/**', '…/secret/key', true],
    ['secret/**', '…secret/key', true],
    ['secret/**', '…cret/key', true],
    ['secret/**', '…/key', true],
    ['secret/**', '…/secret/…', true],
    ['secret/**', 'secret/…', true],
    ['secret/**', 'secr…', true],
    ['secret/**', 'src/…', false],
    ['secret/**', 'src/secret/…', true],
    ['/secret/**', 'src/secret/…', false],
    ['/secret/**', 'secret/…', true],
    ['/src/private/**', 'src/…', true],
    ['/src/private/**', 'docs/…', false],
    ['.env', '…/.env', true],
    ['.env', '….env', true],
    ['.env', '…nv', true],
    ['.env', '….envrc', false],
    ['.env', '…/README.md', false],
    ['.env', 'src/.e…', true],
    ['.env', 'src/…', false],
    ['.env', '…/.env/…', true],
    ['*.pem', '….pem', true],
    ['*.pem', '…m', true],
    ['*.pem', '…/a.pem', true],
    ['*.pem', '…/a.txt', false],
    ['*.pem', 'keys/…', false],
    ['.env.*', '…/.env.local', true],
    ['.env.*', '…/README.md', false],
    ['.env.*', 'a/.env.…', true],
    ['src/**/*.key', '…/a.key', true],
    ['src/**/*.key', 'src/….key', true],
    ['src/**/*.key', 'docs/….key', false],
    ['config/[ab]?.json', '…/a1.json', true],
    ['config/[ab]?.json', '…/long.json', false],
    ['~/.aws/**', '…/.aws/credentials', true],
    ['~/.aws/**', '/home/ann/.aws/…', true],
    ['~/.aws/**', '/etc/…', false],
    ['//etc/shadow', '…/shadow', true],
    ['//etc/shadow', '/etc/sha…', true],
    ['//etc/shadow', '/etc/pass…', false],
    ['secret/key', '…/key', true],
    ['secret/key', '…/other', false],
  ])('Read(%s) and %s: %s', (rule, path, expected) => {
    expect(could(rule, path)).toBe(expected);
  });
});
