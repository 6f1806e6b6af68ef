// Code that the one-shot process loads only when needed: parsers of configuration and rules, and of the client's settings.
export { startProblems } from '../../app/problems.ts';
export { prepare } from '../../engine/prepare.ts';
export { startLines } from '../../workflow/findings/find.ts';
export { parseRule } from './rule.ts';
