// Writes docs/benchmarks.md and its picture from docs/benchmarks.json, the rows of the last runs.
//
//   node scripts/bench-page.mjs            writes both
//   node scripts/bench-page.mjs --check    fails if they are not what the data gives
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const docs = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs');
const calls = ['Read', 'Write', 'Bash', 'MCP'];
const all = 'Modes';
const ungoverned = 'Modes, project without modes';
const unit = '`/bin/true` before a call';
const unmeasured = 'not measured yet';

const millis = (value) => (value < 100 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`);
const times = (value) => `${value.toFixed(2)} ×`;

/** The rows of a benchmark that have numbers, if it was run. */
const rowsOf = (data, name) => (data[name]?.rows ?? []).filter(({ figures }) => figures !== undefined);
const find = (rows, labels) => rows.find((row) => Object.entries(labels).every(([name, value]) => row.labels[name] === value));
const callOf = (data, hooks, call, files = '10') => find(rowsOf(data, 'client'), { hooks, call, files })?.figures;

/** The five numbers for a reader who has one minute. */
function headline(data) {
  const cost = (hooks, call) => {
    const figures = callOf(data, hooks, call);
    return figures?.times ? `${millis(figures.least)}, ${times(figures.times)} \`/bin/true\`` : unmeasured;
  };
  const started = find(rowsOf(data, 'start'), { hooks: all, moment: 'prompt' })?.figures;
  const tokens = find(rowsOf(data, 'tokens'), { preset: 'tdd-checked', variant: 'as shipped' })?.figures;
  return [
    ['a Read waits for Modes', cost(all, 'Read'), '≤ 2.00 ×'],
    ['a Write waits for Modes', cost(all, 'Write'), '≤ 2.80 ×'],
    ['a Read in a project without modes', cost(ungoverned, 'Read'), '≤ 1.50 ×'],
    ['the first prompt can be typed later by', started ? millis(started.median) : unmeasured, '≤ 150 ms'],
    ['tokens added by `tdd-checked`', tokens ? tokens.total.toLocaleString('en') : unmeasured, '≤ 1,500 without instructions'],
  ];
}

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

/** Every set of hooks once, with a column for each kind of call. */
function clientTable(data, files) {
  const rows = rowsOf(data, 'client').filter(({ labels }) => labels.files === files);
  const cell = (figures) =>
    figures === undefined
      ? ''
      : `${figures.least.toFixed(1)} / ${figures.median.toFixed(1)}${figures.times === undefined ? '' : `; ${times(figures.times)}`}`;
  return [...new Set(rows.map(({ labels }) => labels.hooks))].map((hooks) => [
    hooks,
    ...calls.map((call) => cell(find(rows, { hooks, call })?.figures)),
  ]);
}

function clientPart(data) {
  const rows = rowsOf(data, 'client');
  const why = data.client?.rows[0]?.measured ?? unmeasured;
  if (rows.length === 0) return `\`make bench ROWS=client\` measures this: ${why}.`;
  const guards = [...new Map(rows.flatMap(({ labels }) => (labels.checks ? [[labels.hooks, labels.checks]] : [])))];
  const parts = [...new Set(rows.map(({ labels }) => labels.files))].map(
    (files) =>
      `A project with ${Number(files).toLocaleString('en')} files:\n\n${table(['hooks', ...calls], clientTable(data, files))}`,
  );
  const checks = table(['guard', 'checks'], [...guards, [all, 'every tool: rules, mode, shell commands, gates']]);
  return `${ranOn(data.client)}\n\n${parts.join('\n\n')}\n\nOther guards with the hook commands of their documents. \`tdd-guard\` asks a model about each Write; here the scripted one answers at once.\n\n${checks}`;
}

const ranOn = ({ machine, date, load }) =>
  `Measured on ${date}: ${machine}${load ? `; load average ${load.map((one) => one.toFixed(1)).join(' before and ')} after` : ''}.`;

const verdict = ({ holds, absolute }) => {
  if (holds === null) return '';
  if (absolute) return holds ? 'here' : 'not here';
  return holds ? 'yes' : '**no**';
};

function longTable(data) {
  const rows = Object.entries(data).flatMap(([name, bench]) => (name === 'client' && bench.rows.length > 1 ? [] : bench.rows));
  return table(
    ['what', 'budget', 'measured', 'holds'],
    rows.map((row) => [row.what, row.budget, row.measured, verdict(row)]),
  );
}

