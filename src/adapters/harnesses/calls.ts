// Rows for the tools of harnesses: the client's calls with the same accesses.

import { folderOf, type Input, MalformedInput } from '../../facts/input.ts';
import type { ClientCall, HarnessTool } from './types.ts';

export const call = (tool: string, input: Record<string, unknown>, folder: string | null = null): ClientCall => ({
  tool,
  input,
  ...(folder !== null && { folder }),
});

/** A tool without accesses. */
export const nothing = (...fields: string[]): HarnessTool => ({ fields, calls: () => [call('TodoWrite', {})] });

/** The same for a tool whose fields do not matter, or that its user defines. */
export const result: HarnessTool = { fields: null, calls: () => [call('TodoWrite', {})] };

export const question = (...fields: string[]): HarnessTool => ({ fields, calls: () => [call('AskUserQuestion', {})] });

/** A text for the shell that is exactly this word. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The command of a field that is a text for the shell or a list of words. */
export function commandIn(input: Input, field: string): string {
  if (!Array.isArray(input.fields[field])) return input.text(field);
  const words = input.texts(field);
  if (words.length === 0) throw new MalformedInput(`${input.tool} has an empty ${field}`);
  return words.map((word) => (/^[\w@%+:,./-]+$/.test(word) ? word : quoted(word))).join(' ');
}

/** A shell command. `folder`: the field with its folder. */
export const shell = (command: string, folder: string | null, ...others: string[]): HarnessTool => ({
  fields: [command, ...(folder === null ? [] : [folder]), ...others],
  calls: (input) => [call('Bash', { command: commandIn(input, command) }, folder === null ? null : input.maybe(folder))],
});

/**
 * A shell command in a folder that the event does not name. Relative paths may lead anywhere, so only absolute paths and commands
 * without paths are known.
 */
export const somewhere = (command: string): ClientCall => call('Bash', { command: `cd "$UNKNOWN_FOLDER"\n${command}` });

export const powerShell = (command: string, ...others: string[]): HarnessTool => ({
  fields: [command, ...others],
  calls: (input) => [call('PowerShell', { command: input.text(command) })],
});

export const read = (path: string, ...others: string[]): HarnessTool => ({
  fields: [path, ...others],
  calls: (input) => [call('Read', { file_path: input.text(path) })],
});

