// The conformance suite names fs.globSync, which Node 20 lacks, for another of its commands: given to node with --import.
import { register } from 'node:module';

const withGlob = `export * from 'node:fs';
export { default } from 'node:fs';
export const globSync = () => { throw new Error('not here'); };`;
const hooks = `export async function resolve(specifier, context, next) {
  const isSuite = specifier === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/');
  return isSuite ? { url: 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(withGlob)}), shortCircuit: true } : next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
