// Files of a project, as `modes validate` finds them: read, understood, and compared with each other.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { putFile } from '../../support/files.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { shareCompiled, validated, type Way, type Ways } from './way.ts';

export type Content = Record<string, string | Buffer>;

const plain =
  'name: two\ndefault: idle\nmodes:\n  idle:\n    transitions:\n      - to: work\n  work:\n    transitions:\n      - to: idle\n';
const base: Content = { 'modes.yaml': plain, 'settings.any.json': '{}' };

/** A project of these files below `.claude`, where `null` takes one of the usual away, looked at by `modes validate`. */
export async function inProject(
  files: Readonly<Record<string, string | Buffer | null>>,
  change: (project: Project) => void = () => undefined,
) {
  const project = makeProject({ example: null });
  const { root, data, env } = project;
  shareCompiled(data);
  for (const [name, text] of Object.entries({ ...base, ...files })) {
    if (text === null) continue;
    putFile(path.join(root, '.claude', name), text);
  }
  change(project);
  return validated(root, env());
}

const way = (what: string, at: string | null, advice: RegExp, meets: Way['meets']): Way => ({ what, at, advice, meets });
const files = (what: string, given: Parameters<typeof inProject>[0], at: string | null, advice: RegExp) =>
  way(what, at, advice, () => inProject(given));
const yaml = (what: string, text: string, at: string, advice: RegExp) =>
  files(what, { 'modes.yaml': text }, `.claude/modes.yaml:${at}`, advice);
/** A key of the mode idle, in the fifth line. */
const inMode = (what: string, text: string, at: string, advice: RegExp) =>
  yaml(what, plain.replace('  idle:\n', `  idle:\n    ${text}\n`), at, advice);
const atEnd = (what: string, text: string, at: string, advice: RegExp) => yaml(what, `${plain}${text}\n`, at, advice);
const many = (count: number, write: (at: number) => string) => Array.from({ length: count }, (_, at) => write(at));
const lines = (value: unknown) => JSON.stringify(value, null, 2);

