// Commands in the documents are run, in the order in which they stand there, and what they print is what stands there.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtPlugin, repository } from '../../support/plugin.ts';
import { makeProject, type Project } from '../../support/project.ts';

/** These have tests of their own, since their commands need a compiler that is warm, a log, or a client. */
const ownTests = ['docs/rego.md', 'docs/replay.md', 'docs/suggest.md', 'docs/doctor.md'];
/** What the project of a document is to begin with; null: an empty folder. The rest begin with tdd-checked. */
const begins: Readonly<Record<string, string | null>> = {
  'docs/tutorial.md': null,
  'docs/presets.md': null,
  'docs/import.md': null,
};

interface Block {
  kind: string;
  file: string | null;
  text: string;
  line: number;
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([whole, kind = '', file = null, text = '']) => ({
    kind,
    file,
    text,
    line: markdown.slice(0, markdown.indexOf(whole)).split('\n').length,
  }));
}

const documents = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...below('docs')].filter((name) => !ownTests.includes(name));

function below(folder: string): string[] {
  return fs
    .readdirSync(path.join(repository, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

let program: string;
beforeAll(async () => {
  program = path.join(await builtPlugin(), 'dist/modes.mjs');
}, 120_000);

/** Runs a line of shell as a child of nobody, as from a terminal. `until Ctrl-C`: until it has printed something; `and say y`: in a terminal. */
async function shell(project: Project, line: string, note: string): Promise<{ code: number; out: string }> {
  const bin = path.join(project.home, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.writeFileSync(path.join(bin, 'modes'), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`, { mode: 0o755 });
  const out = path.join(project.home, 'printed');
  const code = path.join(project.home, 'code');
  for (const file of [out, code]) fs.rmSync(file, { force: true });
  const isAnswered = note === 'and say y';
  const isInterrupted = note.startsWith('until Ctrl-C');
  const wait = isInterrupted ? 'for i in $(seq 100); do [ -s "$OUT" ] && break; sleep 0.1; done; kill -INT -- -$!; ' : '';
  const orphan = `( set -m; sh -c "$LINE" >"$OUT" 2>&1 </dev/null & ${wait}wait $!; echo $? >"$CODE.new"; mv "$CODE.new" "$CODE" ) &`;
  const child = spawn('/bin/bash', ['-c', orphan], {
    cwd: project.root,
    env: {
      HOME: project.home,
      PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
      LINE: isAnswered ? `printf 'y\\n' | script -qec '${line}' /dev/null` : isInterrupted ? `exec ${line}` : line,
      OUT: out,
      CODE: code,
    },
    stdio: 'ignore',
  });
  await once(child, 'exit');
  await expect.poll(() => fs.existsSync(code), { timeout: 60_000 }).toBe(true);
  return { code: Number(fs.readFileSync(code, 'utf8')), out: fs.readFileSync(out, 'utf8') };
}

/** As installing the package gives it. */
function installPackage(project: Project): void {
  fs.mkdirSync(path.join(project.root, 'node_modules'));
  fs.symlinkSync(path.dirname(path.dirname(program)), path.join(project.root, 'node_modules/claude-modes-mcp'));
}

/** A log to look at. */
function decideSome(project: Project): void {
  for (const tool of ['Read', 'Write']) {
    const call = { tool_name: tool, tool_input: { file_path: path.join(project.root, 'src/a.js'), content: '' } };
    const event = { hook_event_name: 'PreToolUse', session_id: 's', cwd: project.root, tool_use_id: tool, ...call };
    const ended = spawnSync(process.execPath, [path.join(path.dirname(program), 'hook.cjs'), 'PreToolUse', project.root], {
      input: JSON.stringify(event),
      env: project.env({ MODES_PLUGIN_ROOT: path.dirname(path.dirname(program)) }),
    });
    expect(ended.status).toBe(0);
  }
}

describe.each(documents)('%s', (name) => {
  const blocks = blocksOf(fs.readFileSync(path.join(repository, name), 'utf8'));
  const shown = blocks.filter(({ kind, file }) => kind === 'console' || file !== null);

  test('has commands if it shows a terminal', () => {
    for (const { kind, text, line } of blocks) if (kind === 'console') expect(text, `line ${line}`).toMatch(/^\$ /);
  });

  // A page that shows no terminal has nothing to run.
  if (shown.length === 0) return;
  test('shows the output of its commands', { timeout: 300_000 }, async () => {
    const example = name in begins ? (begins[name] ?? null) : 'tdd-checked';
    const project = makeProject({ example });
    if (name === 'docs/log.md') decideSome(project);
    if (name === 'docs/interop.md') installPackage(project);
    for (const { kind, file, text, line } of shown) {
      if (kind !== 'console') {
        project.put(file as string, text);
        continue;
      }
      for (const part of text.split(/^(?=\$ )/m)) {
        const [command = '', ...printed] = part.trimEnd().split('\n');
        const [, words = '', note = ''] = /^\$ (.*?)(?:\s+# (.*))?$/.exec(command) ?? [];
        const code = /^exits with (\d+)/.exec(note)?.[1] ?? '0';
        const ended = await shell(project, words, note);
        expect(ended.code, `${name}:${line} ${words}\n${ended.out}`).toBe(Number(code));
        for (const one of printed)
          expect(
            ended.out.split('\n').some((each) => each.startsWith(one)),
            `${name}:${line} ${words}: ${one}\n${ended.out}`,
          ).toBe(true);
      }
    }
  });
});

/** The headings of a page as a link names them. */
function headingsOf(name: string): string[] {
  const text = fs.readFileSync(path.join(repository, name), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every page is in the list of pages, and every link leads somewhere', () => {
  const index = fs.readFileSync(path.join(repository, 'docs/README.md'), 'utf8');
  for (const page of below('docs').filter((one) => one !== 'docs/README.md'))
    expect(index, page).toContain(`(${path.basename(page)})`);
  for (const name of [...documents, ...ownTests]) {
    const text = fs.readFileSync(path.join(repository, name), 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = '', heading] = target.split('#');
      const page = file === '' ? name : path.join(path.dirname(name), file);
      expect(fs.existsSync(path.join(repository, page)), `${name}: ${target}`).toBe(true);
      if (heading !== undefined && page.endsWith('.md')) expect(headingsOf(page), `${name}: ${target}`).toContain(heading);
    }
  }
});
