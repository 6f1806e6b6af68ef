// `evaluator:` and `opa:` of teams.yaml: whether a stock OPA server gives the verdicts, and how requests are sent to it.

import type { OpaPin } from '../model/opa-pin.ts';
import type { Problem } from '../model/problem.ts';
import { getEntry, getText, type Node } from './node.ts';
import type { EVALUATORS } from './team-schema.ts';
import { isAddress, readFiles, type ServerReading, timeOf } from './team-server.ts';
import { locate, locateProblem, quote } from './text.ts';

/** The settings of one file. */
export interface EvaluatorSettings {
  named: { value: (typeof EVALUATORS)[number]; isManaged: boolean; orphan: Problem } | null;
  opa: (OpaPin & { isManaged: boolean }) | null;
}

const DEADLINE_MS = 250;
/** A call may need several requests, and the hook that waits for it has its own time limit. */
const MAX_DEADLINE_MS = 1_000;

export function readEvaluator(node: Node, reading: ServerReading): EvaluatorSettings {
  const { source, isManaged } = reading;
  const entry = getEntry(node, 'evaluator');
  const value = getText(node, 'evaluator');
  const section = getEntry(node, 'opa')?.value ?? null;
  const orphan = (): Problem =>
    locateProblem(
      'E_MISSING_KEY',
      'The key "opa" is missing, so the server is unknown.',
      'Add "opa:" with the "url" of the server, or write "evaluator: local".',
      source,
      entry!.value.span,
    );
  return {
    named: value === 'opa' || value === 'local' ? { value, isManaged, orphan: orphan() } : null,
    opa: section?.kind === 'map' ? { ...readOpa(section, reading), isManaged } : null,
  };
}

function readOpa(node: Node, reading: ServerReading): OpaPin {
  const { source, folder, isManaged, report } = reading;
  const url = getText(node, 'url') ?? '';
  const entryOf = (key: string) => getEntry(node, key);
  const example = url.replaceAll('{mode}', 'mode');
  if (entryOf('url') !== null && !isAddress(example) && !isSocket(example))
    report(
      'E_UNKNOWN_VALUE',
      `${quote(url)} is not an allowed address.`,
      'Write https://…; http:// and unix:///… are allowed only for this machine.',
      entryOf('url')!.value.span,
    );
  const deadline = timeOf(node, 'deadline', DEADLINE_MS, reading.report);
  if (deadline > MAX_DEADLINE_MS)
    report(
      'E_UNKNOWN_VALUE',
      `"deadline" is ${deadline} ms: no decision may wait so long.`,
      `Write at most ${MAX_DEADLINE_MS}ms.`,
      entryOf('deadline')!.value.span,
    );
  // Without a certificate, any process that can listen on this machine could answer in place of the server.
  const standsAlone = isManaged && url.startsWith('https:');
  const check = entryOf('check')?.value;
  const written = check?.kind === 'boolean' ? check.shown === 'true' : null;
  if (written === false && !standsAlone)
    report(
      'E_TEAMS_LAYER',
      'The answer of this server cannot decide alone. Only an https server that the organization names can.',
      'Remove "check": the verdict of this machine then counts as well.',
      entryOf('check')!.keySpan,
    );
  return {
    url,
    ...readFiles(node, folder),
    deadline,
    fallback: getText(node, 'fallback') === 'deny' ? 'deny' : 'local',
    check: written ?? !standsAlone,
    source: locate(source, entryOf('url')?.keySpan.start ?? node.span.start),
  };
}

function isSocket(text: string): boolean {
  return /^unix:\/\/\/[^?#]+$/.test(text);
}

/**
 * Joins all files: the settings of the organization take precedence, and a person may set the rest. Only a named server is asked.
 */
export function chooseEvaluator(files: readonly EvaluatorSettings[]): { opa: OpaPin | null; problems: Problem[] } {
  const first = [...files].sort((one, other) => Number(isManaged(other)) - Number(isManaged(one)));
  const named = first.find((one) => one.named !== null)?.named ?? null;
  if (named?.value !== 'opa') return { opa: null, problems: [] };
  const found = first.find(({ opa }) => opa !== null && (opa.isManaged || !named.isManaged))?.opa ?? null;
  if (found === null) return { opa: null, problems: [named.orphan] };
  const { isManaged: _, ...opa } = found;
  return { opa, problems: [] };
}

function isManaged({ named, opa }: EvaluatorSettings): boolean {
  return named?.isManaged ?? opa?.isManaged ?? false;
}
