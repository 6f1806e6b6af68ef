// Plays attempts one after the other in one session of the real client, and looks at what each changed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfiguration } from '../../../src/config/load.ts';
import { readEvent } from '../../../src/store/log/event.ts';
import { LogFiles, logFolder } from '../../../src/store/log/files.ts';
import { recordTrust } from '../../../src/store/trust.ts';
import { pluginFolder, type Session, SYSTEM_PATH, session } from '../client.ts';
import { dataFolder, go } from '../mode.ts';
import { type Block, bash, type ModelRequest, mcp, say, type Turn, use } from '../model.ts';
import { makePlace, type Place } from '../place.ts';
import { copyPlugin } from '../plugin.ts';
import { differences, readTree, restore, type Tree } from '../tree.ts';
import type { Row } from './row.ts';

interface Played {
  /** What the decision log says of the escalation; undefined where the client refused it before. */
  decision: string | undefined;
  refused: boolean;
  told: string;
  /** The model was told by name which guarded files a program changed. */
  reported: boolean;
  /** Of what is guarded, as `~project/src/calc.ts`. */
  changed: string[];
  /** Preparing calls that were refused. */
  stopped: string[];
}

/** A project of the example tdd-checked that a person trusts, a worktree of it, and a copy of the plugin: all may be lost. */
interface Field extends Place {
  plugin: string;
  /** The worktree. */
  tree: string;
}

const skill = '---\nname: taking\ndescription: takes\n---\n!`echo taken > src/calc.ts`\n';
const notebook = JSON.stringify({
  cells: [{ cell_type: 'code', id: 'c1', metadata: {}, source: ['first'], outputs: [], execution_count: null }],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
});

function makeField(): Field {
  const place = makePlace({ copy: path.join(pluginFolder(), 'examples/tdd-checked') });
  place.write('src/calc.ts', 'export const first = 1;\n');
  place.write('src/n.ipynb', notebook);
  place.write('test/calc.test.ts', '// first\n');
  place.write('README.md', '# A project\n');
  place.write('package.json', '{"name":"calc","scripts":{"test":"node --test","other":"node --test"}}\n');
  place.write('.claude/skills/taking/SKILL.md', skill);
  for (const [name, leads] of [
    ['linked', '../src'],
    ['one.ts', '../src/calc.ts'],
  ] as const)
    fs.symlinkSync(leads, path.join(place.project, 'test', name));
  for (const folder of ['bin', 'other']) fs.mkdirSync(path.join(place.root, folder));
  fs.writeFileSync(path.join(place.home, '.bashrc'), '# start\n');
  const tree = path.join(place.root, 'tree');
  for (const args of [
    ['init', '-q', '--template=', '-b', 'main'],
    ['config', 'user.name', 'ann'],
    ['config', 'user.email', 'ann@a.invalid'],
    ['add', '-A'],
    ['commit', '-qm', 'first'],
    ['worktree', 'add', '-q', tree, '-b', 'other'],
  ]) {
    const done = spawnSync('git', args, { cwd: place.project, encoding: 'utf8', env: { PATH: SYSTEM_PATH, HOME: place.home } });
    if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  }
  recordTrust(dataFolder(place.home), place.project, loadConfiguration(place.project).hash, 'terminal', new Date());
  return { ...place, tree, plugin: copyPlugin(path.join(place.root, 'plugin')) };
}

/** Kept by the client and by Modes while they work, and the folders that test-dev leaves open. */
const UNGUARDED = [
  /^project\/test(\/|$)/,
  /^project\/\.git\/(index|logs|objects|ORIG_HEAD|refs|HEAD|worktrees\/[^/]+\/(index|logs))(\/|$)/,
  /^home\/\.claude\/(backups|cache|debug|plans|projects|session-env|sessions|statsig|tasks|telemetry|todos)(\/|$)/,
  /^home\/\.claude\/(shell-snapshots|\.last[^/]*|history\.jsonl|policy-limits\.json|remote-settings\.json)$/,
  /^home\/\.claude\/modes-data\/(?!trust(\/|$))/,
  /^home\/(\.claude\.json[^/]*|\.npm|\.cache)(\/|$)/,
  /^home(\/\.claude)?(\/modes-data)?$/,
];

const isUnguarded = (name: string) => UNGUARDED.some((pattern) => pattern.test(name));

const guarded = ({ project, home, tree, plugin, root }: Field): Tree => {
  const read = (folder: string, at: string) => readTree(at, (name) => isUnguarded(`${folder}/${name}`));
  const folders: Record<string, Tree> = {
    project: read('project', project),
    home: read('home', home),
    tree: read('tree', tree),
    bin: read('bin', path.join(root, 'bin')),
    plugin: standing(plugin),
  };
  return new Map(
    Object.entries(folders).flatMap(([folder, files]) =>
      [...files].map(([name, what]): [string, string] => [`${folder}/${name}`, what]),
    ),
  );
};

/** The plugin is large: whether a file was touched is enough. */
function standing(folder: string): Tree {
  if (!fs.existsSync(folder)) return new Map();
  const entries = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Map(
    entries.map((name) => {
      const { mode, size, mtimeMs, ino } = fs.lstatSync(path.join(folder, name));
      return [name, [mode, size, mtimeMs, ino].join(' ')];
    }),
  );
}

