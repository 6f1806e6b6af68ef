// The project that the scenarios play in: the TDD example's configuration, and something to write tests for.
import path from 'node:path';
import { pluginFolder } from './client.ts';
import { makePlace, type Place, type PlaceOptions } from './place.ts';

const notebook = JSON.stringify({
  cells: [{ cell_type: 'code', id: 'c1', metadata: {}, source: ['first'], outputs: [], execution_count: null }],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});

/** A project without modes: sources, tests, a README. */
export function plainProject(options: PlaceOptions = {}): Place {
  const place = makePlace(options);
  for (const folder of ['src', 'test']) {
    place.write(`${folder}/n.ipynb`, notebook);
  }
  place.write('src/calc.ts', 'export const first = 1;\n');
  place.write('test/calc.test.ts', 'test("first", () => {});\n');
  place.write('README.md', '# A project\n');
  place.write('package.json', '{"name":"calc","scripts":{"test":"node --test"}}\n');
  return place;
}

/** The same, governed by the TDD example as it is shipped. */
export function tddProject(options: PlaceOptions = {}): Place {
  return plainProject({ copy: path.join(pluginFolder(), 'examples/tdd'), ...options });
}
