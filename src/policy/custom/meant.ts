// Explains type errors in words, with the field of the input that the author probably meant.
import { nearest } from '../../platform/nearest-name.ts';
import type { Explained, RawProblem } from '../compiler/types.ts';
import { INPUT_SCHEMA, type SchemaPart } from '../published.ts';

/**
 * Names from hook events, other tools and habit, with the field that has the value in the input. `null`: the input does not have
 * it.
 */
const ELSEWHERE: Readonly<Record<string, string | null>> = {
  tool_name: 'input.tool.name',
  tool_type: 'input.tool.group',
  tool_input: 'input.tool.input',
  tool_args: 'input.tool.input',
  tool_params: 'input.tool.params',
  parameters: 'input.tool.params',
  arguments: 'input.tool.input',
  args: 'input.tool.input',
  server_name: 'input.tool.server',
  hook_event_name: 'input.event',
  hook_event: 'input.event',
  event_name: 'input.event',
  session_id: 'input.session.id',
  permission_mode: 'input.session.permission_mode',
  agent_id: 'input.agent.id',
  agent_type: 'input.agent.type',
  agent_name: 'input.agent.type',
  subagent_type: 'input.agents[_]',
  subagent: 'input.agents[_]',
  skill: 'input.skills[_]',
  skill_name: 'input.skills[_]',
  command: 'input.bash.commands[_].text',
  cmd: 'input.bash.commands[_].text',
  bash_command: 'input.bash.commands[_].text',
  command_line: 'input.bash.commands[_].text',
  argv: 'input.bash.commands[_].argv',
  file_path: 'input.writes[_].path',
  notebook_path: 'input.writes[_].path',
  filename: 'input.writes[_].path',
  file: 'input.writes[_].path',
  files: 'input.writes[_].path',
  path: 'input.writes[_].path',
  paths: 'input.writes[_].path',
  url: 'input.domains[_].host',
  urls: 'input.domains[_].host',
  host: 'input.domains[_].host',
  hosts: 'input.domains[_].host',
  domain: 'input.domains[_].host',
  content: 'input.tool.input.content',
  old_string: 'input.tool.input.old_string',
  new_string: 'input.tool.input.new_string',
  new_source: 'input.tool.input.new_source',
  prompt: 'input.tool.input.prompt',
  description: 'input.tool.input.description',
  model: 'input.tool.params.model',
  mode_name: 'input.mode',
  current_mode: 'input.mode',
  branch: 'input.state.task.current_branch',
  plan: 'input.state.plan',
  task: 'input.state.task',
  cwd: null,
  working_directory: null,
  workspace: null,
  project_dir: null,
  transcript_path: null,
  tool_use_id: null,
  tool_response: null,
  tool_output: null,
  user: null,
  env: null,
  time: null,
};

