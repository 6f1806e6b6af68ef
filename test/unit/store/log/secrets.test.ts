// What is taken for a secret: the table of patterns, each with an example, and texts that hold none.
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isSecretName, isSecretOption, plainNames, REDACTED, redact, secretPatterns } from '../../../../src/store/log/secrets.ts';

interface Row {
  name: string | null;
  text: string;
  secret: string | null;
}
const rows = fs
  .readFileSync(new URL('secrets.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

test('every pattern has an example', () => {
  const shown = new Set(rows.map(({ name }) => name));
  expect(secretPatterns.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
});

test.each(rows.filter(({ secret }) => secret !== null))('$text', ({ name, text, secret }) => {
  const found: string[] = [];
  const masked = redact(text, (one) => found.push(one));
  expect(text).toContain(secret);
  expect(masked).not.toContain(secret);
  expect(masked).toContain(REDACTED);
  expect(found.length).toBeGreaterThan(0);
  const named = secretPatterns.find((pattern) => pattern.name === name);
  expect(text).toMatch(named!.match);
});

test.each(rows.filter(({ secret }) => secret === null))('$text is kept', ({ text }) => {
  expect(redact(text, () => undefined)).toBe(text);
});

test('a masked text is unchanged by a second pass', () => {
  for (const { text } of rows) {
    const once = redact(text, () => undefined);
    expect(redact(once, () => undefined)).toBe(once);
  }
});

describe('long texts', () => {
  // Beginnings that a pattern could try again and again; a step for each character squared would not end in this test's time.
  const pieces = [
    'eyJ',
    'token',
    'a.',
    '-u a',
    'mysql ',
    '-----BEGIN RSA PRIVATE KEY-----',
    'https://a',
    'login a ',
    'password',
    '--secret ',
    'authorization ',
    'Bearer ',
    'x_',
    '"',
  ];
  test.each(pieces)('of repeated %j are searched', (piece) => {
    const text = piece.repeat(Math.ceil(400_000 / piece.length));
    expect(redact(text, () => undefined).length).toBeGreaterThan(0);
  });
});

describe('names', () => {
  test.each(['password', 'DB_PASSWORD', 'apiKey', 'client_secret', 'Authorization', 'x-api-key', 'githubToken', 'cookie'])(
    '%s names a secret',
    (name) => {
      expect(isSecretName(name)).toBe(true);
    },
  );
  test.each(['author', 'key', 'path', 'command', 'keys', 'allow_keys', 'cookies_accepted'])('%s does not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });

  // In capitals a name is looked at by the pattern, which does not go by case.
  test('names in every line do not match the patterns either', () => {
    for (const name of plainNames) {
      expect([name, isSecretName(name.toUpperCase())]).toEqual([name, false]);
      expect(redact(name, () => undefined)).toBe(name);
    }
  });
  test.each([
    ['--password', true],
    ['-token', true],
    ['--api-key', true],
    ['--password=x', false],
    ['password', false],
    ['--verbose', false],
  ])('%s takes a secret: %s', (option, expected) => {
    expect(isSecretOption(option)).toBe(expected);
  });
});
