// The Bash analyser: short commands against the bare parser, texts made to be slow, and a stream of lines through the command line.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parse } from 'unbash';
import { analyse } from '../../src/shell/analyse.ts';
import { packageRoot } from './fixture.ts';
import { type Bench, inTurns, millis, type Program, type Row, ratio, spreadOf } from './row.ts';

const context = { cwd: '/p', home: '/home/u' };

const short = [
  'ls -la src',
  'git status --short',
  'cat src/a.ts',
  'grep -rn "a = 1" src',
  'npm test',
  'head -20 package.json',
  'rm -rf dist',
  'cd src && ls',
  'sed -i s/1/2/ src/a.ts',
  'wc -l src/*.ts',
];

const slow: [string, string][] = [
  ['1 MB of text', 'echo a\n'.repeat(150_000)],
  ['20,000 nested levels', `${'$('.repeat(20_000)}ls${')'.repeat(20_000)}`],
  ['100,000 pipes', `${'ls|'.repeat(100_000)}ls`],
  // The longest texts that are read at all.
  ['10,000 characters of nested levels', `${'$('.repeat(3_300)}${')'.repeat(3_300)}`],
  ['10,000 characters of pipes', `${'ls|'.repeat(3_300)}x`],
];

const lines = 10_000;

export const measure: Bench = async (say) => {
  say('short commands');
  const rows = [shortCommands()];
  for (const [name, text] of slow) {
    say(name);
    rows.push(slowText(name, text));
  }
  say(`${lines} lines`);
  rows.push(stream());
  return rows;
};

/** Commands a second, the parser alone and the whole analysis taking turns. */
function shortCommands(): Row {
  const rounds = 2_000;
  const perSecond = (what: (text: string) => unknown) => {
    const start = performance.now();
    for (let i = 0; i < rounds; i += 1) for (const text of short) what(text);
    return (rounds * short.length * 1000) / (performance.now() - start);
  };
  const whole: number[] = [];
  const bare: number[] = [];
  for (let turn = -2; turn < 9; turn += 1) {
    const [a, b] = [perSecond((text) => analyse(text, context)), perSecond(parse)];
    if (turn < 0) continue;
    whole.push(a);
    bare.push(b);
  }
  const ours = spreadOf(whole).p50;
  return {
    what: 'Bash analyser, short commands/s',
    budget: '≥ 100,000',
    measured: `${Math.round(ours).toLocaleString('en')}; ${ratio(spreadOf(bare).p50 / ours)} the time of the bare parser`,
    holds: ours >= 100_000,
    absolute: true,
  };
}

function slowText(name: string, text: string): Row {
  const start = performance.now();
  const { class: cls } = analyse(text, context);
  const took = performance.now() - start;
  if (cls !== 'unknown') throw new Error(`${name} is ${cls}`);
  return { what: `Bash analyser, ${name}`, budget: '≤ 1 s', measured: millis(took), holds: took <= 1000, absolute: true };
}

function stream(): Row {
  const input = Array.from({ length: lines }, (_, i) => `${JSON.stringify({ command: short[i % short.length] })}\n`).join('');
  const base = { command: process.execPath, cwd: packageRoot, env: process.env };
  const modes = path.join(packageRoot, 'dist/modes.mjs');
  const { stdout } = spawnSync(process.execPath, [modes, 'bash', '--jsonl'], {
    ...base,
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const answered = stdout.split('\n').length - 1;
  if (answered !== lines) throw new Error(`modes bash --jsonl answered ${answered} of ${lines} lines`);
  const program: Program = { ...base, args: [modes, 'bash', '--jsonl'], input, prints: /"class":/ };
  const node: Program = { ...base, args: ['-e', '0'], input: '', prints: /^$/ };
  const [ours, bare] = inTurns(7, [program, node]) as [number, number];
  return {
    what: `\`modes bash --jsonl\`, ${lines.toLocaleString('en')} lines`,
    budget: '≤ 2 s',
    measured: `${millis(ours)}; ${ratio(ours / bare)} \`node -e 0\``,
    holds: ours <= 2000,
    absolute: true,
  };
}
