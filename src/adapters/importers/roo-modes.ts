// Roo Code's groups and built-in modes. Every Roo project has these modes unless it redefines them. An import leaves them out.

/** Groups of Roo 3.52. Roo still accepts `browser`, but it has no effect. */
export const ROO_GROUPS = ['read', 'edit', 'command', 'mcp', 'modes'] as const;
export type RooGroup = (typeof ROO_GROUPS)[number];
export const GONE_GROUP = 'browser';

export interface RooMode {
  slug: string;
  name: string;
  roleDefinition: string;
  whenToUse: string | null;
  description: string | null;
  customInstructions: string | null;
  groups: { name: RooGroup; fileRegex: string | null; description: string | null }[];
}

const open = (...names: RooGroup[]): RooMode['groups'] => names.map((name) => ({ name, fileRegex: null, description: null }));

/** In Roo's order, described in our own words. Work begins in the first mode. */
export const ROO_OWN: readonly RooMode[] = [
  {
    slug: 'architect',
    name: 'Architect',
    roleDefinition: 'You are an experienced technical lead who looks closely and plans well.',
    whenToUse: 'To plan or design something before it is built.',
    description: 'Plans in Markdown, writes no code and runs nothing.',
    customInstructions: null,
    groups: [...open('read'), { name: 'edit', fileRegex: '\\.md$', description: 'Markdown files only' }, ...open('mcp')],
  },
  {
    slug: 'code',
    name: 'Code',
    roleDefinition: 'You are a skilled software engineer who knows many languages, frameworks and good practice.',
    whenToUse: 'To write, change or clean up code.',
    description: 'Writes and runs code.',
    customInstructions: null,
    groups: open('read', 'edit', 'command', 'mcp'),
  },
  {
    slug: 'ask',
    name: 'Ask',
    roleDefinition: 'You answer technical questions, thoroughly and with the code at hand.',
    whenToUse: 'To explain, look up or recommend something without changing anything.',
    description: 'Answers questions and changes nothing.',
    customInstructions: null,
    groups: open('read', 'mcp'),
  },
  {
    slug: 'debug',
    name: 'Debug',
    roleDefinition: 'You are an expert in finding out methodically why software does what it does.',
    whenToUse: 'To find the cause of a failure.',
    description: 'Traces the failure, adds logs and finds the cause.',
    customInstructions: null,
    groups: open('read', 'edit', 'command', 'mcp'),
  },
  {
    slug: 'orchestrator',
    name: 'Orchestrator',
    roleDefinition: 'You coordinate long work and give each part to a specialist.',
    whenToUse: 'For long work whose parts need different specialists.',
    description: 'Delegates the work.',
    customInstructions: null,
    groups: [],
  },
];
