// The published schemas say the same as the loader, and the files are up to date.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { SCHEMAS } from '../../../src/config/schema.ts';
import { read, TWO_MODES } from './project.ts';

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const validators = new Map([...SCHEMAS].map(([name, schema]) => [name, ajv.compile(schema)]));
const validate = (name: string, value: unknown) => validators.get(name)!(value);

/** What a schema cannot know: whether a name is there, and what stands twice. */
const BEYOND = new Set([
  'E_UNKNOWN_MODE',
  'E_DUPLICATE_TRANSITION',
  'E_TRIGGER',
  'E_EXTENDS_CYCLE',
  'E_GROUP_FORM',
  'E_CI_LAYER',
  'E_HEADLESS_LAYER',
]);

/** Whether the loader finds an error that a schema could find. */
function loads(files: Record<string, string>): boolean {
  return !read(files).problems.some((problem) => problem.severity === 'error' && !BEYOND.has(problem.code));
}

const modes = (body: unknown) => ({ name: 'n', default: 'a', modes: { a: body } });
const transition = (body: unknown) => modes({ transitions: [body] });

describe('schemas/', () => {
  it.each([...SCHEMAS.keys()])('%s is what scripts/schemas.mjs writes', (name) => {
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

  it('about whatever is put together from its parts', () => {
    const text = fc.constantFrom('a', 'b', '*', ' ', '', 'reset', 'x y', 'human', 'project');
    const leaf = fc.oneof(text, fc.constant(null), fc.integer({ max: 3 }), fc.boolean());
    const edge = fc.record({ to: leaf, constraint: leaf, approve: leaf, require: leaf }, { requiredKeys: [] });
    const mode = fc.record(
      { title: leaf, transitions: fc.oneof(leaf, fc.array(fc.oneof(leaf, edge), { maxLength: 3 })), groups: leaf },
      { requiredKeys: [] },
    );
    const bodies = fc.dictionary(fc.constantFrom('a', 'b', 'reset', 'x y', '1'), fc.oneof(leaf, mode), { noNullPrototype: true });
    const file = fc.record(
      {
        name: text,
        default: fc.constantFrom('a', 'b', ' '),
        modes: fc.oneof({ weight: 5, arbitrary: bodies }, leaf),
        scope: leaf,
      },
      { requiredKeys: ['name', 'default'] },
    );
    fc.assert(
      fc.property(file, (value) => {
        expect(loads({ 'modes.yaml': stringify(value) })).toBe(validate('modes.schema.json', value));
      }),
      { numRuns: 300 },
    );
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

  it('about whatever is put together from its parts', () => {
    const leaf = fc.oneof(fc.constantFrom('Write', '', ' ', 'deny', 'pass'), fc.constant(null), fc.boolean(), fc.constant(1));
    const list = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }));
    const permissions = fc.record({ allow: list, ask: list, deny: list, default: leaf, dney: list }, { requiredKeys: [] });
    const file = fc.record({ $schema: leaf, permissions: fc.oneof(leaf, permissions), hooks: leaf }, { requiredKeys: [] });
    fc.assert(
      fc.property(file, (value) => {
        expect(loads({ 'modes.yaml': TWO_MODES, 'settings.any.json': JSON.stringify(value) })).toBe(
          validate('settings.schema.json', value),
        );
      }),
      { numRuns: 300 },
    );
  });
});
