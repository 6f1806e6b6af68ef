// Ways to change a file of a project, and a session that tries them one after the other.
import fs from 'node:fs';
import path from 'node:path';
import { type Call, type Session, type SessionOptions, session } from './client.ts';
import { type Block, bash, say, type Turn, use } from './model.ts';
import type { Place } from './place.ts';
import { differences, readTree, restore } from './tree.ts';

/** One way: the call, and calls that must come before it (the client wants a file read before it is edited). */
export interface Way {
  name: string;
  call(project: string): Block[];
  before?(project: string): Block[];
}

const command = (text: string): Way => ({ name: text, call: () => bash(text) });

/** Ways to change `file`; in its folder lies `n.ipynb` too. */
export function waysToChange(file: string): Way[] {
  const folder = path.dirname(file);
  const notebook = `${folder}/n.ipynb`;
  return [
    {
      name: 'Write',
      call: (project) => use('Write', { file_path: path.join(project, file), content: 'written' }),
      before: read(file),
    },
    {
      name: 'Write of a new file',
      call: (project) => use('Write', { file_path: path.join(project, `${folder}/new.ts`), content: 'new' }),
    },
    {
      name: 'Edit',
      call: (project) => use('Edit', { file_path: path.join(project, file), old_string: 'first', new_string: 'edited' }),
      before: read(file),
    },
    {
      name: 'NotebookEdit',
      call: (project) =>
        use('NotebookEdit', { notebook_path: path.join(project, notebook), cell_id: 'c1', new_source: 'edited' }),
      before: read(notebook),
    },
    ...[
      `sed -i s/first/edited/ ${file}`,
      `echo over > ${file}`,
      `echo more >> ${file}`,
      `echo through | tee ${file}`,
      `cp README.md ${file}`,
      `mv README.md ${file}`,
      `mv ${file} gone.ts`,
      `rm ${file}`,
      `rm -rf ${folder}`,
      `cd ${folder} && rm -rf ../${folder}`,
      `ln -sf ../README.md ${file}`,
      `touch ${folder}/touched.ts`,
      `mkdir ${folder}/made`,
      `dd if=README.md of=${file} status=none`,
      `install -m 644 README.md ${file}`,
      `truncate -s 0 ${file}`,
      `sh -c 'echo hidden > ${file}'`,
      `find ${folder} -name '*.ts' -exec rm {} +`,
      `echo ${file} | xargs rm`,
      `awk 'BEGIN { print "awk" > "${file}" }'`,
      `perl -i -pe s/first/edited/ ${file}`,
      `node -e "require('fs').writeFileSync('${file}','js')"`,
      `f=${file}; echo variable > "$f"`,
      `eval "echo evaluated > ${file}"`,
    ].map(command),
  ];
}

function read(file: string) {
  return (project: string) => use('Read', { file_path: path.join(project, file) });
}

export interface Attempt {
  name: string;
  refused: boolean;
  /** What the model was told. */
  told: string;
  /** What the file system shows; empty means that it did not happen. */
  changed: string[];
}

/**
 * Tries every way in one session of the client, in order; after each the project is compared with what it was and put back.
 * @param first turns that come before, e.g. a transition
 */
export async function attempt(
  place: Place,
  ways: Way[],
  options: Partial<SessionOptions> = {},
  first: Turn[] = [],
): Promise<{ attempts: Attempt[]; session: Session }> {
  const pristine = `${place.project}.pristine`;
  fs.rmSync(pristine, { recursive: true, force: true });
  fs.cpSync(place.project, pristine, { recursive: true, filter: (file) => !/mode(\.sock|-state\.json)[^/]*$/.test(file) });
  const changes = new Map<string, string[]>();
  let tree = readTree(place.project);
  const settle = (id: string) => {
    const changed = fs.existsSync(place.project) ? differences(tree, readTree(place.project)) : ['-'];
    changes.set(id, changed);
    if (changed.length > 0) restore(place.project, pristine);
    tree = readTree(place.project);
  };
  const turns: Turn[] = [...first];
  let last: string | undefined;
  ways.forEach((way, index) => {
    const id = `toolu_way_${index}`;
    const finish = () => {
      if (last !== undefined) settle(last);
      last = undefined;
    };
    if (way.before) {
      turns.push(() => {
        finish();
        return way.before!(place.project);
      });
    }
    turns.push(() => {
      finish();
      tree = readTree(place.project);
      last = id;
      return way.call(place.project).map((block) => (block.type === 'tool_use' ? { ...block, id } : block));
    });
  });
  turns.push(() => {
    if (last !== undefined) settle(last);
    return say('tried everything');
  });
  const run = await session({ project: place.project, home: place.home, turns, limit: 55_000, ...options });
  const byId = new Map(run.calls.map((call): [string, Call] => [call.id, call]));
  const attempts = ways.map(({ name }, index) => {
    const call = byId.get(`toolu_way_${index}`);
    const changed = changes.get(`toolu_way_${index}`);
    if (call?.result === undefined || changed === undefined) throw new Error(`${name}: the client gave no result\n${run.stderr}`);
    return { name, refused: call.refused === true, told: call.result, changed };
  });
  fs.rmSync(pristine, { recursive: true, force: true });
  return { attempts, session: run };
}
