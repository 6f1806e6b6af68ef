// Calls as the client sends them, and their facts without any rule.
import { collectFacts, type FactsContext } from '../../src/facts/collect.ts';
import type { Place } from '../../src/facts/paths/place.ts';
import type { Facts, ToolCall } from '../../src/model/facts.ts';

const never = () => false;
export const noInterest = {
  hasReadRestriction: false,
  hasWriteRestriction: false,
  readPlaces: [],
  writePlaces: [],
  couldMatchRead: never,
  couldMatchWrite: never,
  readsIn: () => never,
  writesIn: () => never,
  couldMatchReadBelow: never,
  couldMatchWriteBelow: never,
  couldMatchReadOutline: never,
  couldMatchWriteOutline: never,
  couldDenyRead: never,
  couldDenyWrite: never,
};

export function callOf(tool: string, input: Record<string, unknown>, cwd: string, changes: Partial<ToolCall> = {}): ToolCall {
  return {
    event: 'PreToolUse',
    tool,
    input,
    toolUseId: 'toolu_1',
    cwd,
    sessionId: 'session-1',
    permissionMode: 'default',
    agentId: null,
    agentType: null,
    mcpServer: null,
    transcriptPath: null,
    ...changes,
  };
}

export function factsOf(call: ToolCall, place: Place, changes: Partial<FactsContext> = {}): Facts {
  return collectFacts(call, {
    place,
    pathFilter: noInterest,
    mode: 'test-dev',
    state: { since: null, enteredBy: null },
    wantsInput: false,
    commands: [],
    ...changes,
  });
}

/** What a call's writes meet, strictest first: deny, ask or null. */
export function metBy(facts: Facts): 'deny' | 'ask' | null {
  const effects = facts.writes.map((access) => access.protection?.effect);
  return effects.includes('deny') ? 'deny' : effects.includes('ask') ? 'ask' : null;
}
