// Checks the plugin files that the client reads: manifest, marketplace, commands and hooks must name
// each other and only existing files.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const problems = [];
let checked = 0;

function expect(holds, problem) {
  checked += 1;
  if (!holds) problems.push(problem);
}

const readJson = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

const pack = readJson('package.json');
const plugin = readJson('.claude-plugin/plugin.json');
const market = readJson('.claude-plugin/marketplace.json');

checkManifests();
for (const file of readdirSync(join(root, 'commands')).sort()) checkCommand(`commands/${file}`);
checkHooks();
checkPackage();
checkIcon();

for (const problem of problems) console.error(problem);
console.log(`${checked} points, ${problems.length} wrong`);
if (problems.length > 0) process.exitCode = 1;

/** One version, one name, and every program that the manifest starts is in the repository. */
function checkManifests() {
  expect(plugin.version === pack.version, `plugin.json says ${plugin.version}, package.json ${pack.version}`);
  expect(plugin.license === pack.license, 'plugin.json and package.json name different licences');
  for (const [name, { args }] of Object.entries(plugin.mcpServers)) {
    for (const argument of args) checkRooted(argument, `MCP server ${name}`);
  }
  const entry = market.plugins.find(({ name }) => name === plugin.name);
  expect(entry?.source === './', `marketplace.json does not offer ${plugin.name} from this folder`);
  expect(entry?.engines?.['claude-code'] !== undefined, 'the marketplace entry does not say which client it needs');
}

/** `${CLAUDE_PLUGIN_ROOT}/x` must exist. */
function checkRooted(text, what) {
  const path = /^\$\{CLAUDE_PLUGIN_ROOT\}\/(.+)$/.exec(text)?.[1];
  if (path !== undefined) expect(existsSync(join(root, path)), `${what} starts ${path}, which is not there`);
}

/** Commands are for a person: the model must not be able to start one. */
function checkCommand(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const matter = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1];
  const head = matter === undefined ? {} : parse(matter);
  expect(file.endsWith('.md'), `${file} is no command`);
  expect(typeof head.description === 'string' && head.description !== '', `${file} has no description`);
  expect(head['disable-model-invocation'] === true, `${file} can be started by the model`);
}

/** The client checks neither that a hook's program exists nor that an mcp_tool names our server. */
function checkHooks() {
  const { hooks } = readJson('hooks/hooks.json');
  for (const [event, groups] of Object.entries(hooks)) {
    for (const hook of groups.flatMap((group) => group.hooks)) {
      if (hook.type === 'mcp_tool') {
        const server = Object.keys(plugin.mcpServers).map((name) => `plugin:${plugin.name}:${name}`);
        expect(server.includes(hook.server), `${event}: no such server ${hook.server}`);
      } else {
        expect(Array.isArray(hook.args), `${event}: ${hook.command} is started through a shell`);
        for (const word of [hook.command, ...(hook.args ?? [])]) checkRooted(word, `${event} hook`);
      }
    }
  }
  const handlers = (hooks.PreToolUse ?? []).flatMap((group) => group.hooks);
  expect(
    handlers.some(({ type, onFailure }) => type === 'command' && onFailure === 'block'),
    'PreToolUse has no command handler that blocks when it fails',
  );
  expect(
    handlers.some(({ type }) => type === 'mcp_tool'),
    'PreToolUse has no handler on the private channel',
  );
}

/** npm must ship the files that the plugin needs. */
function checkPackage() {
  for (const file of pack.files) expect(existsSync(join(root, file)), `package.json ships ${file}, which is not there`);
  for (const [name, file] of Object.entries(pack.bin)) {
    const present = existsSync(join(root, file));
    expect(present && (statSync(join(root, file)).mode & 0o111) !== 0, `bin ${name} (${file}) is missing or cannot be executed`);
  }
}

/** A square PNG. */
function checkIcon() {
  const bytes = readFileSync(join(root, '.claude-plugin/icon.png'));
  const isPng = bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  expect(isPng && bytes.readUInt32BE(16) === bytes.readUInt32BE(20), 'icon.png is not a square PNG');
}
