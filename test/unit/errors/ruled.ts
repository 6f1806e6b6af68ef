// Rules, as `modes validate` finds them: all that cannot be read in one project, all that are most likely not meant in others.
import { inProject } from './configured.ts';
import type { Way, Ways } from './way.ts';

type Effect = 'allow' | 'deny';
const settings = '.claude/settings.idle.json';

/** A rule a line, so that each stands at a place of its own: the first in line 2. */
const listOf = (rules: readonly string[]) => rules.map((rule) => `\n      ${JSON.stringify(rule)}`).join(',');
const textOf = ({ allow = [], deny = [] }: Partial<Record<Effect, readonly string[]>>) =>
  `{"permissions": {"deny": [${listOf(deny)}], "allow": [${listOf(allow)}]}}`;

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Code → rule, its effect, the column of what is wrong, and what is advised. */
type Rows = Readonly<Record<string, readonly [what: string, effect: Effect, rule: string, column: number, advice: RegExp]>>;

function waysOf(rows: Rows): Ways {
  const rulesOf = (effect: Effect) =>
    Object.values(rows)
      .filter((row) => row[1] === effect)
      .map((row) => row[2]);
  const [deny, allow] = [rulesOf('deny'), rulesOf('allow')];
  const meets = once(() => inProject({ 'settings.idle.json': textOf({ allow, deny }) }));
  const lineOf = (effect: Effect, rule: string) =>
    2 + (effect === 'deny' ? deny.indexOf(rule) : deny.length + allow.indexOf(rule));
  const way = ([what, effect, rule, column, advice]: Rows[string]): Way => ({
    what,
    meets: async () => (await meets()).filter(({ line }) => line === lineOf(effect, rule)),
    at: `${settings}:${lineOf(effect, rule)}:${column}`,
    advice,
  });
  return Object.fromEntries(Object.entries(rows).map(([code, row]) => [code, way(row)]));
}

