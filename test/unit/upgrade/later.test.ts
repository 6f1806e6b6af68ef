// A record of a later version stops whoever would write over it, before anything else is changed.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../../src/platform/data-folder.ts';
import { setPin } from '../../../src/store/session-pins.ts';
import { modesHere } from '../../support/command-line.ts';
import { makeProject } from '../../support/project.ts';

const later = '{"version":2}';

/** A project with a record of a later version, with a session that began with another content, and what `modes trust` makes of it. */
async function trusting(record: string) {
  const project = makeProject({ trusted: false });
  project.put(
    '.claude/modes.yaml',
    'name: p\ndefault: a\nmodes:\n  a: {transitions: [{to: b, require: [{run: npm test}]}]}\n  b: {transitions: []}\n',
  );
  const folder = projectFolder(project.data, project.root);
  setPin(project.data, project.root, 's', [], new Date(0));
  fs.writeFileSync(path.join(folder, record), later);
  const pin = path.join(folder, 'pins/s.json');
  const before = fs.readFileSync(pin, 'utf8');
  const here = { cwd: project.root, env: project.env() };
  const { out } = await modesHere(['trust', '--json'], here);
  const [hash = ''] = /sha256:[0-9a-f]{64}/.exec(out) ?? [];
  const answer = await modesHere(['trust', '--expect', hash, '--json'], here);
  return { said: answer.out, folder, isPinKept: fs.readFileSync(pin, 'utf8') === before };
}

test.each(['trust.json', 'uses.json'])(
  'an approval that %s cannot store is not recorded, and nothing is adopted',
  async (record) => {
    const { said, folder, isPinKept } = await trusting(record);
    expect(JSON.parse(said)).toMatchObject({
      error: { code: 'E_LATER_VERSION', message: `${path.join(folder, record)} was written by a later version of Modes.` },
    });
    expect(fs.readFileSync(path.join(folder, record), 'utf8')).toBe(later);
    expect(fs.existsSync(path.join(folder, 'trust.json'))).toBe(record === 'trust.json');
    expect(isPinKept).toBe(true);
  },
);
