// Compares the names of agents as the client does, for which `Explore`, ` explore` and `ex_plore` are the same.

/** The parameter of a call that contains the name of its agent, for deny and ask. The client has no parameter with this name. */
export const agentParam = 'agent';

/** The agent that starts if a call names none. */
export const defaultAgent = 'general-purpose';

export function foldedAgent(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\p{Dash}]/gu, '');
}

/** False for a text that is no type of an agent and no name of a skill: people write these around names. */
export function isCallable(name: string): boolean {
  return /^[^\s*,"'`@]+$/.test(name);
}
