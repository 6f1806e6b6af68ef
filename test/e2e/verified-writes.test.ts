// Whatever a verified program writes among guarded files, no transition is granted with it unseen: generated programs, each followed by
// transitions, in one session of the real client.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { loadConfiguration } from '../../src/config/load.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { session } from './client.ts';
import { dataFolder, go, viewedMode } from './mode.ts';
import { bash, type Turn } from './model.ts';
import { makePlace, type Place } from './place.ts';

const seed = Number(process.env.MODES_E2E_SEED ?? 1);

/** Ways to change `src/a.js`, as code with `fs`. `out` may be written. */
const writes: Record<string, string> = {
  create: "fs.mkdirSync('src/new', { recursive: true }); fs.writeFileSync('src/new/c.js', 'x');",
  change: "fs.writeFileSync('src/a.js', 'changed');",
  append: "fs.appendFileSync('src/a.js', 'more');",
  truncate: "fs.truncateSync('src/a.js');",
  'one byte': "const f = fs.openSync('src/a.js', 'r+'); fs.writeSync(f, 'O', 0); fs.closeSync(f);",
  remove: "fs.rmSync('src/a.js');",
  'rename over it': "fs.writeFileSync('out/t', 'other'); fs.renameSync('out/t', 'src/a.js');",
  'rename away': "fs.renameSync('src/a.js', 'out/away.js');",
  swap: "fs.renameSync('src/a.js', 'out/t'); fs.renameSync('src/b.js', 'src/a.js'); fs.renameSync('out/t', 'src/b.js');",
  'a link in its place': "fs.rmSync('src/a.js'); fs.symlinkSync('../out/copy.js', 'src/a.js');",
  'a program of it': "fs.chmodSync('src/a.js', 0o755);",
  'its second name': "fs.writeFileSync('out/hard.js', 'through');",
  'a linked folder': "fs.writeFileSync('out/folder/a.js', 'through');",
  'the same size and times':
    "const { atime, mtime } = fs.statSync('src/a.js'); fs.writeFileSync('src/a.js', 'two\\n'); fs.utimesSync('src/a.js', atime, mtime);",
  'a link in place of the folder':
    "fs.renameSync('src', 'out/src'); fs.symlinkSync('out/src', 'src'); fs.writeFileSync('out/src/a.js', 'moved');",
};

/** How a program is started that writes after its call has ended. `later.js` waits, then runs the program. */
const starts: Record<string, (program: string) => ReturnType<typeof bash>> = {
  '&': (program) => bash(`node later.js ${program} &`),
  'nohup &': (program) => bash(`nohup node later.js ${program} > out/log 2>&1 &`),
  setsid: (program) => bash(`setsid -f node later.js ${program}`),
  'a subshell': (program) => bash(`(sleep 0.3; node ${program}) > out/log 2>&1 &`),
  run_in_background: (program) => bash(`node later.js ${program}`, { run_in_background: true }),
  'a child': (program) => bash(`node parent.js ${program}`),
};

interface Program {
  what: string;
  code: string;
  start(program: string): ReturnType<typeof bash>;
  isLate: boolean;
}

function programs(): Program[] {
  let state = seed;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const kinds = Object.entries(writes);
  const at = (index: number) => kinds[index] as [string, string];
  const direct = kinds.map(([what, code]): Program => ({ what, code, start: (name) => bash(`node ${name}`), isLate: false }));
  const late = Object.entries(starts).map(([how, start]): Program => {
    const [what, code] = at(random(kinds.length));
    return { what: `${what}, later by ${how}`, code, start, isLate: true };
  });
  const all = [...direct, ...late];
  for (let index = all.length - 1; index > 0; index--) {
    const other = random(index + 1);
    [all[index], all[other]] = [all[other] as Program, all[index] as Program];
  }
  // The first one has no run before it that is known to go on.
  const isUnknown = ({ what }: Program) => what.endsWith('a child');
  return [...all.filter(isUnknown), ...all.filter((one) => !isUnknown(one))];
}

function reset({ project, write }: Place): void {
  for (const name of ['src', 'out']) fs.rmSync(path.join(project, name), { recursive: true, force: true });
  write('src/a.js', 'one\n');
  write('src/b.js', 'b\n');
  write('out/copy.js', 'one\n');
  fs.linkSync(path.join(project, 'src/a.js'), path.join(project, 'out/hard.js'));
  fs.symlinkSync('../src', path.join(project, 'out/folder'));
}

