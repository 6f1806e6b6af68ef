// How the client compares the names of agents: `Explore`, ` explore` and `ex_plore` are one to it.

/** The parameter under which a call says its agent for deny and ask; the client has none of this name. */
export const agentParam = 'agent';

/** What is started where a call names no agent. */
export const defaultAgent = 'general-purpose';

export function foldedAgent(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\p{Dash}]/gu, '');
}
