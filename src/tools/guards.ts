// Built-in protection that is not a path: our own tools, the client run by the agent, our command line, texts that act later.
import path from 'node:path';
import type { BashCommand, BashFacts } from '../bash/types.ts';
import type { Place } from './place.ts';
import type { Facts, ToolCall } from './types.ts';

type Guard = Facts['protections'][number];

/** How the client names our server when it runs as the plugin. */
const ownServer = { name: 'plugin:modes:modes', source: 'plugin', prefix: 'mcp__plugin_modes_modes__' };

/** Our tools: what a call is in the main thread. Every one that writes is denied in a subagent. */
const ownTools: ReadonlyMap<string, { main: 'allow' | 'nothing'; subagent: 'allow' | 'deny' }> = new Map([
  ['status', { main: 'allow', subagent: 'allow' }],
  ['transition', { main: 'allow', subagent: 'deny' }],
  ['force_transition', { main: 'nothing', subagent: 'deny' }],
]);

/** What a call of one of our own tools is; null when the call is for another server. */
export function ownToolProtections(call: ToolCall): Guard[] | null {
  if (call.mcpServer?.name !== ownServer.name || call.mcpServer.source !== ownServer.source || !call.tool.startsWith(ownServer.prefix)) return null;
  const name = call.tool.slice(ownServer.prefix.length);
  const row = ownTools.get(name);
  if (row === undefined) return [deny(call.tool, 'this tool is not for the model', 'Use status or transition.')];
  const effect = call.agentId ? row.subagent : row.main;
  if (effect === 'deny') return [deny(call.tool, 'a subagent does not change the mode', 'Finish and let the main thread change the mode.')];
  return effect === 'allow' ? [{ effect: 'allow', name: call.tool, reason: 'own tool', remedy: '' }] : [];
}

/** A text that the client will run later as if it were typed must not carry our commands. */
export function promptProtections(tool: string, text: string): Guard[] {
  return /(^|[\n"\\]|\\n)\s*\/modes:/.test(text)
    ? [deny(`${tool} with a line starting /modes:`, 'the commands of Modes are for a person to type', 'Ask the person to type it.')]
    : [];
}

/** Programs of a Bash call that would go round the guard. */
export function commandProtections(found: BashFacts, place: Place): Guard[] {
  const guards: Guard[] = [];
  for (const command of found.commands) {
    const words = command.argv;
    if (startsClient(words)) guards.push(deny('a second client', `${command.text} would start a client of its own`, 'Use the Agent tool.'));
    const verb = modesVerb(words, place);
    if (verb !== null && !readingVerbs.has(verb)) {
      guards.push(deny(`modes ${verb}`.trim(), 'it changes what this session may do', 'A person runs it in a terminal.'));
    }
    if (asksSocket(command)) guards.push(deny('a request to the socket of Modes', 'only reading requests are open', 'Use the status tool.'));
  }
  return guards;
}

const readingVerbs = new Set(['check', 'validate', 'status', 'bash', 'log', 'explain', 'replay', 'stats', 'graph', 'doctor', 'stop', 'policy', 'help', '--help', '-h', '--version', '-V', 'hook']);
const runners = new Set(['npx', 'bunx', 'pnpx']);
const runnersWithVerb: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['npm', new Set(['exec', 'x'])], ['pnpm', new Set(['dlx', 'exec'])], ['yarn', new Set(['dlx', 'exec'])], ['bun', new Set(['x'])],
]);

function startsClient(words: (string | null)[]): boolean {
  const program = words[0];
  if (typeof program !== 'string') return false;
  const name = path.basename(program);
  if (name === 'claude' || /@anthropic-ai\/claude-code(\/|$)/.test(program)) return true;
  if (words.some((word) => word !== null && /(^|\/)node_modules\/(\.bin\/claude|@anthropic-ai\/claude-code\/)/.test(word)) && /^(node|bun|deno|exec|env)$/.test(name)) return true;
  let rest: (string | null)[] | null = null;
  if (runners.has(name)) rest = words.slice(1);
  else if (words[1] != null && runnersWithVerb.get(name)?.has(words[1])) rest = words.slice(2);
  if (rest === null) return false;
  const operand = rest.find((word) => word === null || !word.startsWith('-'));
  return operand === null || rest.some((word) => word !== null && /^(--package=|-p=?)?@anthropic-ai\/claude-code(@|$)/.test(word)) || operand === 'claude';
}

/** The verb when the command is our own command line, '' for none given; null when it is another program. */
function modesVerb(words: (string | null)[], place: Place): string | null {
  const at = words.findIndex((word) => word !== null && isModesProgram(word, place));
  if (at === -1 || (at > 0 && !/^(node|npx|bunx|npm|exec|pnpm|yarn|bun|sh|bash|-y|--yes|--|x|dlx)$/.test(path.basename(words[at - 1] ?? '')))) return null;
  const verb = words[at + 1];
  return verb === undefined ? 'mcp' : (verb ?? 'of an unknown name');
}

function isModesProgram(word: string, place: Place): boolean {
  const name = path.basename(word);
  if (name === 'modes' || name === 'claude-modes-mcp' || /^claude-modes-mcp@/.test(word)) return true;
  return place.pluginRoot !== null && word.startsWith(`${place.pluginRoot}/dist/`);
}

function asksSocket(command: BashCommand): boolean {
  if (!command.argv.some((word) => word?.includes('mode.sock'))) return false;
  const program = path.basename(command.argv[0] ?? '');
  if (program !== 'curl') return command.class !== 'read-only';
  return command.argv.some((word) => word === null || /^(-[a-zA-Z]*[XdFTK]|--(request|data|json|form|upload-file|config))/.test(word));
}

function deny(name: string, reason: string, remedy: string): Guard {
  return { effect: 'deny', name, reason, remedy };
}
