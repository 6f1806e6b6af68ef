// modes graph: the state machine as a picture.
import { machineOf } from '../../app/picture/machine.ts';
import { type Theme, toSvg } from '../../app/picture/svg.ts';
import { toMermaid, toText } from '../../app/picture/text.ts';
import { findUnmetByTarget } from '../../app/prompt.ts';
import type { CallerProject } from '../../workflow/project.ts';
import { requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { writeOutput } from './policy-output.ts';
import { refuse } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

/** The flags as the command line gives them. */
export interface GraphOptions {
  project?: string;
  json?: boolean;
  svg?: boolean;
  mermaid?: boolean;
  output?: string;
  theme: string;
  down?: boolean;
  now: boolean;
}

type Kind = 'json' | 'svg' | 'mermaid' | 'text';

/** Output format by file extension. */
const ENDINGS: readonly [RegExp, Kind][] = [
  [/\.json$/i, 'json'],
  [/\.svg$/i, 'svg'],
  [/\.(?:mmd|mermaid)$/i, 'mermaid'],
  [/(?:^|\/)\.?[^./]*$|\.(?:txt|md)$/i, 'text'],
];

export const themes: readonly string[] = ['light', 'dark', 'auto'] satisfies Theme[];

export async function graph(options: GraphOptions, terminal: Terminal): Promise<number> {
  const { output, theme } = options;
  const kind = kindOf(options);
  if (!themes.includes(theme)) throw new UsageError(`there is no theme ${theme}: ${themes.join(', ')}`);
  const project = await requireProject(options.project);
  const { configuration, mode, problems, present } = project.describe();
  const { topology } = configuration;
  if (topology === null) {
    const message = `modes.yaml cannot be used: ${problems.map((problem) => problem.message).join(' ')}`;
    return refuse({ code: 'E_NO_TOPOLOGY', message, remedy: 'modes validate shows where.' }, options, terminal);
  }
  const presentState = options.now ? { mode, unmet: await unmetNow(project) } : { mode: null };
  const machine = machineOf(topology, configuration.settings, presentState);
  if (present.differs)
    terminal.err('This is the configuration that sessions start with: the current files are not trusted yet (modes trust).');
  const text =
    kind === 'json'
      ? `${toJson<'graph'>(machine, 2)}\n`
      : kind === 'svg'
        ? toSvg(machine, { theme: theme as Theme, direction: options.down ? 'down' : 'right' })
        : kind === 'mermaid'
          ? toMermaid(machine)
          : `${output === undefined ? toText(machine, terminal.colour, terminal.columns) : toText(machine, false)}\n`;
  if (output === undefined) terminal.out(text.replace(/\n$/, ''));
  else {
    writeOutput(output, text);
    terminal.err(`wrote ${output}`);
  }
  return exits.fine;
}

/** The format of the option, or of the file extension. Throws `UsageError` if they contradict each other. */
function kindOf(options: GraphOptions): Kind {
  const { output = '' } = options;
  const formats = (['json', 'svg', 'mermaid'] as const).filter((kind) => options[kind]);
  if (formats.length > 1) throw new UsageError('--json, --svg and --mermaid cannot be combined');
  const named = ENDINGS.find(([ending]) => ending.test(output))?.[1];
  if (output !== '' && !formats[0] && !named) throw new UsageError(`${output} must end in .svg, .mmd, .json or .txt`);
  if (formats[0] && named && named !== 'text' && formats[0] !== named)
    throw new UsageError(`--${formats[0]} does not match the extension of ${output}`);
  return formats[0] ?? named ?? 'text';
}

/** The unmet gate requirements of the current mode's transitions. No command is started for this. */
async function unmetNow(project: CallerProject): Promise<ReadonlyMap<string, string[]>> {
  const { mode, configuration } = project.describe();
  return mode === null || configuration.topology === null ? new Map() : findUnmetByTarget(project, mode, configuration.topology);
}