const unreadable: Rows = {
  E_RULE_FORM: ['a parenthesis that is not closed', 'deny', 'Read(', 12, /Tool/],
  E_RULE_NEGATED: ['a rule that begins with !', 'allow', '!Read(a)', 8, /list/],
  E_RULE_UNKNOWN_TOOL: ['a misspelt tool', 'deny', 'Wriet(src/**)', 8, /Did you mean/],
  E_RULE_UNKNOWN_GROUP: ['a misspelt group', 'deny', '@raed', 8, /Did you mean/],
  E_RULE_UNKNOWN_CLASS: ['a misspelt class', 'deny', 'Bash(@readonly)', 13, /Did you mean/],
  E_RULE_SPECIFIER: ['words for a search', 'deny', 'WebSearch(cats)', 18, /Write/],
  E_RULE_GROUP_SPECIFIER: ['files of a group', 'deny', '@edit(src/**)', 14, /Write\(/],
  E_RULE_GLOB_SPECIFIER: ['files of a pattern of tools', 'deny', 'Web*(x)', 13, /each tool/],
  E_RULE_ALLOW_GLOB: ['all tools allowed', 'allow', '*', 8, /server/],
  E_RULE_PATH: ['a brace that is not closed', 'deny', 'Write(src/{a,b)', 18, /brace|Correct/],
  E_RULE_COMMAND: ['two commands in one', 'deny', 'Bash(cd x && npm test)', 18, /./],
  E_RULE_DOMAIN: ['an address', 'deny', 'WebFetch(domain:https://x.org)', 24, /: x\.org\.|domain:example\.org/],
  E_RULE_PARAM_ALLOW: ['a parameter allowed', 'allow', 'Agent(model:opus)', 14, /deny or ask/],
  E_RULE_PARAM_CONTENT: ['a command as mere text', 'deny', 'Bash(command:rm *)', 13, /Bash\(…\)/],
  E_RULE_PARAM_VALUE: ['a parameter without a value', 'deny', 'Agent(model:)', 14, /value/],
};

const doubtful: Rows = {
  W_RULE_OLD_NAME: ['a tool that has another name', 'deny', 'Task', 8, /Write/],
  W_RULE_GONE_NAME: ['a tool that is gone', 'deny', 'TodoRead', 8, /Remove/],
  W_RULE_READ_AS: ['a rule that is read in another way', 'allow', 'Grep(src/**)', 8, /Write/],
  W_RULE_PATH: ['a folder with brackets', 'deny', 'Read(app/[id]/page.tsx)', 17, /./],
  W_RULE_COMMAND: ['an image with a colon', 'deny', 'Bash(docker run image:* sh)', 29, /./],
  W_RULE_OPTIONS: ['options of a program that is not known', 'deny', 'Bash(mytool --danger:*)', 13, /each spelling/],
  W_RULE_NEVER: ['a wrapper in allow', 'allow', 'Bash(timeout 10 npm test)', 8, /Write/],
  W_RULE_WIDE: ['a package runner with a wildcard', 'allow', 'Bash(npx:*)', 8, /exactly/],
  W_RULE_BEATEN: ['an allow that a deny beats', 'allow', 'Agent(Explore)', 8, /Remove/],
};

/** Of the whole project: each in one of its own. */
const alone: Ways = {
  W_RULE_MAY_WRITE: {
    what: 'a server allowed where writes are denied',
    meets: () => inProject({ 'settings.idle.json': textOf({ deny: ['Write'], allow: ['mcp__fs__move_it'] }) }),
    at: `${settings}:3:8`,
    advice: /arguments:/,
  },
  W_ARGUMENTS_WRITE: {
    what: 'a declaration that leaves out what writes',
    meets: () =>
      inProject({ 'settings.idle.json': textOf({ deny: ['Write'] }) }, (project) => {
        project.put(
          '.claude/modes.yaml',
          `${project.get('.claude/modes.yaml')}arguments:\n  mcp__fs__write_file: {path: read}\n`,
        );
        project.trust();
      }),
    at: '.claude/modes.yaml:11:3',
    advice: /Declare/,
  },
  W_COMMAND_WRITABLE: {
    what: 'a harmless command that may be rewritten',
    meets: () =>
      inProject({ 'settings.idle.json': textOf({ allow: ['Write(scripts/**)'] }) }, (project) => {
        project.put(
          '.claude/modes.yaml',
          `${project.get('.claude/modes.yaml')}commands: [{match: ./scripts/show.sh, class: read-only}]\n`,
        );
        project.trust();
      }),
    at: `${settings}:2:8`,
    advice: /deny/i,
  },
  W_GATE_WRITABLE: {
    what: 'a gate whose script may be rewritten',
    meets: () =>
      inProject({ 'settings.idle.json': textOf({ allow: ['Write(**)'] }) }, (project) =>
        project.put(
          '.claude/modes.yaml',
          project.get('.claude/modes.yaml').replace('- to: work', '- {to: work, require: [{passes: npm test}]}'),
        ),
      ),
    at: `${settings}:2:8`,
    advice: /deny/,
  },
  W_RULE_PART: {
    what: 'half a name of a program where writes are guarded',
    meets: () => inProject({ 'settings.idle.json': textOf({ deny: ['Write(src/**)'], allow: ['Bash(pytest*)'] }) }),
    at: `${settings}:3:8`,
    advice: /Bash\(pytest:\*\)/,
  },
  W_GATE_CLOSED: {
    what: 'a gate whose command is denied',
    meets: () =>
      inProject({ 'settings.idle.json': textOf({ deny: ['Bash(npm:*)'] }) }, (project) =>
        project.put(
          '.claude/modes.yaml',
          project.get('.claude/modes.yaml').replace('- to: work', '- {to: work, require: [{passes: npm test}]}'),
        ),
      ),
    at: '.claude/modes.yaml:6:30',
    advice: /[Rr]estrict the deny/,
  },
  W_GATE_MISSING: {
    what: 'a gate whose script does not exist',
    meets: () =>
      inProject({}, (project) =>
        project.put(
          '.claude/modes.yaml',
          project.get('.claude/modes.yaml').replace('- to: work', '- {to: work, require: [{passes: ./scripts/missing.sh}]}'),
        ),
      ),
    at: '.claude/modes.yaml:6:30',
    advice: /Add it/,
  },
  W_DEFAULT_NO_READING: {
    what: 'a mode in which nothing can be read',
    meets: () => inProject({ 'settings.idle.json': '{"permissions": {"default": "deny"}}' }),
    at: `${settings}:1:29`,
    advice: /Read/,
  },
};

export const ruled: Ways = { ...waysOf(unreadable), ...waysOf(doubtful), ...alone };