/** Plays the rows in order; after each, what it changed is looked at and put back. `first` are calls that lead to the mode. */
async function play(field: Field, rows: Row[], first: Block[][]): Promise<{ played: Played[]; run: Session }> {
  const pristine = `${field.root}/pristine`;
  const filter = (file: string) => !/mode(\.sock|-state\.json)[^/]*$/.test(file);
  fs.cpSync(field.project, pristine, { recursive: true, verbatimSymlinks: true, filter });
  const changes = new Map<number, string[]>();
  const reported = new Set<number>();
  let all: Tree = new Map();
  let before: Tree = new Map();
  const look = () => {
    all = readTree(field.project);
    before = guarded(field);
  };
  const settle = (at: number, { messages }: ModelRequest) => {
    const changed = differences(before, guarded(field));
    changes.set(at, changed);
    // The model was told of each by name: `src/a.ts was changed: …`.
    const told = JSON.stringify(messages.at(-1));
    if (changed.length > 0 && changed.every((name) => told.includes(`${name.slice('~project/'.length)} was `))) reported.add(at);
    if (differences(all, readTree(field.project)).length === 0 && changed.length === 0) return;
    restore(field.project, pristine);
    for (const name of differences(all, readTree(field.project)).filter((one) => one.startsWith('+')))
      fs.rmSync(path.join(field.project, name.slice(1)), { recursive: true, force: true });
    const left = differences(all, readTree(field.project));
    if (left.length > 0) throw new Error(`${rows[at]?.name}: cannot be put back: ${left.join(', ')}`);
    look();
  };
  const filled = (blocks: Block[], id: string): Block[] => {
    const text = JSON.stringify(blocks)
      .replaceAll('PROJECT', field.project)
      .replaceAll('HOME/', `${field.home}/`)
      .replaceAll('PLUGIN', field.plugin)
      .replaceAll('BESIDE', field.root);
    return (JSON.parse(text) as Block[]).map((block) => (block.type === 'tool_use' ? { ...block, id } : block));
  };
  const turns: Turn[] = [...first, bash('ls')];
  const agents: { prompt: string; turns: Turn[] }[] = [];
  rows.forEach((row, at) => {
    // One answer of the model with several calls: the client makes them in order.
    const blocks = [
      ...(row.before ?? []).flatMap((given, step) => filled(given, `toolu_${at}_before_${step}`)),
      ...(row.inSubagent ? helper(at) : filled(row.call, `toolu_${at}`)),
      ...(row.after ?? []).flatMap((given, step) => filled(given, `toolu_${at}_after_${step}`)),
    ];
    if (row.inSubagent) agents.push({ prompt: promptOf(at), turns: [filled(row.call, `toolu_${at}`), say('I tried')] });
    turns.push((request) => {
      if (at === 0) look();
      else settle(at - 1, request);
      return blocks;
    });
  });
  turns.push((request) => {
    settle(rows.length - 1, request);
    return mcp('status');
  });
  const config = path.join(field.root, 'mcp.json');
  const server = { command: process.execPath, args: [fileURLToPath(new URL('files-server.mjs', import.meta.url))] };
  fs.writeFileSync(config, JSON.stringify({ mcpServers: { files: server, modes: server } }));
  const run = await session({
    ...field,
    turns,
    agents,
    args: ['--mcp-config', config],
    env: { PATH: `${SYSTEM_PATH}:${field.root}/bin`, ENABLE_TOOL_SEARCH: 'false' },
    limit: 300_000,
  });
  const decisions = logged(field);
  const results = new Map(run.calls.map((call) => [call.id, call]));
  const played = rows.map((row, at): Played => {
    const call = results.get(`toolu_${at}`);
    const changed = changes.get(at);
    if (call?.result === undefined || changed === undefined)
      throw new Error(`${row.name}: the client gave no result\n${run.stderr}`);
    return {
      decision: decisions.get(`toolu_${at}`),
      refused: call.refused === true,
      told: call.result,
      reported: reported.has(at),
      changed,
      stopped: (row.before ?? []).flatMap((_, step) => {
        const prepared = results.get(`toolu_${at}_before_${step}`);
        return prepared?.refused === false ? [] : [prepared?.result ?? 'no result'];
      }),
    };
  });
  return { played, run };
}

/** Empty where the attempt came out as its row says; else what came instead. */
function surprise(row: Row, { decision, refused, told, reported, changed, stopped }: Played): object[] {
  const verdict = { deny: 'denied', ask: 'asked' }[decision ?? ''];
  const ran = reported ? 'reported' : 'out of reach';
  const came = !refused && !row.by?.test(told) ? ran : row.by ? (row.by.test(told) ? 'denied' : 'refused') : verdict;
  const isExpected = row.expect.split(':')[0] === came && stopped.length === 0;
  return isExpected && `${row.changes ?? []}` === `${changed}` ? [] : [{ name: row.name, came, changed, stopped, told }];
}

const promptOf = (at: number) => `HELPER number ${at}: try`;
const helper = (at: number): Block[] =>
  use('Agent', { description: 'try', prompt: promptOf(at), subagent_type: 'general-purpose', run_in_background: false });

/** Decision by tool-use id. */
function logged(field: Field): Map<string, string> {
  const files = new LogFiles(logFolder(dataFolder(field.home), field.project));
  return new Map(
    files
      .numbers()
      .flatMap((number) => files.lines(number).map(readEvent))
      .flatMap((event) =>
        event?.labels.tool_use_id === undefined ? [] : [[event.labels.tool_use_id, event.result.decision] as const],
      ),
  );
}

/** Plays a list in a field of its own. @returns what came out otherwise than its row says, and the mode that status names in the end. */
export async function playAll(rows: Row[]): Promise<{ surprises: object[]; mode: string | undefined }> {
  const field = makeField();
  try {
    const { played, run } = await play(field, rows, go('test-dev'));
    const [, mode] = /current_mode\\?": \\?"([\w-]+)/.exec(run.calls.at(-1)?.result ?? '') ?? [];
    return { surprises: rows.flatMap((row, at) => surprise(row, played[at]!)), mode };
  } finally {
    field.remove();
  }
}