export const configured: Ways = {
  E_NO_MODES: files('a project without modes.yaml', { 'modes.yaml': null }, null, /modes init/),
  E_NOT_A_FILE: way('a named pipe', '.claude/settings.idle.json', /file/, () =>
    inProject({}, ({ root }) => execFileSync('mkfifo', [path.join(root, '.claude/settings.idle.json')])),
  ),
  E_NOT_A_FOLDER: files('a file where policies are', { policies: 'x' }, '.claude/policies', /Move it/),
  E_UNREADABLE: way('a link to nothing', '.claude/settings.idle.json', /link/, () =>
    inProject({}, ({ root }) => fs.symlinkSync('nowhere.json', path.join(root, '.claude/settings.idle.json'))),
  ),
  E_LEAVES_PROJECT: way('a link out of the project', '.claude/settings.idle.json', /itself/, () =>
    inProject({}, ({ root }) => {
      fs.writeFileSync(path.join(root, '../elsewhere.json'), '{}');
      fs.symlinkSync('../../elsewhere.json', path.join(root, '.claude/settings.idle.json'));
    }),
  ),
  E_TOO_LARGE: files(
    '129 KB of modes.yaml',
    { 'modes.yaml': `${plain}# ${'x'.repeat(129 * 1024)}\n` },
    '.claude/modes.yaml',
    /smaller/,
  ),
  E_TOO_MANY_FILES: files(
    'a thousand and one policies',
    Object.fromEntries(many(1_001, (at) => `policies/p${at}.rego`).map((name) => [name, ''])),
    '.claude',
    /do not belong there/,
  ),
  E_TOO_MANY_MODES: files(
    'two hundred and one modes',
    { 'modes.yaml': `name: x\ndefault: m0\nmodes:\n${many(201, (at) => `  m${at}: {}\n`).join('')}` },
    '.claude/modes.yaml:204:3',
    /Remove or combine modes/,
  ),
  E_TOO_MANY_RULES: files(
    'a hundred and twenty rules of five hundred alternatives',
    { 'settings.idle.json': lines({ permissions: { deny: many(120, (at) => `Write(${'{a,b}'.repeat(9)}${at})`) } }) },
    '.claude/settings.idle.json:121:7',
    /Combine rules into folder patterns/,
  ),
  E_TOO_DEEP: files(
    'lists in lists',
    { 'settings.idle.json': '['.repeat(30) + ']'.repeat(30) },
    '.claude/settings.idle.json:1:26',
    /levels/,
  ),
  E_TOO_MANY_PROBLEMS: files(
    'a hundred and one keys that are none',
    { 'settings.idle.json': JSON.stringify(Object.fromEntries(many(101, (at) => `k${at}`).map((key) => [key, 1]))) },
    '.claude/settings.idle.json',
    /first/,
  ),
  W_TOO_MANY_PROBLEMS: files(
    'a rule a hundred and two times',
    { 'settings.idle.json': JSON.stringify({ permissions: { deny: many(102, () => 'Write') } }) },
    '.claude/settings.idle.json',
    /first/,
  ),
  E_ENCODING: files(
    'a byte that is no UTF-8',
    { 'settings.idle.json': Buffer.from([0x7b, 0x7d, 0x0a, 0xff]) },
    '.claude/settings.idle.json:2:1',
    /UTF-8/,
  ),
  E_CONTROL_CHARACTER: files(
    'a letter that turns the writing',
    { 'settings.idle.json': '{"permissions": {"deny": ["Read(\u202e)"]}}' },
    '.claude/settings.idle.json:1:27',
    /Remove the character/,
  ),
  W_UNKNOWN_MODE_FILE: files('settings of no mode', { 'settings.idel.json': '{}' }, '.claude/settings.idel.json', /Did you mean/),
  W_UNUSED_FILE: files('settings with another name', { 'settings-idle.json': '{}' }, '.claude/settings-idle.json', /Rename/),
  E_YAML_SYNTAX: yaml('a tab as indentation', `${plain}  a:\n\t\ttitle: x\n`, '11:1', /indent with spaces/i),
  E_YAML_FEATURE: yaml('an anchor', plain.replace('two', '&n two'), '1:10', /^Remove/),
  E_JSON_SYNTAX: files(
    'a missing comma',
    { 'settings.idle.json': '{"permissions": {"deny": ["A" "B"]}}' },
    '.claude/settings.idle.json:1:31',
    /comma/,
  ),
  E_DUPLICATE_KEY: yaml('a mode twice', `${plain}  idle:\n`, '10:3', /Combine both/),
  E_UNKNOWN_KEY: yaml('a key that is none', plain.replace('- to: work', '- toe: work'), '6:9', /Did you mean/),
  E_UNSUPPORTED_KEY: inMode('a plan of a mode’s own', 'plan: x', '5:5', /Remove the key/),
  E_KEY_NOT_TEXT: yaml('true as a mode', `${plain}  true:\n`, '10:3', /quotes/),
  E_MISSING_KEY: yaml('no default', plain.replace('default: idle\n', ''), '1:1', /Add/),
  E_WRONG_TYPE: inMode('a number for a text', 'title: 3', '5:12', /quote/),
  E_EMPTY_VALUE: files(
    'an empty rule',
    { 'settings.idle.json': '{"permissions": {"deny": [""]}}' },
    '.claude/settings.idle.json:1:27',
    /remove the line/,
  ),
  E_UNKNOWN_VALUE: atEnd('a scope that is none', 'scope: galaxy', '10:8', /Write one of/),
  E_MODE_NAME: yaml('a mode that begins with a digit', `${plain}  1st:\n`, '10:3', /letters, digits/),
  E_MODE_RESERVED: yaml('a mode called help', `${plain}  help:\n`, '10:3', /another name/),
  E_UNKNOWN_MODE: yaml('a default that is no mode', plain.replace('default: idle', 'default: idel'), '2:10', /Did you mean/),
  E_TRIGGER: yaml('a trigger twice', plain.replace('- to: work', '- {to: work, triggers: [go, go]}'), '6:35', /Remove one/),
  E_DUPLICATE_TRANSITION: yaml(
    'two ways to one mode',
    plain.replace('- to: work', '- to: work\n      - to: work'),
    '7:13',
    /Combine/,
  ),
  E_EXTENDS_CYCLE: inMode('a mode that extends itself', 'extends: idle', '5:14', /Remove one/),
  E_GROUP_FORM: inMode('a group twice', 'groups: [read, read]', '5:20', /once|Combine/),
  E_FILE_REGEX: inMode('a look-ahead', 'groups: [{edit: {fileRegex: "(?=a)"}}]', '5:34', /RE2/),
  E_AGENT_NAME: inMode('a type with a space', 'agents: {"a b": {mode: work}}', '5:14', /as the client names it/),
  E_CI_LAYER: atEnd('a project that switches CI off', 'ci: off', '10:1', /\.claude\/modes\.yaml/),
  E_HEADLESS_LAYER: atEnd('a project that lets through', 'headless: {pass: allow}', '10:1', /\.claude\/modes\.yaml/),
  E_PROTOCOL_NAME: atEnd('a protocol with a space', 'protocols: {"p q": {triggers: [x], plan: [a]}}', '10:13', /letter/),
  E_SERVER_NAME: atEnd('a server with a star', 'servers: {"git*": {kind: github}}', '10:11', /mcp__/),
  E_ARGUMENT_NAME: atEnd('arguments of Bash', 'arguments: {Bash: {command: command}}', '10:13', /mcp__/),
  E_COMMAND_MATCH: atEnd(
    'a command that begins with a star',
    'commands: [{match: "* x", class: runs}]',
    '10:20',
    /first one literal/,
  ),
  E_REQUIRE_FORM: yaml(
    'two checks in one',
    plain.replace('- to: work', '- {to: work, require: [{fails: npm test, changed: a}]}'),
    '6:30',
    /item/,
  ),
  E_COMMAND_TARGETS: atEnd('one that writes nothing', 'commands: [{match: x, class: writes}]', '10:30', /unknown/),
  W_UNREACHABLE_MODE: yaml('a mode that nothing leads to', `${plain}  lost: {transitions: [{to: idle}]}\n`, '10:3', /Add/),
  W_SELF_TRANSITION: yaml(
    'a way to where it begins',
    plain.replace('- to: work', '- to: work\n      - to: idle'),
    '7:13',
    /Remove it/,
  ),
  W_EXIT_EDGE: inMode('an exit without a way', 'exit_when: {plan: complete, to: idle}', '5:37', /Add/),
  W_AGENT_NAME: inMode('two spellings of a type', 'agents: {Explore: {}, ex_plore: {}}', '5:27', /Combine both/),
  W_MODE_CASE: yaml('idle and IDLE', `${plain}  IDLE: {transitions: [{to: idle}]}\n`, '10:3', /Rename/),
  W_NO_SETTINGS: files('modes without settings', { 'settings.any.json': null }, '.claude/modes.yaml:4:3', /Write/),
  W_DUPLICATE_RULE: files(
    'a rule twice',
    { 'settings.any.json': '{"permissions": {"deny": ["Write", "Write"]}}' },
    '.claude/settings.any.json:1:36',
    /Remove one/,
  ),
};
