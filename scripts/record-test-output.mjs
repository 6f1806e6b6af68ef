// Records the output of real test runners as fixtures, so that the tests of the parsers need no runner.
//
//   node scripts/record-test-output.mjs FOLDER [RUNNER...]
//
// FOLDER is outside of the project and has the npm runners in node_modules/. The sample projects are written to it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { samples } from './test-samples.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const fixtures = join(root, 'test/unit/workflow/gates/tests/fixtures');
const cases = ['honest', 'failing', 'forged', 'empty', 'skipped'];

async function loadRunners(folder) {
  const outfile = join(folder, 'runners.mjs');
  const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error' };
  await build({
    ...options,
    entryPoints: [join(root, 'src/workflow/gates/tests/runners.ts')],
    outfile,
    external: ['tap-parser'],
  });
  if (!existsSync(join(folder, 'node_modules/tap-parser'))) {
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    symlinkSync(join(root, 'node_modules/tap-parser'), join(folder, 'node_modules/tap-parser'));
  }
  return (await import(pathToFileURL(outfile).href)).runners;
}

function writeSample(folder, files) {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Standard output and standard error in the order in which they were written. */
function run(words, cwd, env, isSeparate) {
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const { stdout } = spawnSync('sh', ['-c', isSeparate ? command : `${command} 2>&1`], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
  return stdout;
}

function record(runner, sample, scratch, packages) {
  const target = join(fixtures, runner.name.replace(':', '-'));
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const name of cases) {
    const folder = join(scratch, runner.name.replace(':', '-'), name);
    const tidy = (text) =>
      text.replaceAll(folder, '/project').replaceAll(packages, '/packages').replaceAll(process.env.HOME, '/home');
    const report = join(scratch, 'report');
    for (const [kind, words] of Object.entries(sample.printed)) {
      writeSample(folder, sample.files(name));
      writeFileSync(join(target, `${name}.${kind}`), tidy(run(words(packages), folder, sample.env ?? {}, false)));
    }
    if (sample.reports !== undefined)
      for (const file of readdirSync(folder, { recursive: true })
        .sort()
        .filter((one) => sample.reports.test(one)))
        writeFileSync(
          join(target, `${name}.${file.split('/').at(-1)}`),
          tidy(readFileSync(join(folder, file), 'utf8').replace(/<properties>[\s\S]*?<\/properties>/g, '')),
        );
    const request = runner.ask?.(report);
    if (request === undefined || request.format === null) continue;
    writeSample(folder, sample.files(name));
    rmSync(report, { force: true });
    for (const [file, text] of Object.entries(request.files ?? {})) writeFileSync(join(scratch, file), text);
    const words = [...(sample.asked ?? Object.values(sample.printed)[0])(packages), ...request.args];
    const printed = run(words, folder, { ...sample.env, ...request.env }, true);
    const text = request.from === 'output' ? printed : existsSync(report) ? readFileSync(report, 'utf8') : '';
    writeFileSync(join(target, `${name}.report`), tidy(text));
  }
  console.log(`${runner.name}: recorded`);
}

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error('name a folder outside of the project');
const scratch = resolve(folder);
mkdirSync(scratch, { recursive: true });
for (const runner of await loadRunners(scratch)) {
  const sample = samples[runner.name];
  if (sample !== undefined && (names.length === 0 || names.includes(runner.name)))
    record(runner, sample, join(scratch, 'samples'), join(scratch, 'node_modules'));
}