/** Several files, or patterns of files. */
export const readMany = (patterns: string, ...others: string[]): HarnessTool => ({
  fields: [patterns, ...others],
  calls(input) {
    const all = input.texts(patterns);
    if (all.length === 0) throw new MalformedInput(`${input.tool} does not name a file`);
    return all.map((pattern) =>
      /[*?[{]/.test(pattern) ? everyFile(folderOf('.', pattern)) : call('Read', { file_path: pattern }),
    );
  },
});

export const write = (path: string, ...others: string[]): HarnessTool => ({
  fields: [path, ...others],
  calls: (input) => [call('Write', { file_path: input.text(path), content: '' })],
});

export const edit = (path: string, ...others: string[]): HarnessTool => ({
  fields: [path, ...others],
  calls: (input) => [call('Edit', { file_path: input.text(path), old_string: '', new_string: '' })],
});

export const patch = (text: string, ...others: string[]): HarnessTool => ({
  fields: [text, ...others],
  calls: (input) => [call('ApplyPatch', { patch: input.text(text) })],
});

/** A search in file contents that skips ignored files, as the client's search does. */
export const search = (path: string, ...others: string[]): HarnessTool => ({
  fields: [path, ...others],
  calls: (input) => [call('Grep', { pattern: '', path: input.maybe(path) ?? '.' })],
});

/** A search in file contents. `wide`: with this field it also reads ignored files. */
export const wideSearch = (path: string, wide: string, ...others: string[]): HarnessTool => ({
  fields: [path, wide, ...others],
  calls(input) {
    const folder = input.maybe(path) ?? '.';
    return [input.has(wide) ? everyFile(folder) : call('Grep', { pattern: '', path: folder })];
  },
});

/** A search in one place or in several: a text or a list. */
export const searchMany = (paths: string, ...others: string[]): HarnessTool => ({
  fields: [paths, ...others],
  calls: (input) => placesIn(input, paths).map((path) => call('Grep', { pattern: '', path })),
});

/** The folders or files of a field that is a text or a list; the folder of the event without it. */
function placesIn(input: Input, field: string): string[] {
  const all = Array.isArray(input.fields[field]) ? input.texts(field) : [input.maybe(field) ?? '.'];
  return all.length === 0 ? ['.'] : all;
}

/** Names of files, not their contents. */
export const list = (path: string, ...others: string[]): HarnessTool => ({
  fields: [path, ...others],
  calls: (input) => [call('Glob', { pattern: '*', path: input.maybe(path) ?? '.' })],
});

export const glob = (pattern: string, path: string, ...others: string[]): HarnessTool => ({
  fields: [pattern, path, ...others],
  calls: (input) => [call('Glob', { pattern: input.text(pattern), path: input.maybe(path) ?? '.' })],
});

/** The same in one folder or in several: a text or a list. */
export const globMany = (pattern: string, paths: string): HarnessTool => ({
  fields: [pattern, paths],
  calls: (input) => placesIn(input, paths).map((path) => call('Glob', { pattern: input.text(pattern), path })),
});

export const fetchUrl = (url: string, ...others: string[]): HarnessTool => ({
  fields: [url, ...others],
  calls: (input) => [call('WebFetch', { url: input.text(url), prompt: '' })],
});

/** A prompt that contains the addresses. */
export const fetchPrompt = (prompt: string, ...others: string[]): HarnessTool => ({
  fields: [prompt, ...others],
  calls(input) {
    const urls = input.text(prompt).match(/https?:\/\/[^\s<>"'`)\]}]+/gi) ?? [];
    if (urls.length === 0) throw new MalformedInput(`${input.tool} does not name an address`);
    return [...new Set(urls)].map((url) => call('WebFetch', { url, prompt: '' }));
  },
});

export const webSearch = (query: string, ...others: string[]): HarnessTool => ({
  fields: [query, ...others],
  calls: (input) => [call('WebSearch', { query: input.maybe(query) ?? '' })],
});

export const agent = (type: string, prompt: string, ...others: string[]): HarnessTool => ({
  fields: [type, prompt, ...others],
  calls(input) {
    const name = input.maybe(type);
    return [call('Agent', { description: '', prompt: input.maybe(prompt) ?? '', ...(name !== null && { subagent_type: name }) })];
  },
});

/** A message to another agent. */
export const message = (to: string, text: string, ...others: string[]): HarnessTool => ({
  fields: [to, text, ...others],
  calls: (input) => [call('SendMessage', { to: input.maybe(to) ?? '', message: input.maybe(text) ?? '' })],
});

/** Resources of MCP servers. `uri`: the field with the address of one; null lists them. */
export const resources = (server: string, uri: string | null, ...others: string[]): HarnessTool => ({
  fields: [server, ...(uri === null ? [] : [uri]), ...others],
  calls(input) {
    const name = input.maybe(server);
    const of = name === null ? {} : { server: name };
    if (uri === null) return [call('ListMcpResourcesTool', of)];
    return [call('ReadMcpResourceTool', { ...of, uri: input.text(uri) })];
  },
});

export const skill = (name: string, ...others: string[]): HarnessTool => ({
  fields: [name, ...others],
  calls: (input) => [call('Skill', { skill: input.text(name) })],
});

/** Reads every file below a folder, also those that a search skips. */
function everyFile(folder: string): ClientCall {
  return call('Bash', { command: `grep -r -e x -- ${quoted(folder)}` });
}

/** One tool whose row depends on a field of its input. */
export const byField = (field: string, rows: Readonly<Record<string, HarnessTool>>): HarnessTool => ({
  fields: [...new Set([field, ...Object.values(rows).flatMap(({ fields }) => fields ?? [])])],
  calls(input: Input, folder: string) {
    const name = input.text(field);
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (row === undefined) throw new MalformedInput(`${input.tool} has no ${field} ${JSON.stringify(name.slice(0, 100))}`);
    return row.calls(input, folder);
  },
});
