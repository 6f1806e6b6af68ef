// Writes docs/semantics.md and docs/workflow.md: the sentences of the YAML file beside each page, with the files of the tests that
// name them.
// With --check it writes nothing. It fails if a page is stale, a tag names no sentence, or a sentence has neither a test nor an
// entry under `open`.
//
// A test names a sentence by a tag that ends its title, its row of a table or, in Rego, the comment above it:
// 'a deny wins [s:order.deny-first]' for semantics, 'a hang is ended [w:run.limit]' for workflow.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The prefix of a tag, and the page that it belongs to. */
const pages = new Map([
  ['s', 'semantics'],
  ['w', 'workflow'],
]);
const tagged = `\\[(?:${[...pages.keys()].join('|')}):`;
const faults = [];

const tests = [...scan('test', '.test.ts', titlesOf), ...scan('policies', '_test.rego', rulesOf)];
for (const [letter, name] of pages) writePage(letter, name);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

function writePage(letter, name) {
  const source = `docs/${name}.yaml`;
  const target = join(root, `docs/${name}.md`);
  const { title, intro, sections, open = [] } = parse(readFileSync(join(root, source), 'utf8'));
  const sentences = sections.flatMap((section) => section.sentences);
  const known = new Set();
  for (const { id } of sentences) {
    if (known.has(id)) faults.push(`${source}: ${id} stands twice`);
    known.add(id);
  }
  const shown = new Map(sentences.map(({ id }) => [id, new Set()]));
  for (const { file, tags, line } of tests) {
    for (const tag of tags.filter((one) => one.letter === letter)) {
      const files = shown.get(tag.id);
      if (files === undefined) faults.push(`${file}:${line} names ${tag.id}, which is no sentence of ${source}`);
      else files.add(file);
    }
  }
  const isShown = ({ id }) => shown.get(id).size > 0;
  const without = sentences.filter((sentence) => !isShown(sentence));
  for (const { id } of open) {
    if (!known.has(id)) faults.push(`${source}: open names ${id}, which is no sentence`);
    else if (isShown({ id })) faults.push(`${source}: ${id} has a test, and stands under open`);
  }
  const reasons = new Map(open.map(({ id, why }) => [id, why]));
  for (const { id } of without) if (!reasons.has(id)) faults.push(`${id} has no test and no reason under open of ${source}`);
  const text = render({ name, title, intro, sections, sentences, without, reasons, shown });
  if (process.argv.includes('--check')) {
    if (readText(target) !== text) faults.push(`docs/${name}.md is not up to date: run node scripts/semantics.mjs`);
  } else writeFileSync(target, text);
  console.log(
    `${name}: ${sentences.length} sentences, ${sentences.length - without.length} with a test, ${without.length} without`,
  );
}

function scan(folder, ending, read) {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending));
  return names.sort().flatMap((name) => {
    const file = `${folder}/${name}`;
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return lines.flatMap((line, at) => {
      const count = line.match(new RegExp(tagged, 'g'))?.length ?? 0;
      if (count === 0) return [];
      const found = read(line, lines[at + 1] ?? '');
      if (count !== found.reduce((sum, one) => sum + one.tags.length, 0))
        faults.push(`${file}:${at + 1} has a tag that does not end a title`);
      return found.map((one) => ({ ...one, file, line: at + 1 }));
    });
  });
}

/** Quoted texts of a line that end with tags: titles, and rows of tables that become titles. */
function titlesOf(line) {
  const quoted = new RegExp(`(['"\`])(?:\\\\.|(?!\\1)[^\\\\])*?((?:\\s*${tagged}[a-z0-9.-]+\\])+)\\1`, 'g');
  return [...line.matchAll(quoted)].map(([, , tags]) => ({ tags: tagsOf(tags) }));
}

/** A comment that contains only tags, directly above a test. */
function rulesOf(line, next) {
  const tags = new RegExp(`^#((?:\\s*${tagged}[a-z0-9.-]+\\])+)$`).exec(line);
  return tags === null || !next.startsWith('test_') ? [] : [{ tags: tagsOf(tags[1]) }];
}

function tagsOf(tags) {
  return [...tags.matchAll(/\[([a-z]):([a-z0-9.-]+)\]/g)].map(([, letter, id]) => ({ letter, id }));
}

function render({ name, title, intro, sections, sentences, without, reasons, shown }) {
  const open = without.map(({ id, text }) => `- ${text} \`${id}\`${reasons.has(id) ? `: ${reasons.get(id)}` : ''}`);
  const state =
    open.length === 0
      ? [`All ${sentences.length} sentences have a test.`]
      : [
          `Of ${sentences.length} sentences, ${open.length} ${open.length === 1 ? 'has' : 'have'} no test of their own yet:`,
          '',
          ...open,
        ];
  const parts = sections.map((section) =>
    [`## ${section.title}`, '', ...section.sentences.flatMap((sentence) => renderSentence(sentence, shown))].join('\n'),
  );
  return [
    `<!-- Made from docs/${name}.yaml and the tags in tests by scripts/semantics.mjs. -->`,
    `# ${title}`,
    intro,
    state.join('\n'),
    ...parts,
  ]
    .join('\n\n')
    .concat('\n');
}

function renderSentence({ id, text }, shown) {
  const tests = [...shown.get(id)].map((file) => `[${file.replace(/^test\/|(_|\.)test\.(ts|rego)$/g, '')}](../${file})`);
  return [`- ${text} \`${id}\``, `  - ${tests.length === 0 ? 'no test yet' : tests.join(', ')}`];
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return null;
  }
}
