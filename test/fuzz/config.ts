// Configurations, from the texts of their files. The model: a plain reading of YAML and JSON has every mode, and every allow line,
// that ours has; a problem says what, where, and what to do.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseYaml } from 'yaml';
import { readConfiguration } from '../../src/config/read.ts';
import { renderProblems } from '../../src/config/render.ts';
import type { Configuration } from '../../src/model/configuration.ts';
import type { Target } from './target.ts';

const MARK = /^=== (.+)$/m;
const NAMES = [
  'modes.yaml',
  'settings.any.json',
  'settings.idle.json',
  'settings.work.local.json',
  'CLAUDE.idle.md',
  'modes/idle/a.md',
  'policies/a.rego',
];
const whole = `=== modes.yaml
name: all
default: idle
scope: session
stop: {phrases: [SILENCE], to: idle}
arguments: {mcp__fs__write_file: {path: write}, mcp__m__junior: {bash_cmd: command, filepaths: read}}
commands: [{match: "mytool show *", class: read-only}, {match: "put *", class: writes, writes: [1]}]
protocols: {start: {triggers: ["start^"], instructions: begin, plan: [one, two], mode: work}}
modes:
  idle:
    title: Idle
    description: nothing
    transitions:
      - to: work
        constraint: A test fails.
        require: [{fails: npm test, watch: "src/**"}, {changed: "test/**"}, {after: 10m}, {file: a.md, contains: x}]
        approve: human
        triggers: ["ship it"]
  work:
    extends: idle
    enforcement: ask
    groups: [read, {edit: {files: "test/**", description: tests only}}, command]
    agents: {general-purpose: {mode: idle}}
    permissionMode: plan
    exit_when: {plan: complete, to: idle}
    context: {warn: [85, 90]}
    transitions: [{to: "*"}]
=== settings.any.json
{ // all
  "permissions": {"default": "ask", "allow": ["Read(**)"], "ask": ["Write(package.json)"], "deny": ["@web"]},
}
=== settings.idle.json
{"permissions": {"allow": ["Bash(npm test:*)"], "deny": ["Write(src/**)"]}}
=== settings.work.local.json
{"permissions": {"allow": ["Write(test/**)"]}}
=== CLAUDE.idle.md
Rest.
`;
const example = (name: string) =>
  ['modes.yaml', 'settings.any.json', 'settings.idle.json', 'settings.test-dev.json', 'settings.feature-dev.json']
    .map((file) => {
      try {
        return `=== ${file}\n${readFileSync(path.join('examples', name, '.claude', file), 'utf8')}`;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
        throw error;
      }
    })
    .join('\n');

const filesOf = (text: string) => {
  const parts = text.split(MARK).slice(1);
  const files = new Map<string, string>();
  for (let at = 0; at < parts.length; at += 2) files.set(`.claude/${parts[at]!.trim()}`, parts[at + 1]!.replace(/^\n/, ''));
  return [...files].map(([name, given]) => ({ name, text: given }));
};
const isBroken = ({ problems }: Configuration) => problems.some(({ severity }) => severity === 'error');

function plainAllows(files: { name: string; text: string }[]): Set<string> {
  return new Set(
    files
      .filter(({ name }) => name.endsWith('.json'))
      .flatMap(
        ({ text }) => (parseJson(text, [], { allowTrailingComma: true })?.permissions?.allow as string[] | undefined) ?? [],
      )
      // Blanks around a text mean nothing.
      .map((line) => `${line}`.trim()),
  );
}

export function configTarget(): Target {
  return {
    name: 'config',
    seeds: [
      whole,
      example('tdd'),
      example('tdd-checked'),
      whole.split('=== settings.any')[0]!,
      '=== modes.yaml\n{"name": "x", "default": "a", "modes": {"a": {}}}',
    ],
    words: [
      ...NAMES.map((name) => `\n=== ${name}\n`),
      ...[
        'modes:',
        'name: ',
        'default: ',
        'transitions:',
        '- to: ',
        'constraint: ',
        'require: ',
        'extends: ',
        'groups: ',
        'agents: ',
        'stop: ',
        'scope: ',
        'protocols: ',
      ],
      ...[
        '  ',
        '    ',
        '\n',
        ': ',
        '- ',
        '[',
        ']',
        '{',
        '}',
        '|\n',
        '>-\n',
        '&a ',
        '*a',
        '!!str ',
        '---\n',
        '# ',
        '"',
        "'",
        '<<: ',
        'null',
        'true',
        '0x1f',
        '1e3',
        '~',
        '%YAML 1.1\n',
      ],
      ...[
        '"permissions": ',
        '"allow": ',
        '"deny": ',
        '"ask": ',
        '"default": "deny"',
        '"Write(**)"',
        '"Bash"',
        ',',
        '// x\n',
        '/* x */',
        '"__proto__": {}',
        'constructor: {}',
        'toString',
      ],
    ],
    check(text) {
      const files = filesOf(text);
      const found = readConfiguration({ root: '/project', files });
      for (const { code, message, remedy, file, line, column } of found.problems) {
        if (!/^[EW]_[A-Z_]+$/.test(code) || !message || !remedy) return `${code} says nothing`;
        if ((line !== undefined && line < 1) || (column !== undefined && column < 1)) return `${code} is nowhere`;
        if (line !== undefined && file === undefined) return `${code} has a line and no file`;
      }
      renderProblems(found.problems);
      const plain = isBroken(found) ? null : parseYaml(files.find(({ name }) => name === '.claude/modes.yaml')?.text ?? '');
      if (plain !== null) {
        const names = [...(found.topology?.modes.keys() ?? [])];
        const plainly = Object.keys(plain.modes ?? {});
        if (`${names}` !== `${plainly}`) return `has the modes ${names}, and ${plainly} in the model`;
        if (found.topology?.default !== `${plain.default}`.trim())
          return `begins in ${found.topology?.default}, and ${plain.default} in the model`;
        for (const name of names) if (!found.settings.has(name)) return `knows nothing of the mode ${name}`;
      }
      const allows = [...found.enforced.values()].flatMap(({ rules }) => rules).filter(({ effect }) => effect === 'allow');
      const plainly = allows.length === 0 ? new Set<string>() : plainAllows(files);
      const more = allows.find((rule) => !plainly.has(rule.text));
      return more === undefined ? null : `allows ${more.text}, which no file does in the model`;
    },
  };
}