/** The kinds, bits and contents of the files in `src`. */
function stateOf(place: Place): string {
  try {
    return readState(place);
  } catch {
    // A program is at work.
    return 'changing';
  }
}

function readState({ project }: Place): string {
  const folder = path.join(project, 'src');
  if (fs.lstatSync(folder).isSymbolicLink()) return 'a link';
  const names = (fs.readdirSync(folder, { recursive: true }) as string[]).sort();
  const lines = names.map((name) => {
    const { mode } = fs.lstatSync(path.join(folder, name));
    const isFolder = (mode & fs.constants.S_IFMT) === fs.constants.S_IFDIR;
    return [name, mode, isFolder ? '' : fs.readFileSync(path.join(folder, name), 'utf8')];
  });
  return JSON.stringify(lines);
}

test('no transition is granted while a change of a verified program is unseen [w:verified.late] [w:verified.background]', async () => {
  const place = makePlace();
  try {
    const guard = JSON.stringify({ permissions: { deny: ['Write(src/**)'], uncertain: 'verify', allow: ['Bash(sleep *)'] } });
    place.write(
      '.claude/modes.yaml',
      'name: verified\ndefault: work\nmodes:\n  work:\n    transitions: [{to: done, constraint: done}]\n  done:\n    transitions: [{to: work, constraint: more}]\n',
    );
    for (const mode of ['work', 'done']) place.write(`.claude/settings.${mode}.json`, guard);
    place.write('later.js', "setTimeout(() => require(require('node:path').resolve(process.argv[2])), 300);\n");
    place.write(
      'parent.js',
      "require('node:child_process').spawn('node', ['later.js', process.argv[2]], { detached: true, stdio: 'ignore' }).unref();\n",
    );
    recordTrust(dataFolder(place.home), place.project, loadConfiguration(place.project).hash, 'terminal', new Date());
    const all = [{ what: 'nothing', code: '', start: (name: string) => bash(`node ${name}`), isLate: false }, ...programs()];
    reset(place);
    const original = stateOf(place);
    /** For each attempt: what was run, and whether the files differ after it. */
    const attempts: { what: string; isChanged: boolean; isAgain: boolean }[] = [];
    const leave: Turn = () => go(viewedMode(place) === 'done' ? 'work' : 'done')[0] as ReturnType<typeof bash>;
    const isChanged = (): boolean => stateOf(place) !== original;
    const note =
      (what: string, isAgain: boolean, isAwaited = false): Turn =>
      async () => {
        attempts.push({ what, isChanged: isChanged(), isAgain });
        if (isAwaited) {
          await vi.waitFor(() => expect(isChanged()).toBe(true), { timeout: 20_000, interval: 50 });
          await setTimeout(200);
        }
        return bash('sleep 0');
      };
    const turns = all.flatMap(({ what, code, start, isLate }, index): Turn[] => {
      const name = `p${index}.js`;
      place.write(name, `const fs = require('node:fs');\n${code}\n`);
      const run: Turn = () => {
        reset(place);
        return start(name);
      };
      return [run, leave, note(what, false, isLate), leave, note(what, true)];
    });
    const { calls } = await session({ ...place, turns, limit: 240_000 });
    const answers = calls.filter(({ name }) => name.endsWith('__transition'));
    expect(answers).toHaveLength(attempts.length);
    const seen = attempts.map((attempt, at) => ({
      ...attempt,
      isGranted: !/"success": false/.test(answers[at]?.result ?? '"success": false'),
    }));
    const late = new Set(all.filter(({ isLate }) => isLate).map(({ what }) => what));
    // A program that writes later can write between the comparison and the snapshot of the test. The next attempt shows it.
    const unseen = seen.filter(
      ({ what, isChanged, isAgain, isGranted }) => isGranted && isChanged && (isAgain || !late.has(what)),
    );
    expect({ seed, unseen }).toEqual({ seed, unseen: [] });
    // Every program wrote, except the first.
    const wrote = new Set(seen.filter(({ isChanged, isAgain }) => isChanged && isAgain).map(({ what }) => what));
    expect(all.map(({ what }) => what).filter((what) => !wrote.has(what))).toEqual(['nothing']);
    expect(seen.filter(({ what }) => what === 'nothing').map(({ isGranted }) => isGranted)).toEqual([true, true]);
  } finally {
    place.remove();
  }
}, 260_000);
