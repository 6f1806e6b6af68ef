// What the one-shot loads only where nothing is kept ready: readers of configuration and rules.
export { prepare } from '../decide/prepare.ts';
export { parseRule } from './rule.ts';