export function page(data) {
  const picture =
    rowsOf(data, 'client').length > 0 ? '\n![Time of a call in the client, by hooks](pictures/benchmarks.svg)\n' : '';
  const others = Object.entries(data).find(([name]) => !['client', 'start', 'tokens'].includes(name))?.[1];
  return `# Benchmarks

What Modes costs a person in the real client. The unit is a hook that runs \`/bin/true\`: no command hook can cost less.

${table(['', 'measured', 'target'], headline(data))}
${picture}
## How it is measured

\`make bench\` measures everything on this page and writes it. \`make bench ROWS="client start tokens"\` measures only what a person pays, and prints it. Add \`WRITE=1\` to replace these rows in \`docs/benchmarks.json\` and here, or \`JSON=1\` to print the numbers. Ctrl-C ends a run; it then writes nothing and removes its files and processes.

**Calls.** The real client runs with a scripted model on the same machine. A session makes 50 calls each of Read, Write, Bash (\`wc -l\`) and an MCP tool that answers at once, in turns. The time of a call goes from the model's answer to the client's next request. All sets of hooks take turns for seven rounds, there and back. A cell shows two times over a client without hooks, in ms: the least and the median of the rounds' medians. The ratio is that of the least times to \`/bin/true\` in the same run. Trust the ratios: times depend on the machine and its load.

**Start.** The interactive client starts on a terminal of 130 columns, in turns with and without the plugin. The time goes until the input line is drawn, and until a line that is typed then reaches the model.

**Tokens.** A session of 20 prompts and 100 calls (Read, Bash, Grep, one transition) is played with the plugin and without. The last request of a session contains the whole conversation. The figure is the difference of the two request bodies (system prompt, tools, messages) in characters of JSON, divided by 3.5, which Anthropic's glossary gives as the English characters of a token.

## In the client

${clientPart(data)}

## Everything else

Programs that are compared take turns in one run. A budget in absolute time holds "here" or "not here".

"At the usual speed" is a scaled time. During each measurement, the OPA SDK also evaluates a small policy of fixed size
([yardstick](../test/bench/yardstick.ts)). It takes 7.5 µs on the machine that the budgets were written for. If it takes twice as long, half of
the measured time is compared with the budget. A budget holds "here" if only the time as measured keeps it, because this machine evaluates
policies faster than it does everything else.

${others ? `${others.machine}.` : ''}

${longTable(data)}
`;
}

const escapeText = (text) => text.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Bars of the least time of a call over a client without hooks, for the sets that a reader compares. */
export function picture(data) {
  const rows = rowsOf(data, 'client').filter(({ labels }) => labels.files === '10');
  const shown = [unit, ungoverned, all, ...new Set(rows.flatMap(({ labels }) => (labels.checks ? [labels.hooks] : [])))];
  const bars = shown.flatMap((hooks) =>
    ['Read', 'Write', 'Bash'].flatMap((call) => {
      const figures = find(rows, { hooks, call })?.figures;
      return figures ? [{ hooks, call, ms: Math.max(0, figures.least) }] : [];
    }),
  );
  const [left, width, line, gap] = [250, 420, 16, 10];
  const most = Math.max(1, ...bars.map(({ ms }) => ms));
  const colors = { Read: '#2f6fde', Write: '#d9822b', Bash: '#3d9970' };
  let y = 34;
  const shapes = [];
  for (const hooks of shown) {
    const own = bars.filter((bar) => bar.hooks === hooks);
    if (own.length === 0) continue;
    shapes.push(`<text x="${left - 10}" y="${y + (own.length * line) / 2 + 4}" text-anchor="end">${escapeText(hooks)}</text>`);
    for (const { call, ms } of own) {
      const long = Math.max(1, (ms / most) * width).toFixed(1);
      shapes.push(`<rect x="${left}" y="${y}" width="${long}" height="${line - 3}" fill="${colors[call]}"/>`);
      shapes.push(
        `<text x="${(left + Number(long) + 6).toFixed(1)}" y="${y + line - 5}" class="ms">${call} ${millis(ms)}</text>`,
      );
      y += line;
    }
    y += gap;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 ${y + 6}" width="800" role="img" aria-label="Time that hooks add to a call in the client">
<style>text{font:13px system-ui,sans-serif;fill:#222}.ms{font-size:11px}rect.back{fill:#fff}</style>
<rect class="back" width="800" height="${y + 6}"/>
<text x="${left}" y="20">time that hooks add to a call, least of the rounds</text>
${shapes.join('\n')}
</svg>
`;
}

/** The files that the data gives, by name. */
const filesOf = (data) => ({
  'benchmarks.md': page(data),
  ...(rowsOf(data, 'client').length > 0 ? { 'pictures/benchmarks.svg': picture(data) } : {}),
});

export function writePage(data) {
  for (const [name, text] of Object.entries(filesOf(data))) writeFileSync(join(docs, name), text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const data = JSON.parse(readFileSync(join(docs, 'benchmarks.json'), 'utf8'));
  if (!process.argv.includes('--check')) writePage(data);
  else {
    const stale = Object.entries(filesOf(data)).filter(([name, text]) => readFileSync(join(docs, name), 'utf8') !== text);
    for (const [name] of stale)
      console.error(`docs/${name} is not what docs/benchmarks.json gives; run node scripts/bench-page.mjs`);
    console.log(`${stale.length} pages of benchmarks out of date`);
    if (stale.length > 0) process.exitCode = 1;
  }
}
