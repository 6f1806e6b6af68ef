// Converts `groups:` and `agents:` to deny and ask rules.

import type { AgentLimits, FileSet, GroupName, Groups, Layer, RuleText } from '../model/configuration.ts';
import { foldedAgent } from './agent-names.ts';

export const GROUPS = ['read', 'edit', 'command', 'web', 'mcp', 'agent'] as const satisfies readonly GroupName[];

/** One deny for every group that is not listed, and one for writes outside of the files that may be written. */
export function groupRules(groups: Groups, layer: Layer): RuleText[] {
  const { listed, edit, source } = groups;
  const unlisted = GROUPS.filter((name) => !listed.includes(name)).map(
    (name): RuleText => ({ text: `@${name}`, effect: 'deny', layer, source, note: `the groups here do not include ${name}` }),
  );
  if (edit === null) return unlisted;
  const rule = outsideRule(edit.files, layer, edit.source);
  return [...unlisted, edit.description === null ? rule : { ...rule, note: edit.description }];
}

/** The entries of `agents:` for a type, compared as the client compares types. */
export function limitsOf(type: string, agents: readonly AgentLimits[]): AgentLimits[] {
  return agents.filter((one) => foldedAgent(one.type) === foldedAgent(type));
}

/** The entries of each type, by the first spelling of the type. */
export function limitsByType(agents: readonly AgentLimits[]): Map<string, AgentLimits[]> {
  const types = new Map<string, AgentLimits[]>();
  for (const one of agents) {
    const key = foldedAgent(one.type);
    const before = types.get(key);
    if (before === undefined) types.set(key, [one]);
    else before.push(one);
  }
  return new Map([...types.values()].map((entries) => [(entries[0] as AgentLimits).type, entries]));
}

/** The deny and ask rules of the entries of `agents:` for one type. They apply in addition to the mode's own rules. */
export function limitRules(limits: readonly AgentLimits[]): RuleText[] {
  return limits.flatMap(({ type, layer, groups, canEdit, cannotEdit, rules, source }) => {
    const ruleTexts: RuleText[] = [
      ...(groups === null ? [] : groupRules(groups, layer)),
      ...(canEdit === null ? [] : [outsideRule(canEdit, layer, canEdit.globs[0]?.source ?? source)]),
      ...cannotEdit.map((glob): RuleText => ({ text: `Write(${glob.text})`, effect: 'deny', layer, source: glob.source })),
      ...rules.map((rule): RuleText => ({ ...rule, layer })),
    ];
    return ruleTexts.map((rule) => ({ ...rule, note: [rule.note, `for subagents of type ${type}`].filter(Boolean).join(', ') }));
  });
}

/** Longest list of patterns in the text of the rule, in characters. A longer one is found at its place in the file. */
const MAX_SHOWN = 80;

function outsideRule(files: FileSet, layer: Layer, source: RuleText['source']): RuleText {
  const named = [...files.globs.map(({ text }) => text), ...files.expressions.map(({ text }) => `/${text}/`)];
  const shown = named.join(', ');
  return {
    text: `Write outside ${shown.length > MAX_SHOWN ? 'the listed files' : shown}`,
    effect: 'deny',
    layer,
    source,
    outside: files,
  };
}
