// Edits of a JSON text: what is not edited stays as it is.
import { describe, expect, test } from 'vitest';
import { isStrict, JsonText } from '../../../src/app/setup/json-text.ts';

type Edit = (json: JsonText) => unknown;
const edited = (text: string, edit: Edit): string => {
  const json = new JsonText(text);
  edit(json);
  return json.text;
};
const add: Edit = (json) => json.append(['a', 'b'], 1);
const first: Edit = (json) => json.remove(['a', 'b', 0]);
const last: Edit = (json) => json.remove(['a', 'b', 1]);

describe('append', () => {
  test.each<[string, string, string]>([
    ['an empty object', '{}', '{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}'],
    ['a missing list', '{"a": {"c": 2}}', '{"a": {"c": 2,\n    "b": [\n      1\n    ]\n  }}'],
    ['an empty list', '{"a": {"b": []}}', '{"a": {"b": [\n      1\n    ]}}'],
    ['one line', '{"a": {"b": [0]}}', '{"a": {"b": [0,\n      1\n    ]}}'],
    ['tabs', '{\n\t"a": {\n\t\t"b": [\n\t\t\t0\n\t\t]\n\t}\n}\n', '{\n\t"a": {\n\t\t"b": [\n\t\t\t0,\n\t\t\t1\n\t\t]\n\t}\n}\n'],
    [
      'a comment at the end',
      '{"a": {\n  "b": [\n    0 // mine, all mine\n  ]\n}}',
      '{"a": {\n  "b": [\n    0, // mine, all mine\n      1\n    ]\n}}',
    ],
    ['a trailing comma', '{"a": {"b": [0, /* x */ ], }, }', '{"a": {"b": [0, /* x */\n      1\n    ], }, }'],
    ['CRLF', '{\r\n  "a": {"b": [0]}\r\n}', '{\r\n  "a": {"b": [0,\r\n      1\r\n    ]}\r\n}'],
    ['a byte order mark', '\ufeff{"a": {"b": []}}', '\ufeff{"a": {"b": [\n      1\n    ]}}'],
  ])('with %s', (_, before, after) => expect(edited(before, add)).toBe(after));
});

describe('remove', () => {
  test.each<[string, string, Edit, string]>([
    ['the only item', '{"a": {"b": [0]}}', first, '{"a": {"b": []}}'],
    ['the first item', '{"a": {"b": [0, 2]}}', first, '{"a": {"b": [ 2]}}'],
    ['the last item', '{"a": {"b": [0, 2]}}', last, '{"a": {"b": [0 ]}}'],
    [
      'the last item after a comment of another',
      '{"a": {"b": [\n  0, // about 0, mine\n  2\n]}}',
      last,
      '{"a": {"b": [\n  0 // about 0, mine\n]}}',
    ],
    ['an item with a comment', '{"a": {"b": [\n  0, // old\n  2\n]}}', first, '{"a": {"b": [\n   // old\n  2\n]}}'],
    ['an item before a comment and a comma', '{"a": {"b": [0 /* , */, 2]}}', first, '{"a": {"b": [ /* , */ 2]}}'],
    ['an item with a trailing comma', '{"a": {"b": [0, 2,]}}', last, '{"a": {"b": [0, ]}}'],
    ['a key', '{"a": {"b": 1}, "c": 2}', (json) => json.remove(['a']), '{ "c": 2}'],
    ['what is not there', '{"c": 2}', first, '{"c": 2}'],
    ['an empty list', '{"a": {"b": [ ]}, "c": 2}', (json) => json.removeIfEmpty(['a', 'b']), '{"a": {}, "c": 2}'],
    ['no list with a comment', '{"a": [ /**/ ]}', (json) => json.removeIfEmpty(['a']), '{"a": [ /**/ ]}'],
  ])('of %s', (_, before, edit, after) => expect(edited(before, edit)).toBe(after));
});

test.each<[string, boolean, boolean]>([
  ['{"a": 1}', true, true],
  ['\ufeff{"a": 1}', true, true],
  ['{"a": 1 /* x */}', false, true],
  ['{"a": 1,}', false, false],
  ['{', false, false],
])('%s is JSON: %s, with comments: %s', (text, plain, commented) =>
  expect([isStrict(text, { comments: false }), isStrict(text, { comments: true })]).toEqual([plain, commented]),
);
