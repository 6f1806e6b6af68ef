// Records a session of the real client in a terminal: a refused write, the transitions, and the same write allowed.
import path from 'node:path';
import { nobody, openProject } from '../../src/workflow/project.ts';
import { prepare } from '../support/prepare.ts';
import { pluginFolder } from './client.ts';
import { type Block, bash, mcp, say, use } from './model.ts';
import { makePlace, type Place } from './place.ts';
import { startTerminal, submit } from './terminal.ts';

/** A screen with its colors as escape sequences. */
interface Frame {
  screen: string;
  seconds: number;
}

const FILES = {
  'package.json': '{"name":"shop","scripts":{"test":"node --test"}}\n',
  'src/price.js': 'exports.total = (net) => net;\n',
  'test/price.test.js':
    "const test = require('node:test');\nconst { equal } = require('node:assert');\nconst { total } = require('../src/price.js');\n",
};
const TEST = "\ntest('adds the tax', () => equal(total(100), 119));\n";

/** The model's turns. Each text is a row that the recording waits for. */
function turnsIn({ project, read }: Place): Block[][] {
  const at = (name: string) => path.join(project, name);
  const fix = { file_path: at('src/price.js'), old_string: '(net) => net;', new_string: '(net) => net * 1.19;' };
  const go = (target: string, explanation: string) => mcp('transition', { target, explanation });
  const spoken = (text: string, call: Block[]): Block[] => [...say(text), ...call];
  return [
    spoken('I will fix the total.', use('Read', { file_path: at('src/price.js') })),
    use('Edit', fix),
    spoken('A test comes first.', go('test-dev', 'The total of an order lacks the tax.')),
    use('Read', { file_path: at('test/price.test.js') }),
    use('Write', { file_path: at('test/price.test.js'), content: `${read('test/price.test.js')}${TEST}` }),
    bash('npm test', { description: 'Run the tests' }),
    spoken('The test fails, as it should.', go('feature-dev', 'The test adds the tax fails: 100 is not 119.')),
    use('Edit', fix),
    bash('npm test', { description: 'Run the tests' }),
    spoken('The test passes.', go('idle', 'All tests pass.')),
    say('The total now includes the tax.'),
  ];
}

/** A person approves the configuration and the files that its gates use. */
async function trust(place: Place): Promise<void> {
  const env = { HOME: place.home, PATH: process.env.PATH };
  const project = openProject({ start: place.project, env, packageRoot: pluginFolder(), prepare });
  if (project === null) throw new Error('the project has no modes');
  await project.ready();
  project.for(nobody).approvals.give('terminal');
}

/** Plays the session. `columns` and `rows` are the size of the terminal. */
export async function recordSession(columns: number, rows: number): Promise<Frame[]> {
  const place = makePlace({ copy: path.join(pluginFolder(), 'examples/tdd-checked'), name: 'shop' });
  const frames: Frame[] = [];
  try {
    for (const [name, text] of Object.entries(FILES)) place.write(name, text);
    await trust(place);
    const terminal = await startTerminal({ ...place, turns: turnsIn(place), columns, rows, permissionMode: 'acceptEdits' });
    try {
      const show = (seconds: number) => frames.push({ screen: terminal.coloredScreen(), seconds });
      show(1.5);
      const finished = terminal.waitFor('The total now includes the tax.', 90_000);
      await submit(terminal, 'The total of an order lacks the tax. Fix it.');
      let last = '';
      let isOver = false;
      const end = finished.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const screen = terminal.coloredScreen();
        if (screen !== last) frames.push({ screen, seconds: 0.4 });
        last = screen;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      await end;
      show(6);
    } finally {
      await terminal.stop();
    }
  } finally {
    place.remove();
  }
  return frames;
}
