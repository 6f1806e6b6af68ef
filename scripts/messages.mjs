// Writes docs/messages.md: every text of the sources that a person or a model may read, by the part of Modes that prints it, so that
// the texts can be read and reviewed on one page. With --check it writes nothing and fails if the page is stale.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const target = join(root, 'docs/messages.md');

/** Parts of the page: folders of src, and who reads their texts. The first one that matches counts. */
const parts = [
  {
    title: 'Decisions about calls',
    folders: ['engine/', 'rules/describe', 'policy/fault', 'policy/verdict'],
    readers: 'The model reads them with a denied call, the person with a question.',
  },
  {
    title: 'What a call does',
    folders: ['facts/', 'shell/', 'git/'],
    readers: 'They are the reason in a decision, and appear in `modes explain` and `modes check`.',
  },
  {
    title: 'Gates and transitions',
    folders: ['workflow/gates/'],
    readers: 'The model reads them in the answer to a transition, the person in `modes gates`.',
  },
  {
    title: 'Modes, plans, tasks, grants, verified runs',
    folders: ['workflow/', 'store/'],
    readers: 'The model reads them as context and in the answers of tools, the person in dialogs.',
  },
  {
    title: 'Tools and typed commands',
    folders: ['adapters/mcp/', 'app/'],
    readers: 'The model reads the descriptions of tools, the person the dialogs and answers of typed commands.',
  },
  {
    title: 'Configuration, rules and policies',
    folders: ['config/', 'rules/', 'policy/', 'model/'],
    readers: 'The person reads them in `modes validate` and `modes policy check`.',
  },
  {
    title: 'Command line',
    folders: ['adapters/cli/', 'adapters/importers/', 'adapters/dashboard/'],
    readers: 'The person reads them in a terminal, or in the browser.',
  },
  {
    title: 'Other adapters, organizations',
    folders: ['adapters/', 'teams/', 'platform/'],
    readers: 'The person reads them in a terminal or in the log of the server.',
  },
];

/** Words that a sentence has and a list of names has not. */
const common =
  /\b(?:the|a|an|is|are|was|it|its|of|to|in|that|no|not|and|or|with|for|by|on|as|this|only|has|have|there|can|may|must|from|at)\b/g;

const texts = new Map();
for (const file of readdirSync(join(root, 'src'), { recursive: true }).map(String).sort()) {
  if (!file.endsWith('.ts')) continue;
  const source = readFileSync(join(root, 'src', file), 'utf8');
  for (const text of textsOf(file, source)) {
    if (!texts.has(text)) texts.set(text, file);
  }
}

/** The texts of a file in their order; {…} stands for a value. */
function textsOf(file, source) {
  const found = [];
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return;
    if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType') return;
    const text = textOf(node, source);
    if (text !== null && isRead(text)) found.push(text.replace(/\s+/g, ' ').trim());
    // A key is a name of the sources, or an example of a table.
    for (const [field, value] of Object.entries(node)) if (!(node.type === 'Property' && field === 'key')) visit(value);
  };
  visit(parseSync(file, source).program);
  return found;
}

function textOf(node, source) {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral') return null;
  const values = node.expressions.map(({ start, end }) => nameOf(source.slice(start, end)));
  return node.quasis.map(({ value }, at) => value.cooked + (values[at] ?? '')).join('');
}

/** A value by the name that the source has for it; `{…}` for an expression. */
function nameOf(expression) {
  const [name] = /^[\w.]+$/.exec(expression)?.[0].split('.').slice(-1) ?? ['…'];
  return `{${name}}`;
}

function isRead(text) {
  const words = text.match(/[A-Za-z]{2,}/g) ?? [];
  const options = text.match(/(?:^|\s)-{1,2}[A-Za-z]/g) ?? [];
  return (
    words.length >= 4 &&
    options.length <= words.length / 6 &&
    (text.match(common)?.length ?? 0) >= words.length / 8 &&
    !/[\\^]\w|=>|^\(\?/.test(text)
  );
}

const partOf = (file) => parts.find(({ folders }) => folders.some((folder) => file.startsWith(folder)));
const lines = [
  '# Messages',
  '',
  'Every text of the sources that a person or a model may read, by the part of Modes that prints it. `{name}` stands for a value. Errors',
  'have a page of their own: [errors.md](errors.md). `node scripts/messages.mjs` writes this page.',
];
for (const part of parts) {
  lines.push('', `## ${part.title}`, '', part.readers);
  let last = '';
  for (const [text, file] of texts) {
    if (partOf(file) !== part) continue;
    if (file !== last) lines.push('', `### src/${file}`, '');
    last = file;
    lines.push(`- ${text.replaceAll('`', "'").replace(/[<|*_]/g, '\\$&')}`);
  }
}
const page = `${lines.join('\n')}\n`;
if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== page) {
    console.error('docs/messages.md is not up to date: run node scripts/messages.mjs');
    process.exitCode = 1;
  }
} else writeFileSync(target, page);
console.log(`messages: ${texts.size} texts`);
