// Tools other than Write and Bash: what runs later, elsewhere, or by somebody else.
import { bash, mcp, use } from '../model.ts';
import { type Row, write } from './row.ts';

const typed = '/modes:mode feature-dev';
const TAKE = 'echo taken > src/calc.ts';
const other = (tool: string, input: object) => use(`mcp__files__${tool}`, input);

export const tools: Row[] = [
  { name: 'a command in the background', call: bash(TAKE, { run_in_background: true }), expect: 'denied' },
  { name: 'a command outside of the sandbox', call: bash(TAKE, { dangerouslyDisableSandbox: true }), expect: 'denied' },
  { name: 'Monitor', call: use('Monitor', { description: 'watch', command: TAKE, timeout_ms: 1000 }), expect: 'denied' },
  {
    name: 'Monitor of a program',
    call: use('Monitor', { description: 'watch', command: 'sh test/x.sh', timeout_ms: 1000 }),
    expect: 'out of reach: What a verified program does elsewhere',
  },
  {
    name: 'a server that writes files',
    call: other('write_file', { path: 'PROJECT/src/calc.ts', content: 'taken' }),
    expect: 'denied',
  },
  {
    name: 'a server that moves files',
    call: other('move_file', { source: 'PROJECT/src/calc.ts', destination: 'PROJECT/test/x' }),
    expect: 'denied',
  },
  { name: 'a server that runs commands', call: other('run_command', { command: TAKE }), expect: 'denied' },
  {
    name: 'a server whose arguments nobody declared',
    call: other('save', { where: 'PROJECT/src/calc.ts', what: 'taken' }),
    expect: 'asked',
  },
  { name: 'a server that is called like ours', call: use('mcp__modes__transition', { target: 'feature-dev' }), expect: 'asked' },
  { name: 'a skill whose block writes', call: use('Skill', { skill: 'taking' }), expect: 'denied' },
  {
    name: 'Workflow',
    call: use('Workflow', { script: 'export const meta = { name: "x", description: "x" };\nawait agent("change src");' }),
    expect: 'asked',
  },
  {
    name: 'a scheduled prompt',
    call: use('CronCreate', { cron: '* * * * *', prompt: typed, recurring: false }),
    expect: 'denied',
  },
  {
    name: 'a scheduled prompt in the second line',
    call: use('CronCreate', { cron: '* * * * *', prompt: `look\n ${typed}`, durable: true }),
    expect: 'denied',
  },
  { name: 'a durable schedule', call: use('CronCreate', { cron: '* * * * *', prompt: 'go on', durable: true }), expect: 'asked' },
  { name: 'a wake-up', call: use('ScheduleWakeup', { delaySeconds: 60, prompt: typed, reason: 'go on' }), expect: 'denied' },
  {
    name: 'a message to another session',
    call: use('SendMessage', { to: 'main', message: typed, summary: 'go' }),
    expect: 'denied',
  },
  {
    name: 'a remote agent',
    call: use('Agent', { description: 'x', prompt: 'change src', subagent_type: 'general-purpose', isolation: 'remote' }),
    expect: 'asked',
  },
  { name: 'a subagent’s Write', inSubagent: true, call: write('src/calc.ts'), expect: 'denied' },
  { name: 'a subagent’s command', inSubagent: true, call: bash(TAKE), expect: 'denied' },
  {
    name: 'a subagent’s transition',
    inSubagent: true,
    call: mcp('transition', { target: 'feature-dev', explanation: 'because' }),
    expect: 'denied',
  },
  {
    name: 'a subagent’s server',
    inSubagent: true,
    call: other('write_file', { path: 'PROJECT/src/calc.ts', content: 'taken' }),
    expect: 'denied',
  },
];
