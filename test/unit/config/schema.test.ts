// The published schemas say the same as the loader, and the files are up to date.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { SCHEMAS } from '../../../src/config/schema.ts';
import { readTeam } from '../../../src/config/team.ts';
import type { Problem } from '../../../src/model/problem.ts';
import { read, TWO_MODES } from './project.ts';

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const validators = new Map([...SCHEMAS].map(([name, schema]) => [name, ajv.compile(schema)]));
const validate = (name: string, value: unknown) => validators.get(name)!(value);

/** What a schema does not know: whether a name is there, what stands twice, and whose word it is. */
const BEYOND = new Set([
  'E_UNKNOWN_MODE',
  'E_DUPLICATE_TRANSITION',
  'E_TRIGGER',
  'E_EXTENDS_CYCLE',
  'E_GROUP_FORM',
  'E_CI_LAYER',
  'E_HEADLESS_LAYER',
  'E_TEAMS_LAYER',
]);

/** Whether the loader finds an error that a schema could find. */
function loads(files: Record<string, string>): boolean {
  return errorsOf(read(files).problems).every((code) => BEYOND.has(code));
}

const errorsOf = (problems: readonly Problem[]): string[] =>
  problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);

const modes = (body: unknown) => ({ name: 'n', default: 'a', modes: { a: body } });
const transition = (body: unknown) => modes({ transitions: [body] });

describe('schemas/', () => {
  it.each([...SCHEMAS.keys()])('%s matches the output of scripts/schemas.mjs', (name) => {
    expect(JSON.parse(readFileSync(`schemas/${name}`, 'utf8'))).toEqual(SCHEMAS.get(name));
    expect(readFileSync(`schemas/${name}`, 'utf8')).toBe(`${JSON.stringify(SCHEMAS.get(name), null, 2)}\n`);
  });
});

