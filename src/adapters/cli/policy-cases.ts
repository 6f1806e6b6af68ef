// *.cases.yaml: calls with their expected decisions, for people who write no Rego.
import * as z from 'zod/mini';
import { checkSchema } from '../../config/check.ts';
import { getEntry, getText, type Node } from '../../config/node.ts';
import { FILLED, needed, optional, record } from '../../config/parts.ts';
import { openFindings } from '../../config/report.ts';
import { locate, openText } from '../../config/text.ts';
import { parseYaml } from '../../config/yaml.ts';
import { MalformedInput } from '../../facts/table.ts';
import type { Decision } from '../../model/decision.ts';
import type { ToolCall } from '../../model/facts.ts';
import type { Problem, Source } from '../../model/problem.ts';
import { readCall } from './check.ts';
import { UsageError } from './terminal.ts';

export const CASES_FILE = /\.cases\.ya?ml$/;
const ANSWERS = ['allow', 'ask', 'deny', 'pass'] as const satisfies readonly Decision['decision'][];

/** One expectation. */
export interface Case {
  /** The name that a person gave it; without one, the call. */
  name: string;
  call: string;
  /** Null: the default mode. */
  mode: string | null;
  expect: Decision['decision'];
  /** Text of a rule, or name of a policy, that must have decided. */
  rule: string | null;
  /** A text that the reason must contain. */
  reason: string | null;
  /** Type of the agent that makes the call; null: the session itself. */
  agent: string | null;
  /** Whether a person approved the project's own layer. */
  trusted: boolean;
  source: Source;
}

const CASES = z.array(
  record(
    {
      call: needed(FILLED, 'the call, as Tool(its main argument) or Tool({json}).'),
      expect: needed(z.enum(ANSWERS), 'allow, ask, deny or pass.'),
      mode: optional(FILLED, 'the mode; if absent, the default mode.'),
      name: optional(FILLED, 'a name for the case.'),
      rule: optional(FILLED, 'the rule (its text) or policy (its name) that must decide.'),
      reason: optional(FILLED, 'text that the reason must contain.'),
      agent: optional(FILLED, 'type of the agent that makes the call.'),
      trusted: optional(z.boolean(), 'whether the configuration is trusted; if absent, true.'),
    },
    {
      tool: 'Write the whole call: call: Bash(git push).',
      decision: 'Write expect.',
      policy: 'Write rule: it also accepts the name of a policy.',
    },
  ),
);

/** Reads a file of cases. `problems` contains every problem with its place. A file with an error has no cases. */
export function readCases(file: string, content: string): { cases: Case[]; problems: Problem[] } {
  const source = openText(file, content);
  const { problems, report, isBroken } = openFindings(source);
  const root = parseYaml(source, report);
  if (root === null) return { cases: [], problems };
  checkSchema(root, CASES, report);
  const cases: Case[] = [];
  for (const item of root.kind === 'list' ? root.items : []) {
    const call = getText(item, 'call');
    if (call === null) continue;
    const wrong = refuseCall(call);
    if (wrong !== null) {
      report('E_WRONG_TYPE', wrong, 'Write Tool(its main argument) or Tool({json}).', getEntry(item, 'call')!.value.span);
      continue;
    }
    cases.push({
      name: getText(item, 'name') ?? call,
      call,
      mode: getText(item, 'mode'),
      expect: getText(item, 'expect') as Case['expect'],
      rule: getText(item, 'rule'),
      reason: getText(item, 'reason'),
      agent: getText(item, 'agent'),
      trusted: !isFalse(getEntry(item, 'trusted')?.value),
      source: locate(source, item.span.start),
    });
  }
  return { cases: isBroken() ? [] : cases, problems };
}

/** The call of a case, made in this folder. */
export function callOfCase({ call, agent }: Case, cwd: string): ToolCall {
  const made = readCall(call, cwd);
  return agent === null ? made : { ...made, agentId: 'case', agentType: agent };
}

function refuseCall(call: string): string | null {
  try {
    readCall(call, '/');
    return null;
  } catch (error) {
    if (error instanceof UsageError || error instanceof MalformedInput) return `${error.message}.`;
    throw error;
  }
}

function isFalse(node: Node | undefined): boolean {
  return node?.kind === 'boolean' && node.shown === 'false';
}
