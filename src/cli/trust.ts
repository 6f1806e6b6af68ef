// modes trust: a person approves exactly the present configuration.
import { trustText } from '../context/trust.ts';
import { insideClient } from './inside.ts';
import { requireProject } from './open.ts';
import { exits, type Terminal } from './terminal.ts';

export interface TrustOptions {
  project?: string;
  json?: boolean;
  expect?: string;
}

export async function trust(options: TrustOptions, terminal: Terminal): Promise<number> {
  const inside = insideClient(process.env);
  if (inside !== null) {
    terminal.err(
      `modes trust is for a person in a terminal of their own, and ${inside}. Inside the client a person types /modes:trust.`,
    );
    return exits.wrong;
  }
  const project = await requireProject(options.project);
  const { present, pinned } = project.describe();
  const { configuration } = present;
  const { seal: hash, news } = project.toTrust();
  const say = (ok: boolean, text: string): number => {
    if (options.json) terminal.out(JSON.stringify({ ok, project: project.root, hash, message: text }));
    else if (ok) terminal.out(text);
    else terminal.err(text);
    return ok ? exits.fine : exits.wrong;
  };
  if (configuration.topology === null && configuration.problems.some((problem) => problem.code === 'E_NO_MODES')) {
    if ((await terminal.ask(`${project.root} has no modes.yaml any more. Let it be ungoverned?`)) !== true)
      return say(false, 'Nothing was changed.');
    project.release();
    return say(true, `${project.root} is no longer governed.`);
  }
  if (present.problems.some((problem) => problem.severity === 'error'))
    return say(false, 'A broken configuration is not approved; modes validate names what is wrong.');
  const running = await project.otherThanPresent();
  if (present.trusted && running === null && news.length === 0) return say(true, `Trusted already: ${hash}`);
  if (options.expect !== undefined) {
    if (options.expect !== hash) return say(false, `The configuration is ${hash}, not ${options.expect}: nothing is approved.`);
  } else {
    const before = running ?? (present.differs ? pinned : await project.lastTrusted());
    if (!options.json) terminal.err([trustText(present.view, before), ...news].join('\n'));
    const yes = await terminal.ask(`Approve exactly this configuration of ${project.root}?`);
    if (yes === null) return say(false, `Nobody can be asked here. In CI: modes trust --expect ${hash}`);
    if (!yes) return say(false, 'Nothing is approved.');
  }
  // Sessions that run now go on with what is approved here.
  project.adopt('all');
  project.trust(options.expect === undefined ? 'terminal' : 'expect');
  return say(true, `Trusted: ${hash}`);
}