describe('the schema of modes.yaml agrees with the loader', () => {
  it.each<[boolean, string, unknown]>([
    [true, 'a mode without a body', modes(null)],
    [true, 'an empty body', modes({})],
    [true, 'no transitions', modes({ transitions: null })],
    [true, 'a transition', transition({ to: 'a' })],
    [true, 'a transition to every mode', transition({ to: '*', constraint: null, approve: 'human' })],
    [true, 'all texts', modes({ title: 't', description: 'd', role: 'r', whenToUse: 'w', promptPrefix: 'p' })],
    [true, 'texts without content', modes({ title: null, description: null, role: null, whenToUse: null, promptPrefix: null })],
    [true, 'a scope', { ...modes(null), scope: 'worktree' }],
    [false, 'a list', []],
    [false, 'nothing', null],
    [false, 'no name', { default: 'a', modes: {} }],
    [false, 'an empty name', { ...modes(null), name: ' ' }],
    [false, 'a number as name', { ...modes(null), name: 1 }],
    [false, 'no modes', { name: 'n', default: 'a' }],
    [false, 'null for modes', { name: 'n', default: 'a', modes: null }],
    [false, 'modes as a list', { name: 'n', default: 'a', modes: ['a'] }],
    [false, 'an unknown scope', { ...modes(null), scope: 'team' }],
    [false, 'null for a scope', { ...modes(null), scope: null }],
    [false, 'an unknown key', { ...modes(null), x: 1 }],
    [false, 'a key of a later version', { ...modes(null), plan: {} }],
    [
      true,
      'a protocol',
      { ...modes(null), protocols: { p: { triggers: ['x'], plan: ['a', { text: 'b', files: ['c/**'] }], mode: 'a' } } },
    ],
    [false, 'a protocol without a plan', { ...modes(null), protocols: { p: { triggers: ['x'] } } }],
    [true, 'protected branches', { ...modes(null), tasks: { protected: ['main'] } }],
    [false, 'tasks without branches', { ...modes(null), tasks: {} }],
    [true, 'what holds in CI', { ...modes(null), ci: 'off' }],
    [false, 'anything else in CI', { ...modes(null), ci: 'ask' }],
    [true, 'a stop', { ...modes(null), stop: { phrases: ['SILENCE'], to: 'a' } }],
    [false, 'a stop without phrases', { ...modes(null), stop: { to: 'a' } }],
    [false, 'a stop of one phrase', { ...modes(null), stop: { phrases: 'SILENCE' } }],
    [false, 'a key of a later version in a mode', modes({ plan: [] })],
    [true, 'modes to build on', modes({ extends: 'b' })],
    [true, 'several modes to build on', modes({ extends: ['b', 'c'] })],
    [false, 'nothing to build on', modes({ extends: null })],
    [true, 'groups in every form', modes({ groups: ['read', ['edit', { fileRegex: 'x', description: 'd' }], { mcp: null }] })],
    [false, 'a group that is none', modes({ groups: ['reed'] })],
    [false, 'a group that is none, as a key', modes({ groups: [{ reed: null }] })],
    [false, 'options that a group has not', modes({ groups: [['edit', { fileRegexp: 'x' }]] })],
    [false, 'an empty expression', modes({ groups: [{ edit: { fileRegex: '' } }] })],
    [false, 'groups without anything', modes({ groups: null })],
    [true, 'an enforcement', modes({ enforcement: 'advise' })],
    [false, 'an enforcement that is none', modes({ enforcement: 'off' })],
    [
      true,
      'agents',
      modes({ agents: { 'a:b': { mode: 'a', groups: [], canEdit: 'x', cannotEdit: ['y'], rules: { ask: ['z'] } } } }),
    ],
    [false, 'an agent that is allowed more', modes({ agents: { a: { rules: { allow: ['z'] } } } })],
    [false, 'an agent without a name', modes({ agents: { '': {} } })],
    [true, 'a permission mode', modes({ permissionMode: 'plan' })],
    [false, 'a permission mode that the client has not', modes({ permissionMode: 'read' })],
    [true, 'an end', modes({ exit_when: { plan: 'complete', to: 'a' } })],
    [false, 'an end that leads nowhere', modes({ exit_when: { plan: 'complete' } })],
    [true, 'warnings', modes({ context: { warn: [85, 90], window: 1000000 } })],
    [false, 'a warning when all is lost', modes({ context: { warn: [100] } })],
    [true, 'triggers', transition({ to: 'a', triggers: ['ship it'] })],
    [false, 'a trigger that says nothing', transition({ to: 'a', triggers: [' '] })],
    [false, 'a trigger that is no list', transition({ to: 'a', triggers: 'ship it' })],
    [true, 'checks', transition({ to: 'a', require: [{ fails: 'npm test', watch: 'src/**' }, { changed: ['a', 'b'] }] })],
    [true, 'no checks', transition({ to: 'a', require: null })],
    [false, 'a check that is no mapping', transition({ to: 'a', require: ['npm test'] })],
    [false, 'an unknown check', transition({ to: 'a', require: [{ failing: 'npm test' }] })],
    [true, 'a command that the engine runs', transition({ to: 'a', require: [{ run: 'npm test', timeout: '5m', uses: 'x' }] })],
    [false, 'a time limit without a unit', transition({ to: 'a', require: [{ run: 'npm test', timeout: '5' }] })],
    [false, 'a check of a number', transition({ to: 'a', require: [{ after: 10 }] })],
    [false, 'a name with a space', { ...modes(null), modes: { 'a b': null } }],
    [false, 'a name that begins with a digit', { ...modes(null), modes: { '1a': null } }],
    [false, 'a reserved name', { ...modes(null), modes: { reset: null } }],
    [false, 'a reserved name in another case', { ...modes(null), modes: { Any: null } }],
    [true, 'a name that begins like a reserved one', { ...modes(null), modes: { anything: null, resets: null } }],
    [false, 'a transition that is a text', transition('a')],
    [false, 'a transition without target', transition({ constraint: 'x' })],
    [false, 'null for a target', transition({ to: null })],
    [false, 'a blank target', transition({ to: ' ' })],
    [false, 'another approval', transition({ to: 'a', approve: true })],
    [false, 'a number as constraint', transition({ to: 'a', constraint: 1 })],
  ])('%s for %s', (good, _, value) => {
    expect(validate('modes.schema.json', value)).toBe(good);
    expect(loads({ 'modes.yaml': stringify(value) })).toBe(good);
  });
});

describe('the schema of settings files agrees with the loader', () => {
  it.each<[boolean, string, unknown]>([
    [true, 'nothing in it', {}],
    [true, 'a schema', { $schema: 'x' }],
    [true, 'all lists', { permissions: { allow: ['A'], ask: [], deny: ['Write(src/**)'], default: 'deny' } }],
    [false, 'a list', []],
    [false, 'null', null],
    [false, 'an unknown key', { permission: {} }],
    [false, 'a key of the client', { hooks: {} }],
    [false, 'an unknown list', { permissions: { forbid: [] } }],
    [false, 'null for permissions', { permissions: null }],
    [false, 'null for a list', { permissions: { deny: null } }],
    [false, 'a number in a list', { permissions: { deny: [1] } }],
    [false, 'an empty rule', { permissions: { deny: [''] } }],
    [false, 'a blank rule', { permissions: { deny: ['\t'] } }],
    [false, 'an unknown default', { permissions: { default: 'allow' } }],
    [false, 'a number as schema', { $schema: 1 }],
  ])('%s for %s', (good, _, value) => {
    expect(validate('settings.schema.json', value)).toBe(good);
    expect(loads({ 'modes.yaml': TWO_MODES, 'settings.idle.json': JSON.stringify(value) })).toBe(good);
  });
});

