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
    whenToUse: 'Something is to be planned or designed before anybody builds it.',
    description: 'Plans in Markdown, writes no code and runs nothing.',
    customInstructions: null,
    groups: [...open('read'), { name: 'edit', fileRegex: '\\.md$', description: 'Markdown files only' }, ...open('mcp')],
  },
  {
    slug: 'code',
    name: 'Code',
    roleDefinition: 'You are a skilled software engineer who knows many languages, frameworks and good practice.',
    whenToUse: 'Code is to be written, changed or put in order.',
    description: 'Writes and runs.',
    customInstructions: null,
    groups: open('read', 'edit', 'command', 'mcp'),
  },
  {
    slug: 'ask',
    name: 'Ask',
    roleDefinition: 'You answer technical questions, thoroughly and with the code at hand.',
    whenToUse: 'Something is to be explained, looked up or recommended, and nothing changed.',
    description: 'Answers and changes nothing.',
    customInstructions: null,
    groups: open('read', 'mcp'),
  },
  {
    slug: 'debug',
    name: 'Debug',
    roleDefinition: 'You are an expert in finding out methodically why software does what it does.',
    whenToUse: 'Something fails, and nobody knows why.',
    description: 'Traces, adds logs, finds the cause.',
    customInstructions: null,
    groups: open('read', 'edit', 'command', 'mcp'),
  },
  {
    slug: 'orchestrator',
    name: 'Orchestrator',
    roleDefinition: 'You coordinate long work and give each part to a specialist.',
    whenToUse: 'The work is long, and its parts belong to different specialists.',
    description: 'Hands out.',
    customInstructions: null,
    groups: [],
  },
];
