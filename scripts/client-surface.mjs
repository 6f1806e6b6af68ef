// Lists the interface of an installed client that Modes has to know: tools, hook events and settings keys. Prints unknown ones.
//
//   node scripts/client-surface.mjs [CLIENT] [--json]
//
// Exits with 0 if everything is known, with 1 if something is unknown, and with 2 if the client cannot be read.
// CLIENT is the client's program, or a folder where it was installed with npm. The default is
// the pinned client that e2e installs.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSource } from './load-source.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The program, given directly or as a folder of npm that contains it. */
export function programOf(given) {
  if (statSync(given).isFile()) return programBehind(realpathSync(given));
  const scope = join(given, 'node_modules/@anthropic-ai');
  const platform = readdirSync(scope).find((name) => name.startsWith('claude-code-'));
  if (platform === undefined) throw new Error(`${scope} has no program of the client for this platform`);
  return join(scope, platform, 'claude');
}

/** npm's launcher is a small script; the program itself is in the package for this platform beside it. */
function programBehind(file) {
  if (statSync(file).size > 50_000_000) return file;
  const at = file.lastIndexOf('/node_modules/');
  if (at === -1) throw new Error(`${file} is not the client's program: it is too small, and no package of npm is around it`);
  return programOf(file.slice(0, at));
}

/** The JavaScript modules inside the program, as text. */
function modulesOf(program) {
  const bytes = readFileSync(program);
  const mark = Buffer.from('// @bun');
  const modules = [];
  for (let at = bytes.indexOf(mark); at !== -1; ) {
    const next = bytes.indexOf(mark, at + mark.length);
    const zero = bytes.indexOf(0, at);
    const end = Math.min(...[next, zero, bytes.length].filter((one) => one > at));
    modules.push(bytes.toString('utf8', at, end));
    at = next;
  }
  return modules;
}

const identifier = /^[\w$]+$/;
const escaped = (name) => name.replaceAll('$', '\\$');

/**
 * Tools of the client with their former names, read from the objects that define them. `unread`
 * counts those with a computed name.
 */
export function surfaceOf(program) {
  const modules = modulesOf(program);
  const exporters = new Map();
  for (const [index, text] of modules.entries())
    for (const [, list] of text.matchAll(/export\{([^}]*)\}/g))
      for (const part of list.split(',')) {
        const [local, name = local] = part.trim().split(' as ');
        exporters.set(name, [...(exporters.get(name) ?? []), { index, local }]);
      }
  const textOf = (index, name) => new RegExp(`(?:var |[,;])${escaped(name)}="([\\w-]+)"`).exec(modules[index])?.[1];
  const stringOf = (index, word) => {
    if (word.startsWith('"')) return word.slice(1, -1);
    if (!identifier.test(word)) return undefined;
    const own = textOf(index, word);
    if (own !== undefined) return own;
    let name = word;
    for (const [, list] of modules[index].matchAll(/import\{([^}]*)\}from/g))
      for (const part of list.split(',')) {
        const [outer, local = outer] = part.trim().split(' as ');
        if (local === word) name = outer;
      }
    for (const exporter of exporters.get(name) ?? []) {
      const text = textOf(exporter.index, exporter.local);
      if (text !== undefined) return text;
    }
    return undefined;
  };

  const tools = new Set();
  let unread = 0;
  for (const [index, text] of modules.entries())
    for (const { index: at } of text.matchAll(/registryToolId:"[0-9a-f-]{36}"/g)) {
      const before = text.slice(Math.max(0, at - 500), at);
      const lastCall = before.lastIndexOf('({');
      const nameBefore = Math.max(before.lastIndexOf('{name:'), before.lastIndexOf(',name:'));
      const rest = nameBefore !== -1 && nameBefore >= lastCall ? before.slice(nameBefore) : text.slice(at, at + 6_000);
      const word = /[{,]name:("[^"]+"|[\w$]+)/.exec(rest)?.[1];
      const name = word === undefined ? undefined : stringOf(index, word);
      if (name === undefined) unread += 1;
      else tools.add(name);
      const aliases = /aliases:\[([^\]]*)\]/.exec(text.slice(at, at + 2_500))?.[1] ?? '';
      for (const alias of aliases.split(',')) {
        const former = stringOf(index, alias.trim());
        if (former !== undefined) tools.add(former);
      }
    }
  // The longest list that begins with these events is the list of all of them.
  const lists = modules.flatMap((text) => [...text.matchAll(/\["PreToolUse","PostToolUse"(?:,"\w+")*\]/g)].map(([list]) => list));
  const hookEvents = JSON.parse(lists.sort((one, other) => other.length - one.length)[0] ?? '[]');
  return { tools: [...tools].sort(), unread, hookEvents: hookEvents.sort(), settings: settingsIn(modules).sort() };
}