describe('the schema of teams.yaml agrees with the loader', () => {
  const bundle = { url: 'https://a.org/b', key: 'k', algorithm: 'EdDSA' };
  it.each<[boolean, string, unknown]>([
    [true, 'nothing in it', null],
    [true, 'a bundle', { bundle: { ...bundle, every: '10m', stale: 'keep', proxy: 'http://localhost:1' } }],
    [true, 'what stays here', { logs: { url: 'https://a.org', mask: ['/input/bash', '/result'] } }],
    [true, 'an evaluator on a socket', { evaluator: 'opa', opa: { url: 'unix:///run/{mode}.sock' } }],
    [false, 'a list', []],
    [false, 'no key', { bundle: { url: bundle.url, algorithm: 'EdDSA' } }],
    [false, 'an algorithm that is none', { bundle: { ...bundle, algorithm: 'none' } }],
    [false, 'an address that is none', { bundle: { ...bundle, url: 'a.org' } }],
    [false, 'another protocol', { logs: { url: 'ftp://a.org' } }],
    [false, 'an evaluator at a file', { opa: { url: 'file:///run/opa' } }],
    [false, 'a pointer to nothing of an event', { logs: { url: 'https://a.org', mask: ['/metrics'] } }],
    [false, 'a time without a unit', { bundle: { ...bundle, every: '10' } }],
    [false, 'an authority that is none', { authority: { stop: false } }],
  ])('%s for %s', (good, _, value) => {
    expect(validate('teams.schema.json', value)).toBe(good);
    expect(errorsOf(readTeam({ name: 'teams.yaml', text: stringify(value) }, true, '/').problems).length === 0).toBe(good);
  });
});

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  pattern?: string;
  maximum?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  propertyNames?: { pattern: string };
  additionalProperties?: Schema;
}

const TEXTS = [
  'a',
  'b',
  ' a ',
  'x y',
  '',
  ' ',
  'reset',
  '*',
  'npm test',
  'src/**',
  '10m',
  '5',
  '/input/a',
  'https://a.org',
  'mcp__s__t',
];
const ODD = fc.constantFrom<unknown>(null, true, 0, 1.5, 100, '', ' ', [], {}, [null], [[]]);

/** Documents that a schema accepts, most of them; now and then something else stands in one. */
function documents(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 60, arbitrary: fitting(schema) }, { weight: 1, arbitrary: ODD });
}

function fitting({ anyOf, enum: values, type, pattern, ...schema }: Schema): fc.Arbitrary<unknown> {
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(documents));
  if (values !== undefined) return fc.constantFrom(...values);
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => fitting({ type: one, ...(pattern && { pattern }), ...schema })));
  const fits = (text: string): boolean => pattern === undefined || new RegExp(pattern, 'u').test(text);
  if (type === 'string') return fc.constantFrom(...TEXTS.filter(fits));
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.constantFrom(1, 2, schema.maximum ?? 3);
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(documents(schema.items!), { maxLength: 2 });
  const { properties, required = [], propertyNames, additionalProperties } = schema;
  if (properties === undefined) {
    const names = TEXTS.filter((name) => new RegExp(propertyNames!.pattern, 'u').test(name));
    return fc.dictionary(fc.constantFrom(...names), documents(additionalProperties!), { maxKeys: 2, noNullPrototype: true });
  }
  const entries = Object.entries(properties).map(([name, one]) => [name, documents(one)] as const);
  const asked = fc.record(Object.fromEntries(entries.filter(([name]) => required.includes(name))));
  const more = fc
    .subarray(entries, { maxLength: Math.min(3, entries.length) })
    .chain((some) => fc.record(Object.fromEntries(some)));
  return fc.tuple(asked, more).map(([one, other]) => ({ ...other, ...one }));
}

describe.each<[string, (value: unknown) => readonly Problem[]]>([
  ['modes.schema.json', (value) => read({ 'modes.yaml': stringify(value) }).problems],
  ['settings.schema.json', (value) => read({ 'modes.yaml': TWO_MODES, 'settings.any.json': JSON.stringify(value) }).problems],
  ['teams.schema.json', (value) => readTeam({ name: 'teams.yaml', text: stringify(value) }, true, '/').problems],
])('of documents made from %s', (name, problemsOf) => {
  // What is read on from a text, and what one key says against another.
  const more = new Set([...BEYOND, 'E_UNKNOWN_VALUE', 'E_DUPLICATE_KEY', 'E_COMMAND_TARGETS', 'E_REQUIRE_FORM']);

  it('the loader refuses all documents that the schema refuses, and others only for reasons that the schema cannot express', () => {
    const accepted: boolean[] = [];
    const property = fc.property(documents(SCHEMAS.get(name) as Schema), (value) => {
      const errors = errorsOf(problemsOf(value));
      const isFit = validate(name, value) as boolean;
      accepted.push(isFit);
      expect(isFit ? errors.filter((code) => !more.has(code)) : errors.length > 0).toEqual(isFit ? [] : true);
    });
    fc.assert(property, { numRuns: 250 });
    expect(new Set(accepted).size).toBe(2);
  });
});
