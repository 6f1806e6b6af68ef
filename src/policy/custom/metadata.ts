// Checks METADATA of custom policies: an author would rely on a key that has no effect.
import type { Problem } from '../../model/problem.ts';
import { nearest } from '../../platform/nearest-name.ts';
import type { Modules, RegoAnnotation, RegoModule } from '../compiler/types.ts';

/** Keys that OPA supports. */
const KEYS = [
  'scope',
  'title',
  'description',
  'organizations',
  'related_resources',
  'authors',
  'schemas',
  'entrypoint',
  'custom',
  'compile',
];
/** Keys below `custom` with a meaning in Modes. All others are the author's own. */
const CUSTOM = ['modes', 'remedy'];

/** Problems of the METADATA of a module. */
export function metadataProblems(module: RegoModule, sources: Modules): Problem[] {
  const lines = (Object.hasOwn(sources, module.file) ? sources[module.file]! : '').split(/\r?\n/);
  return module.annotations.flatMap((annotation) => [
    ...unknownKeys(annotation, lines).map(({ key, row }) => describe(module.file, lines, row, key)),
    ...inputSchemas(annotation, lines).map(({ row, column }) =>
      problemAt(module.file, lines, row, column, 'a policy cannot change the type of `input`', 'Remove this schema.'),
    ),
    ...wrongCustom(annotation).map(({ key, message, remedy }) => {
      const [row, column] = placeOf(key, annotation, lines);
      return problemAt(module.file, lines, row, column, message, remedy);
    }),
  ]);
}

/** The place of a key in its block. If the key is written in another form, the place of the block. */
function placeOf(key: string, { row, col }: RegoAnnotation, lines: string[]): [row: number, column: number] {
  for (let at = row; at < lines.length && /^\s*#/.test(lines[at]!); at++) {
    const column = lines[at]!.indexOf(key);
    if (column !== -1 && /^["']?\s*:/.test(lines[at]!.slice(column + key.length))) return [at + 1, column + 1];
  }
  return [row, col];
}

/** Keys at the margin of the comment block that are not keys of METADATA. */
function unknownKeys({ row }: RegoAnnotation, lines: string[]): { key: string; row: number }[] {
  const found: { key: string; row: number }[] = [];
  for (let at = row; at < lines.length && /^\s*#/.test(lines[at]!); at++) {
    const key = /^\s*# ?(["']?)([A-Za-z_][\w-]*)\1\s*:/.exec(lines[at]!)?.[2];
    if (key !== undefined && !KEYS.includes(key)) found.push({ key, row: at + 1 });
  }
  return found;
}

/** Schemas for the input, with which the policy would not be checked against the fields that the input has. */
function inputSchemas({ row }: RegoAnnotation, lines: string[]): { row: number; column: number }[] {
  const found: { row: number; column: number }[] = [];
  for (let at = row; at < lines.length && /^\s*#/.test(lines[at]!); at++) {
    const start = /^\s*#\s*(?:schemas\s*:\s*\[\s*\{\s*|-\s*)["']?input\b[\w.[\]]*["']?\s*:/.exec(lines[at]!);
    if (start !== null) found.push({ row: at + 1, column: lines[at]!.indexOf('input') + 1 });
  }
  return found;
}

function describe(file: string, lines: string[], row: number, key: string): Problem {
  const guess = nearest(key, [...KEYS, ...CUSTOM]);
  const remedy =
    guess === null
      ? `Write one of: ${KEYS.join(', ')}. Your own keys belong below custom.`
      : `Did you mean ${CUSTOM.includes(guess) ? `custom: {${guess}: …}` : guess}?`;
  const column = lines[row - 1]!.indexOf(key) + 1;
  return {
    ...problemAt(file, lines, row, column, `METADATA has no key ${JSON.stringify(key)}`, remedy),
    length: key.length,
  };
}

interface Wrong {
  key: string;
  message: string;
  remedy: string;
}

function wrongCustom({ block }: RegoAnnotation): Wrong[] {
  const { custom = {}, scope } = block;
  const problems: Wrong[] = Object.keys(custom).flatMap((key) => {
    const guess = CUSTOM.includes(key) ? null : nearest(key, CUSTOM);
    return guess === null
      ? []
      : [{ key, message: `\`custom.${key}\` is not a known key`, remedy: `Did you mean custom.${guess}?` }];
  });
  const { modes, remedy } = custom;
  const place = 'Put `custom: {modes: [NAME]}` and `scope: package` above `package`.';
  if (modes !== undefined && (!Array.isArray(modes) || modes.length === 0 || modes.some((mode) => typeof mode !== 'string')))
    problems.push({ key: 'modes', message: '`custom.modes` has to be a list of mode names', remedy: place });
  if (remedy !== undefined && (typeof remedy !== 'string' || remedy.trim() === ''))
    problems.push({
      key: 'remedy',
      message: '`custom.remedy` has to be a string',
      remedy: 'Write the step that a person can take.',
    });
  for (const key of CUSTOM)
    if (custom[key] !== undefined && scope !== 'package')
      problems.push({ key, message: `\`custom.${key}\` counts only in the METADATA of the package`, remedy: place });
  return problems;
}

function problemAt(file: string, lines: string[], line: number, column: number, message: string, remedy: string): Problem {
  const lineText = lines[line - 1];
  const place = { file, line, column, ...(lineText === undefined ? {} : { lineText }) };
  return { code: 'E_POLICY_METADATA', severity: 'error', message, remedy, ...place };
}
