// Writes docs/cli.md from the verbs and options of the program, and from the texts in docs/cli.yaml. With --check it writes
// nothing. It fails if the page is stale, a verb has no text, or a text mentions a missing verb, exit or example.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { loadSource, root } from './load-source.mjs';

const { makeProgram } = await loadSource('src/adapters/cli/program.ts');
const program = makeProgram();
const words = parse(readFileSync(join(root, 'docs/cli.yaml'), 'utf8'));
const target = join(root, 'docs/cli.md');
const faults = [];

const verbs = below(program);
for (const name of Object.keys(words.verbs)) if (!verbs.some((verb) => verb.name === name)) faults.push(`${name} is no verb`);
const page = render();
const isStale = !existsSync(target) || readFileSync(target, 'utf8') !== page;
if (!process.argv.includes('--check')) writeFileSync(target, page);
else if (isStale) faults.push('docs/cli.md is not up to date: run node scripts/cli.mjs');
for (const fault of faults) console.error(`docs/cli.yaml: ${fault}`);
if (faults.length > 0) process.exitCode = 1;
console.log(`cli: ${verbs.length} verbs`);

/** Visible verbs and their subcommands, named as they are typed. */
function below(command, above = []) {
  const help = command.createHelp();
  return help
    .visibleCommands(command)
    .filter((one) => command.commands.includes(one))
    .flatMap((one) => {
      const path = [...above, one.name()];
      return [{ name: path.join(' '), command: one, help }, ...below(one, path)];
    });
}

function render() {
  const summary = verbs.map(({ name, command }) => [
    `[\`modes ${name}\`](#modes-${name.replaceAll(' ', '-')})`,
    command.description(),
  ]);
  return [
    '<!-- Made from the program and docs/cli.yaml by scripts/cli.mjs. -->',
    '# Command line',
    words.intro.trim(),
    table(['verb', 'does'], summary),
    '## Exit codes',
    table(['code', 'means'], Object.entries(words.exits)),
    'Verbs with other exit codes list them below.',
    '## --json',
    words.json.trim(),
    ...verbs.flatMap(section),
  ]
    .join('\n\n')
    .concat('\n');
}

function section({ name, command, help }) {
  const said = words.verbs[name];
  if (said === undefined) {
    faults.push(`nothing is said of modes ${name}`);
    return [];
  }
  const isGroup = command.commands.length > 0;
  if (!isGroup && said.example === undefined) faults.push(`modes ${name} has no example`);
  if (said.example !== undefined) tryExample(name, said.example);
  const operands = help.visibleArguments(command).map((one) => [code(help.argumentTerm(one)), one.description]);
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((one) => [code(one.flags), help.optionDescription(one)]);
  const hasJson = command.options.some(({ long }) => long === '--json');
  const schema = `schemas/output/${name.replaceAll(' ', '-')}.schema.json`;
  const exits = Object.entries(said.exits ?? {});
  for (const [exit, means] of exits)
    if (!/^\d+$/.test(exit) || typeof means !== 'string')
      faults.push(`an exit of modes ${name} is no number with a text: ${exit}`);
  return [
    `## modes ${name}`,
    sentence(command.description()),
    ...(isGroup ? [] : [`\`\`\`\n${help.commandUsage(command)}\n\`\`\``]),
    ...(said.text === undefined ? [] : [said.text.trim()]),
    ...(operands.length + options.length === 0 || isGroup ? [] : [table(['option', 'does'], [...operands, ...options])]),
    ...(exits.length === 0 ? [] : [`Exit code: ${exits.map(([exit, means]) => `${exit} ${means}`).join('; ')}.`]),
    ...(hasJson ? [`With \`--json\`: [${schema.split('/').at(-1)}](../${schema}).`] : []),
    ...(said.example === undefined ? [] : [`\`\`\`sh\n${said.example.trim()}\n\`\`\``]),
  ];
}

/** An example must call its own verb and use only options that the verb has. */
function tryExample(name, example) {
  const { command } = verbs.find((verb) => verb.name === name);
  const typed = (example.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''));
  const path = ['modes', ...name.split(' ')];
  if (typed.slice(0, path.length).join(' ') !== path.join(' '))
    faults.push(`the example of modes ${name} is not of it: ${example}`);
  const { unknown } = command.parseOptions(typed.slice(path.length));
  if (unknown.length > 0) faults.push(`the example of modes ${name} has what it does not know: ${unknown.join(' ')}`);
}

function code(text) {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
