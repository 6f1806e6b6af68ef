// Checks literal formats and expressions in a policy, so that errors in them are reported at compilation.
import type { Problem } from '../../model/problem.ts';
import type { Modules, RegoLiteral, RegoModule } from '../compiler/types.ts';
import { NOT_REPLACED } from './builtins.mjs';
import { SUPPORTED, unsupportedVerb } from './sprintf.mjs';

type Finding = Pick<Problem, 'code' | 'message' | 'remedy'>;

/** Problems of the formats and expressions in a module. */
export function literalProblems({ file, literals = [] }: RegoModule, sources: Modules): Problem[] {
  const lines = (Object.hasOwn(sources, file) ? sources[file]! : '').split(/\r?\n/);
  return literals.flatMap((literal) => {
    const found = literal.call === 'sprintf' ? formatFinding(literal) : patternFinding(literal);
    if (found === null) return [];
    const lineText = lines[literal.row - 1];
    const place = { file, line: literal.row, column: literal.col, ...(lineText === undefined ? {} : { lineText }) };
    return [{ ...found, severity: 'error' as const, ...place }];
  });
}

function formatFinding({ text }: RegoLiteral): Finding | null {
  const verb = unsupportedVerb(text);
  if (verb === null) return null;
  const supported = `${SUPPORTED[0]?.toUpperCase()}${SUPPORTED.slice(1)}.`;
  return { code: 'E_REGO_BUILTIN', message: `sprintf has no ${JSON.stringify(verb)} here`, remedy: supported };
}

function patternFinding({ call, text, error }: RegoLiteral): Finding | null {
  if (error !== undefined)
    return {
      code: 'E_POLICY_NEVER',
      message: `${call} never matches: ${error}`,
      remedy: 'Correct the expression; it has the syntax of RE2.',
    };
  if (call !== 'regex.replace' && /(?<!\\)(?:\\\\)*\(\?</.test(text))
    return {
      code: 'E_REGO_BUILTIN',
      message: `${call} never matches here: the evaluator has no (?<name>…)`,
      remedy: 'Write (?P<name>…).',
    };
  if (call === 'regex.replace' && NOT_REPLACED.test(text))
    return { code: 'E_REGO_BUILTIN', message: 'regex.replace has no \\B', remedy: 'Name the characters that may stand there.' };
  return null;
}