/** Keys of the settings file: the module of its schema defines each of them, and little else, by a function. */
function settingsIn(modules) {
  const schema = modules.filter((text) => /[{,]disableAllHooks:\(\)=>/.test(text));
  return [...new Set(schema.flatMap((text) => [...text.matchAll(/[{,]"?([$\w]+)"?:\(\)=>/g)].map(([, key]) => key)))];
}

/** The unknown part of a surface: tools without a row, and hook events and settings that have not been reviewed. */
export function unknownOf(surface, { tools, aliases }, reviewed) {
  return {
    tools: surface.tools.filter((name) => !tools.has(aliases.get(name) ?? name)),
    hookEvents: surface.hookEvents.filter((name) => !reviewed.hookEvents.includes(name)),
    settings: surface.settings.filter((name) => !reviewed.settings.includes(name)),
  };
}

export const reviewedFile = join(root, 'test/e2e/client-surface.json');

/** What to do about each kind of unknown name. */
const todo = {
  tools: 'add a row to src/facts/table.ts; until then such a tool may write anywhere',
  hookEvents: 'see whether it can run something or carries evidence, then add it to test/e2e/client-surface.json',
  settings: 'see whether it can switch hooks off or widen what the client allows, then add it to test/e2e/client-surface.json',
};

async function main(words) {
  const json = words.includes('--json');
  const [given, more] = words.filter((word) => word !== '--json');
  if (more !== undefined || given?.startsWith('-')) {
    console.error('usage: node scripts/client-surface.mjs [CLIENT] [--json]');
    return 64;
  }
  const cache = process.env.MODES_E2E_CACHE || join(root, '.cache/client');
  const pinned = /CLIENT_VERSION = .*'([\d.]+)'/.exec(readFileSync(join(root, 'test/e2e/client.ts'), 'utf8'))?.[1] ?? '';
  const client = resolve(given ?? join(cache, pinned));
  let surface;
  try {
    surface = surfaceOf(programOf(client));
    if (surface.tools.length < 50 || surface.hookEvents.length < 30 || surface.settings.length < 100)
      throw new Error('too little was found in it: the client is built in another way than this script reads');
  } catch (error) {
    console.error(`The client in ${client} cannot be read: ${error.message}. Name an installed client: make tools CLIENT=PATH.`);
    return 2;
  }
  const unknown = unknownOf(surface, await loadSource('src/facts/table.ts'), JSON.parse(readFileSync(reviewedFile, 'utf8')));
  const count = Object.values(unknown).flat().length;
  if (json) console.log(JSON.stringify({ client, ...surface, unknown }, null, 2));
  else {
    for (const [kind, names] of Object.entries(unknown))
      if (names.length > 0) console.log(`${kind}: ${names.join(', ')}\n  ${todo[kind]}`);
    if (surface.unread > 0) console.log(`The names of ${surface.unread} tools could not be read.`);
    const { tools, hookEvents, settings } = surface;
    console.log(
      `${tools.length} tools, ${hookEvents.length} hook events and ${settings.length} settings keys in ${client}: ${count} unknown`,
    );
  }
  return count > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
