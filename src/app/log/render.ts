// Renders an explanation as text for a person.

import { renderMarked } from '../../config/render.ts';
import type { PathAccess } from '../../model/facts.ts';
import { describeEvaluated } from '../../policy/remote/opa-policy.ts';
import { explain as explainBash } from '../explain-command.ts';
import type { ExplainedRule, Explanation, OpenMode } from './explain.ts';
import { oneLine, stepOf } from './table.ts';

/** Limits on a shown line of a settings file and on a shown parameter, in characters. */
const maxLine = 200;
const maxParameter = 200;
const maxAccesses = 12;

const colours = { deny: '31', ask: '33', allow: '32', pass: '2' } as const;

export function renderExplanation(explanation: Explanation, colour = false): string {
  const { decision, at, session, call, rules, notes } = explanation;
  const paint = (code: string, text: string): string => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const head = [
    paint(`1;${colours[decision.decision]}`, decision.decision),
    oneLine(call.tool),
    `in ${oneLine(decision.mode ?? 'no mode')}`,
    ...(at === null ? ['(dry run)'] : [`at ${at}`, `id ${decision.decision_id}`]),
    ...(session === null ? [] : [`session ${oneLine(session)}`]),
  ];
  const part = (title: string, lines: string[]): string[] =>
    lines.length === 0 ? [] : ['', paint('1', title), ...lines.map((line) => (line === '' ? '' : `  ${line}`))];
  return [
    head.join('  '),
    ...[decision.reason || passed(decision), decision.remedy, decision.advice ?? '']
      .filter((text) => text !== '')
      .map((text) => `  ${oneLine(text)}`),
    ...part('The call', parameters(call.input)),
    ...part('What it does', accesses(explanation, colour)),
    ...part(
      'Rules that matched',
      rules.flatMap((rule) => ruleLines(rule, paint)),
    ),
    ...part(decision.rules.length === 0 ? 'Decided by' : 'Also decided by', others(explanation)),
    ...part('Evaluated by', decision.evaluator === undefined ? [] : [oneLine(describeEvaluated(decision.evaluator))]),
    ...part('Where it is open', openLines(explanation.open)),
    ...part('Note', notes),
  ].join('\n');
}

/** The client prints no reason for a call that passes, so this adds one. */
function passed({ decision, by, mode }: Explanation['decision']): string {
  if (decision !== 'pass') return '';
  const rules = by === 'default' && mode !== null ? `No rule of ${mode} decides it: it` : 'It';
  return `${rules} is left to the client's own rules.`;
}

function parameters(input: Record<string, unknown>): string[] {
  return Object.entries(input).map(([name, value]) => {
    const text = oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    return `${oneLine(name)}: ${text.length > maxParameter ? `${text.slice(0, maxParameter)}…` : text}`;
  });
}

function accesses({ bash, call, facts }: Explanation, colour: boolean): string[] {
  if (bash !== null) return explainBash(String(call.input.command), bash, { colour }).split('\n');
  const { reads = [], writes = [], domains = [], agents = [], skills = [], may_write_anywhere: parts } = facts;
  const lines = [
    ...writes.map((one) => accessLine('writes', one)),
    ...reads.filter(({ implied }) => !implied).map((one) => accessLine('reads', one)),
    ...domains.map(({ host }) => `reaches ${oneLine(host)}`),
    ...agents.map((name) => `starts the agent ${oneLine(name)}`),
    ...skills.map((name) => `uses the skill ${oneLine(name)}`),
    ...(parts ?? []).map(({ name, why }) => `may write anywhere: ${oneLine(name)} (${oneLine(why)})`),
  ];
  return lines.length > maxAccesses ? [...lines.slice(0, maxAccesses), `and ${lines.length - maxAccesses} more`] : lines;
}

function accessLine(does: string, { path, real, root, deep, via }: PathAccess): string {
  const place = root === 'outside' ? ' (outside the project)' : '';
  const target = real !== path && !real.endsWith(`/${path}`) ? ` (really ${oneLine(real)})` : '';
  return `${does} ${oneLine(path)}${deep ? ' and everything below' : ''}${place}${target}  [${oneLine(via)}]`;
}

function ruleLines(
  { effect, text, source, matched, decided, line }: ExplainedRule,
  paint: (code: string, text: string) => string,
): string[] {
  const place = `${source.file}:${source.line}:${source.column}`;
  const summary = `${oneLine(place)} ${effect} ${oneLine(text)}  matched ${oneLine(matched) || "the project's root"}${decided ? paint('1', '  decided') : ''}`;
  if (line === null) return [summary, '    (that line has changed since)'];
  if (line.text.length > maxLine) return [summary];
  return [summary, ...renderMarked(line.text, line.column, line.length).map((one) => `    ${one}`)];
}

function others({ decision: { by, policies, protections, rules, grants } }: Explanation): string[] {
  const lines = [
    ...(grants ?? []).map(({ id, counted }) => `grant ${id}${counted ? ', one use consumed' : ''}`),
    ...(policies ?? []).map(({ name, file, line, reason }) => `policy ${name} (${file}:${line}): ${oneLine(reason)}`),
    ...(protections ?? []).map(({ name, on }) => `built-in protection ${name}: ${oneLine(on)}`),
  ];
  return lines.length > 0 || rules.length > 0 ? lines : by === 'default' ? [] : [stepOf(by)];
}

function openLines(open: OpenMode[] | null): string[] {
  if (open === null) return [];
  if (open.length === 0) return ['No mode allows this call.'];
  return open.flatMap(({ mode, decision, way: path, constraint, unmet }) => {
    const outcome = decision === 'allow' ? 'allowed' : "left to the client's own rules";
    if (path.length === 0) return [`${mode}: ${outcome}; the project is in it.`];
    const through = path.length > 1 ? `, by way of ${path.slice(0, -1).join(' and ')}` : '';
    const lacks = unmet.map(({ check, missing, how }) => `  ${oneLine(`${check}: ${missing}. ${how}`).trim()}`);
    return [
      `${mode}: ${outcome}${through}. The gate to ${path[0]}${lacks.length === 0 && constraint === null ? ' is open.' : ' needs:'}`,
      ...(constraint === null ? [] : [`  ${oneLine(constraint)}`]),
      ...lacks,
    ];
  });
}