/** Fields of the client's hook event that are in no part of the input, as names that a policy computes with. */
const CLIENT_FIELD = /"(tool_name|tool_input|tool_response|tool_use_id|hook_event_name|transcript_path)"/g;
/** The whole input, not a part of it. */
const WHOLE_INPUT = /^(?!\s*#).*(?<![\w."])input\b(?!\s*[.["\w])/m;

/**
 * Fields of the client in the texts of a policy that also looks at the whole input: `"tool_input" in object.keys(input)`. The type
 * checker cannot follow such names.
 */
export function clientFieldsIn(source: string): (Explained & { row: number; col: number; length: number })[] {
  if (!WHOLE_INPUT.test(source)) return [];
  return source.split(/\r?\n/).flatMap((line, at) => {
    const code = /^\s*#/.test(line) ? '' : line;
    return (
      [...code.matchAll(CLIENT_FIELD)]
        // The type checker follows the second form, and names the field that was meant.
        .filter(({ index }) => !/(?:tool\.(?:input|params)\s*[[,]|\(\s*input\s*,)\s*\[?$/.test(code.slice(0, index)))
        .map(({ 1: name = '', 0: text, index }) => {
          const here = ELSEWHERE[name];
          return {
            message: here ? `\`input.${name}\` does not exist: here it is \`${here}\`` : `\`input.${name}\` does not exist`,
            remedy: here ? `Write \`${here}\`.` : 'Decide by the fields that modes check --json shows.',
            ...{ row: at + 1, col: index + 1, length: text.length },
          };
        })
    );
  });
}

/** The same for the elements of lists. `has` is a field that only these elements have. */
const OF_ELEMENTS: readonly { has: string; names: Readonly<Record<string, string>> }[] = [
  {
    has: 'argv',
    names: {
      command: 'text',
      cmd: 'text',
      command_line: 'text',
      raw: 'text',
      string: 'text',
      args: 'argv',
      arguments: 'argv',
      words: 'argv',
      program: 'name',
      executable: 'name',
      binary: 'name',
      type: 'class',
    },
  },
  {
    has: 'readings',
    names: { file: 'path', file_path: 'path', filename: 'path', name: 'path', absolute: 'real', realpath: 'real', tool: 'via' },
  },
  { has: 'labels', names: { name: 'host', domain: 'host', url: 'host', hostname: 'host' } },
];

/** The text field that an author probably meant when comparing this part of the input with a text. */
const TEXT_OF: Readonly<Record<string, string>> = {
  input: 'input.tool.name',
  'input.tool': 'input.tool.name',
  'input.agent': 'input.agent.type',
  'input.session': 'input.session.permission_mode',
  'input.bash': 'input.bash.commands[_].text',
  'input.bash.commands': 'input.bash.commands[_].text',
  'input.bash.commands[_]': 'input.bash.commands[_].text',
  'input.bash.commands[_].argv': 'input.bash.commands[_].argv[_]',
  'input.writes': 'input.writes[_].path',
  'input.writes[_]': 'input.writes[_].path',
  'input.reads': 'input.reads[_].path',
  'input.reads[_]': 'input.reads[_].path',
  'input.domains': 'input.domains[_].host',
  'input.domains[_]': 'input.domains[_].host',
  'input.agents': 'input.agents[_]',
  'input.skills': 'input.skills[_]',
  'input.state.plan': 'input.state.plan.title',
  'input.state.task': 'input.state.task.name',
  'input.context': 'input.context.used_percent',
};

const LOOK = "`modes check --json 'TOOL(…)'` prints the input of a call.";

/** Explains a type error of the compiler. Null if it is about neither a field nor a comparison. */
export function explainTypes({
  code,
  message,
  text = '',
  details = [],
  ref,
  at = 1,
  one_of: names = [],
}: RawProblem): Explained | null {
  if (code !== 'rego_type_error') return null;
  if (ref !== undefined && ref.length > at && message.startsWith('undefined ref')) return explainField(ref, at, names);
  return message === 'match error' ? explainComparison(text, details) : null;
}

function explainField(ref: readonly string[], at: number, names: readonly string[]): Explained {
  const name = ref[at] as string;
  const parent = display(ref.slice(0, at));
  const node = nodeOf(ref.slice(0, at));
  const shown = `\`${display(ref)}\` does not exist`;
  if (node?.type !== undefined && names.length === 0) {
    const inner = node.items?.properties?.[name];
    if (inner !== undefined) return meaning(shown, [`${parent}[_].${name}`], `\`${parent}\` is a list`);
  }
  const isScalar = names.length === 0 && /^(string|boolean|integer|number)$/.test([node?.type ?? ''].flat()[0] ?? '');
  const found = isScalar ? [] : meantBy(ref, at, names);
  if (found === null)
    return { message: `${shown}: the input of a policy does not contain it`, remedy: `${why[snake(name)] ?? ''}${LOOK}` };
  if (found.length > 0) return meaning(shown, found);
  if (names.length === 0) return { message: `${shown}: \`${parent}\` has no fields by name`, remedy: LOOK };
  return { message: `${shown}: \`${parent}\` has ${list(names)}`, remedy: LOOK };
}

const why: Readonly<Record<string, string>> = {
  cwd: 'Paths in `input.reads` and `input.writes` are resolved already. ',
  working_directory: 'Paths in `input.reads` and `input.writes` are resolved already. ',
  tool_response: 'A policy decides before the tool runs. ',
  tool_output: 'A policy decides before the tool runs. ',
};

function meaning(shown: string, fields: readonly string[], because = ''): Explained {
  const written = fields.map((one) => `\`${one}\``).join(' or ');
  return {
    message: `${shown}: ${because === '' ? '' : `${because}, `}here it is ${written}`,
    remedy: `Write ${written}. ${LOOK}`,
  };
}

/** The fields that were probably meant, best first. Null if the input has no such value. */
function meantBy(ref: readonly string[], at: number, names: readonly string[]): string[] | null {
  const name = snake(ref[at] as string);
  const parent = display(ref.slice(0, at));
  const element = OF_ELEMENTS.find(({ has }) => names.includes(has));
  if (element !== undefined) {
    const sibling = Object.hasOwn(element.names, name) ? (element.names[name] as string) : nearest(name, names);
    return sibling === null ? [] : [`${parent}.${sibling}`];
  }
  const isData = ref[0] === 'data';
  const next = ref[at + 1];
  if (!isData && /^tool_?(input|args|params|parameters|arguments)$/.test(name) && next !== undefined && next !== '[_]') {
    const field = snake(next);
    const inner = Object.hasOwn(ELSEWHERE, field) ? ELSEWHERE[field] : null;
    const isPath = inner === 'input.writes[_].path';
    return [
      ...(inner === null || inner === undefined ? [] : [inner]),
      ...(isPath ? ['input.reads[_].path'] : []),
      `input.tool.input.${next}`,
    ].slice(0, 2);
  }
  if (!isData && Object.hasOwn(ELSEWHERE, name)) {
    const elsewhere = ELSEWHERE[name] as string | null;
    if (elsewhere === null) return null;
    return elsewhere === 'input.writes[_].path' ? [elsewhere, 'input.reads[_].path'] : [elsewhere];
  }
  const sibling = nearest(name, names) ?? names.find((one) => name.split('_').includes(one)) ?? null;
  if (sibling !== null) return [`${parent}.${sibling}`];
  const anywhere = isData ? undefined : fieldsOf(INPUT_SCHEMA, 'input').find((path) => path.endsWith(`.${name}`));
  return anywhere === undefined ? [] : [anywhere];
}

function explainComparison(text: string, details: readonly string[]): Explained {
  const [line = ''] = text.split('\n');
  const shown = line.length > 100 ? `${line.slice(0, 100)}…` : line;
  const sides = details.map((one) => one.trim().replace(/^(left|right)\s+:/, '$1:')).filter((one) => /^(left|right):/.test(one));
  const parts = [...new Set(text.match(/\binput(?:\.\w+|\[\w+\])*/g) ?? [])].map((one) => one.replace(/\[\w+\]/g, '[_]'));
  const fields = parts.flatMap((one) => (Object.hasOwn(TEXT_OF, one) ? [[one, TEXT_OF[one] as string] as const] : []));
  const [first] = fields;
  const message = `the two sides of \`${shown}\` never have the same type (${sides.join('; ')})`;
  if (first === undefined) return { message, remedy: `Compare values of one type. ${LOOK}` };
  return {
    message: `${message}: \`${first[0]}\` is not a string, here it is \`${first[1]}\``,
    remedy: `Write \`${first[1]}\`. ${LOOK}`,
  };
}

/** The schema of a part of the input. Null for variables and for parts without a schema. */
function nodeOf(ref: readonly string[]): SchemaPart | null {
  let at: SchemaPart | undefined = ref[0] === 'input' ? INPUT_SCHEMA : undefined;
  for (const part of ref.slice(1)) at = at?.items !== undefined && part === '[_]' ? at.items : at?.properties?.[part];
  return at ?? null;
}

/** All fields, those nearest to the top first. */
function fieldsOf(schema: SchemaPart, path: string): string[] {
  const own = Object.keys(schema.properties ?? {}).map((name) => `${path}.${name}`);
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, one]) => fieldsOf(one, `${path}.${name}`));
  const items = schema.items === undefined ? [] : fieldsOf(schema.items, `${path}[_]`);
  return [...own, ...below, ...items].sort((one, other) => one.split(/[.[]/).length - other.split(/[.[]/).length);
}

function display(ref: readonly string[]): string {
  return ref
    .map((part, at) => (at === 0 || part === '[_]' ? part : /^\w+$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`))
    .join('');
}

function snake(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('-', '_');
}

function list(names: readonly string[]): string {
  return names.length > 20 ? `${names.slice(0, 20).join(', ')}, …` : names.join(', ');
}
