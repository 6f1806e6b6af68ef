// ARCHITECTURE.md names the files that a rule and a call go through. The test bundles the sources with a note at the start of each named
// function, makes such a call, and compares the order of the notes.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { afterTest } from '../../support/cleanup.ts';
import { Layered, modesYaml, permissions } from '../../support/layered-project.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = fs.readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
const steps = [...page.matchAll(/^\d+\. `([^`]+)`(?:, `(\w+)`)?: /gm)].map(([, file, name]) => ({ file: file!, name }));

const notes = globalThis as { visited?: string[] };

/** Adds a note to the body of a function or method with this name. */
function noted(text: string, file: string, name: string): string {
  const begins = new RegExp(`^(export (async )?function | {2}(async )?)${name}(<[^(]*>)?\\(`, 'm').exec(text);
  if (begins === null) throw new Error(`${file} has no ${name}`);
  const body = text.indexOf(' {\n', begins.index) + 3;
  return `${text.slice(0, body)}(globalThis as any).visited?.push(${JSON.stringify(file)});\n${text.slice(body)}`;
}

const plugin: Plugin = {
  name: 'notes',
  setup(bundler) {
    bundler.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path: at }) => {
      const file = path.relative(root, at);
      const step = steps.find((one) => one.file === file);
      const text = fs.readFileSync(at, 'utf8');
      return { contents: step?.name === undefined ? text : noted(text, file, step.name), loader: 'ts' };
    });
  },
};

test('a refused call takes the path that ARCHITECTURE.md describes', async () => {
  expect(steps.length).toBeGreaterThan(8);
  expect(steps.length).toBeLessThanOrEqual(12);
  for (const { file } of steps) expect(fs.existsSync(path.join(root, file)), file).toBe(true);

  const folder = fs.mkdtempSync(path.join(root, 'node_modules/.cache-test-'));
  afterTest(() => fs.rmSync(folder, { recursive: true, force: true }));
  await build({
    absWorkingDir: root,
    stdin: {
      contents: `
        export { hookAnswer } from './src/engine/answer.ts';
        export { prepare } from './src/engine/prepare.ts';
        export { openProject } from './src/workflow/project.ts';`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile: path.join(folder, 'path.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.11',
    packages: 'external',
    plugins: [plugin],
  });
  const { hookAnswer, openProject, prepare } = await import(pathToFileURL(path.join(folder, 'path.mjs')).href);

  const place = new Layered()
    .put('project', 'modes.yaml', modesYaml())
    .put('project', 'settings.one.json', permissions({ deny: ['Write(src/**)'] }));
  notes.visited = [];
  const project = openProject({ start: place.root, env: place.env, packageRoot: root, prepare });
  await project.ready();
  const event = {
    hook_event_name: 'PreToolUse',
    cwd: place.root,
    tool_name: 'Write',
    tool_input: { file_path: 'src/a.ts', content: '' },
  };
  const answer = hookAnswer(project.decideEvent(event), false);
  const visited = [...new Set(notes.visited)];
  delete notes.visited;

  expect(answer.hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
  expect(visited).toEqual(steps.filter(({ name }) => name !== undefined).map(({ file }) => file));
});
