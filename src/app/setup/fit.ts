// Fits the files of a preset to a project: its commands in gates, allow lines, instructions and cases, and its folders in lists that
// name others. Only the places that differ are edited, so comments and layout stay. Nothing is ever taken out of a list.

import { visit as visitJson } from 'jsonc-parser';
import {
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  parse as parseYaml,
  type Scalar,
  visit as visitYaml,
  type YAMLSeq,
} from 'yaml';
import { EXCEPTION } from '../../config/rule-quota.ts';
import { clientName } from '../../config/tool-names.ts';
import type { Effect } from '../../model/configuration.ts';
import { parseCommandPattern } from '../../rules/command.ts';
import { whyWide } from '../../rules/wide.ts';
import { globScope } from '../../workflow/gates/globs.ts';
import type { CommandKind } from '../project-survey/commands.ts';
import type { GuardedGroup, SurveyPlace } from '../project-survey/places.ts';
import { commandOf, type ProjectSurvey, surveyLines } from '../project-survey/survey.ts';

export interface PresetFile {
  /** Relative to the project's root, such as `.claude/modes.yaml`. */
  name: string;
  text: string;
}

export interface Fit {
  survey: ProjectSurvey;
  files: PresetFile[];
  replaced: { from: string; to: string; files: string[] }[];
  /** Additions to lists, as they are written. */
  added: { file: string; texts: string[] }[];
  /** Sentences about the parts of the preset that do not work in this project. */
  notes: string[];
  /** A preset with the same modes whose gates are in words, where gates of this one cannot open; null: none, or not needed. */
  instead: string | null;
}

/** The commands that the presets name, and what they are for. */
const presetCommands = { 'npm test': 'test', 'npm run lint': 'lint', 'npm run build': 'build' } as const satisfies {
  [command: string]: CommandKind;
};
type PresetCommand = keyof typeof presetCommands;
const inText = /\bnpm (?:test|run lint|run build)\b(?![\w:-])/g;
const inRule = /^(.*[( ])(npm (?:test|run lint|run build))(:?\*)?\)$/;

/** Presets whose gates need readable results, and the ones with the same modes and gates in words. */
const inWords: { readonly [preset: string]: string } = { 'tdd-checked': 'tdd-words' };

/** Folders of tests in the presets. Gradle writes reports and compiled tests to folders of these names, but not in `src`. */
const testFolders = /\*\*\/\{test,tests,(?:Tests,)?/g;
const gradleTestFolders = '**/{src/test,src/tests,';

const settingsName = /\/settings\.([^/]+)\.json$/;

/** Keys of modes.yaml with a list of globs, and whether it restricts: then an ambiguous glob matches more. */
const globLists: { readonly [key: string]: { restricts: boolean } } = {
  changed: { restricts: false },
  unchanged: { restricts: true },
  files: { restricts: false },
  canEdit: { restricts: false },
  cannotEdit: { restricts: true },
};

interface Extension {
  /** A list is of this kind if one of its globs matches the first file and not the second. */
  like: string;
  unlike: string;
  /** `sparesTests`: without folders that contain tests. */
  places(survey: ProjectSurvey, sparesTests: boolean): readonly SurveyPlace[];
}

const guarded = (group: GuardedGroup) => (survey: ProjectSurvey) => survey.guarded.filter((one) => one.group === group);

/** Kinds of lists that the presets have, and the places of a project that belong in them. */
const testList: Extension = {
  like: 'test/a.test.js',
  unlike: 'src/a.js',
  places: ({ tests, inside }) => [...tests, ...(inside.length > 0 ? [ownFile] : [])],
};
const otherLists: readonly Extension[] = [
  {
    like: 'src/a.js',
    unlike: 'test/a.test.js',
    places: ({ sources }, sparesTests) => sources.filter(({ hasTests }) => !sparesTests || !hasTests),
  },
  { like: 'x/auth/a.js', unlike: 'src/a.js', places: guarded('security') },
  { like: 'migrations/a.sql', unlike: 'src/a.js', places: guarded('migrations') },
  { like: '.github/a.yml', unlike: 'src/a.js', places: guarded('operations') },
];

/** Rust tests inside a source file can be moved to a file of their own, which a rule can distinguish from the source. */
const ownFile: SurveyPlace = { glob: 'tests.rs', files: ['src/tests.rs'] };

/** Files of a place that are compared with a list. */
const mostCompared = 50;

interface Edit {
  offset: number;
  length: number;
  text: string;
}

export function fitPreset(preset: string, files: readonly PresetFile[], survey: ProjectSurvey): Fit {
  const replaced = new Map<string, Set<string>>();
  const added: Fit['added'] = [];
  const opened = new Map<string, readonly string[]>();
  // Settings first, because the cases depend on the files that they open.
  const inOrder = [...files].sort((one, other) => Number(settingsName.test(other.name)) - Number(settingsName.test(one.name)));
  const isGradle = usesGradle(survey);
  const fitted = inOrder.map(({ name, text }) => {
    const file = new FileFit(survey, isGradle ? text.replaceAll(testFolders, gradleTestFolders) : text);
    const [, mode] = settingsName.exec(name) ?? [];
    if (mode !== undefined) {
      file.fitSettings();
      opened.set(mode, file.opened);
    } else if (name.endsWith('.yaml')) file.fitYaml();
    else if (name.endsWith('.md')) file.fitText();
    if (name.endsWith('.cases.yaml')) file.fitCases(opened);
    for (const from of file.replaced) replaced.set(from, (replaced.get(from) ?? new Set()).add(name));
    if (file.added.length > 0) added.push({ file: name, texts: file.added });
    return { name, text: file.result() };
  });
  const notes = notesOn(preset, files, survey);
  return {
    survey,
    files: files.map(({ name }) => fitted.find((one) => one.name === name) as PresetFile),
    replaced: [...replaced].map(([from, own]) => ({ from, to: commandFor(survey, from as PresetCommand), files: [...own] })),
    added,
    notes: notes.map(({ text }) => text),
    instead: notes.some(({ isClosed }) => isClosed) ? (inWords[preset] ?? null) : null,
  };
}

/** The edits of one file. */
class FileFit {
  readonly replaced = new Set<string>();
  readonly added: string[] = [];
  /** Globs that were added to an allow list. */
  readonly opened: string[] = [];
  /** A mode that denies by default lists all that it allows. One that verifies runs needs no rule for a command that it can verify. */
  private isComplete = false;
  private readonly edits: Edit[] = [];

  constructor(
    private readonly survey: ProjectSurvey,
    private readonly text: string,
  ) {}

  result(): string {
    return [...this.edits]
      .sort((one, other) => other.offset - one.offset)
      .reduce((text, { offset, length, text: by }) => text.slice(0, offset) + by + text.slice(offset + length), this.text);
  }

  fitText(): void {
    this.replaceIn(0, this.text.length);
  }

  fitSettings(): void {
    const lists: { [effect in Effect]: ListItem[] } = { allow: [], ask: [], deny: [] };
    visitJson(
      this.text,
      {
        onComment: (offset, length) => this.replaceIn(offset, length),
        onLiteralValue: (value, offset, length, _line, _column, path) => {
          const [section, effect] = path();
          if (section !== 'permissions' || typeof value !== 'string') return;
          if (effect === 'default' || effect === 'uncertain') this.isComplete ||= value === 'deny' || value === 'verify';
          if (effect === 'allow' || effect === 'ask' || effect === 'deny') lists[effect].push({ value, offset, length });
        },
      },
      { allowTrailingComma: true },
    );
    for (const [effect, items] of Object.entries(lists)) this.fitRules(effect as Effect, items);
  }

  private fitRules(effect: Effect, items: readonly ListItem[]): void {
    const present = new Set<string>();
    for (const { value, offset, length } of items) {
      const rule = this.rule(value);
      present.add(rule);
      if (rule !== value) this.edits.push({ offset, length, text: JSON.stringify(rule) });
    }
    const tests = items.find(({ value }) => /^Bash\(npm test(?::?\*)?\)$/.test(value));
    if (effect === 'allow' && tests !== undefined && !this.isComplete)
      this.insert(
        tests,
        this.otherCommands().filter((rule) => !present.has(rule)),
      );
    const globs = items.flatMap((item) => {
      const [, written] = /^(?:Write|Edit)\((.*)\)$/.exec(item.value) ?? [];
      const [glob] = written?.split(EXCEPTION) ?? [];
      return glob === undefined ? [] : [{ ...item, glob }];
    });
    const added = this.extend(globs, effect !== 'allow', (glob) => `Write(${glob})`);
    if (effect === 'allow') this.opened.push(...added);
  }

  /** A rule with the project's command. */
  private rule(value: string): string {
    const [, head = '', from, star] = inRule.exec(value) ?? [];
    if (from === undefined) return value;
    const kind = presetCommands[from as PresetCommand];
    const command = commandOf(this.survey, kind);
    if (command === null || command.text === from) return value;
    this.replaced.add(from);
    // A test run may have any arguments, unless they can be another program. An argument of a linter could make it change files.
    return `${head}${star === undefined || kind !== 'test' || isWide(command.base) ? command.text : `${command.base}:*`})`;
  }

  /** Rules for the commands of the project besides the one that runs the tests. */
  private otherCommands(): string[] {
    const first = commandOf(this.survey, 'test');
    return this.survey.commands
      .filter((one) => one !== first)
      .map(({ kind, text, base }) => `Bash(${kind === 'test' && !isWide(base) ? `${base}:*` : text})`);
  }

  fitYaml(): void {
    const document = parseDocument(this.text);
    visitYaml(document, {
      Scalar: (key, node) => {
        if (key !== 'key') this.fitScalar(node);
      },
      Seq: (_key, node, path) => {
        const pair = path.at(-1);
        const name = isPair(pair) && isScalar(pair.key) ? String(pair.key.value) : '';
        const list = Object.hasOwn(globLists, name) ? globLists[name] : undefined;
        if (list !== undefined) this.fitGlobs(node, list.restricts);
      },
    });
  }

  /** The cases of a preset name example files. In this project, the fitted rules may allow writes of some of them. */
  fitCases(opened: ReadonlyMap<string, readonly string[]>): void {
    const { contents } = parseDocument(this.text);
    for (const item of isSeq(contents) ? contents.items : []) {
      if (!isMap(item) || !item.range) continue;
      const call = String(item.get('call'));
      const expected = item.get('expect', true);
      const [, file] = /^Write\((.*)\)$/.exec(call) ?? [];
      const { file: isOpen } = globScope(opened.get(String(item.get('mode'))) ?? [], false, '/');
      if (file !== undefined && isScalar(expected) && String(expected.value) === 'pass' && expected.range && isOpen(file))
        this.edits.push({ offset: expected.range[0], length: 'pass'.length, text: 'allow' });
      const [, folder] = /^Bash\(rm -rf (\w+)\)$/.exec(call) ?? [];
      const hasTests = this.survey.tests.some(({ files }) => files.some((one) => one.startsWith(`${folder}/`)));
      if (folder !== undefined && hasTests) this.dropLine(item.range[0]);
    }
  }

  private dropLine(offset: number): void {
    const start = this.text.lastIndexOf('\n', offset) + 1;
    const end = this.text.indexOf('\n', offset) + 1;
    this.edits.push({ offset: start, length: (end === 0 ? this.text.length : end) - start, text: '' });
  }

  private fitScalar(node: Scalar): void {
    const { value, range, type } = node;
    if (typeof value !== 'string' || !range) return;
    const [start, end] = range;
    const isBlock = type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED';
    // A case names the rule that decides: it gets the same form as in the settings.
    const text = inRule.test(value) ? this.rule(value) : this.withCommands(value);
    if (isBlock) this.replaceIn(start, end - start);
    else if (text !== value) this.edits.push({ offset: start, length: end - start, text: quoteYaml(text, type) });
  }

  private fitGlobs(node: YAMLSeq, restricts: boolean): void {
    const items = node.items.flatMap((item) => {
      if (!isScalar(item) || typeof item.value !== 'string' || !item.range) return [];
      const [offset, end] = item.range;
      return [{ value: item.value, glob: item.value, offset, length: end - offset }];
    });
    this.extend(items, restricts, (glob) => glob, node.flow !== true);
  }

  /** Adds the places of the project that a list of their kind does not match yet. */
  private extend(
    items: readonly (ListItem & { glob: string })[],
    restricts: boolean,
    write: (glob: string) => string,
    isBlock = false,
  ): string[] {
    const added: string[] = [];
    const { file: isCovered } = globScope(
      items.map(({ glob }) => glob),
      restricts,
      '/',
    );
    const lastOf = ({ like, unlike }: Extension) =>
      items.findLast(({ glob }) => {
        const { file: matches } = globScope([glob], restricts, '/');
        return matches(like) && !matches(unlike);
      });
    // A list that closes sources alone would close the tests among them, too.
    const sparesTests = restricts && lastOf(testList) === undefined;
    for (const extension of [testList, ...otherLists]) {
      const last = lastOf(extension);
      if (last === undefined) continue;
      const places = extension.places(this.survey, sparesTests);
      const missing = places.filter(({ files }) => !files.slice(0, mostCompared).every(isCovered)).map(({ glob }) => glob);
      this.insert(last, missing.map(write), isBlock);
      added.push(...missing);
    }
    return added;
  }

  /** Inserts texts after an item, in the layout of the item. */
  private insert(item: ListItem, texts: readonly string[], isBlock = false): void {
    if (texts.length === 0) return;
    const lead = this.text.slice(this.text.lastIndexOf('\n', item.offset - 1) + 1, item.offset);
    const isOwnLine = isBlock || lead.trim() === '';
    const separator = `${isBlock ? '' : ','}${isOwnLine ? `\n${lead}` : ' '}`;
    const text = texts.map((one) => separator + JSON.stringify(one)).join('');
    this.edits.push({ offset: item.offset + item.length, length: 0, text });
    this.added.push(...texts);
  }

  private replaceIn(offset: number, length: number): void {
    const before = this.text.slice(offset, offset + length);
    const text = this.withCommands(before);
    if (text !== before) this.edits.push({ offset, length, text });
  }

  private withCommands(text: string): string {
    return text.replace(inText, (from) => {
      const to = commandFor(this.survey, from as PresetCommand);
      if (to !== from) this.replaced.add(from);
      return to;
    });
  }
}

/** True if further words could run anything: `Rscript -e TEXT -e ANOTHER`. */
function isWide(base: string): boolean {
  const parsed = parseCommandPattern(`${base}:*`, false);
  return 'problem' in parsed || (parsed.commands?.some((one) => whyWide(one) !== null) ?? true);
}

interface ListItem {
  value: string;
  offset: number;
  length: number;
}

/** The project's command in place of one of the preset; the same if the project has none. */
function commandFor(survey: ProjectSurvey, from: PresetCommand): string {
  return commandOf(survey, presetCommands[from])?.text ?? from;
}

/** A scalar in the style that it had, if that can hold it. It may be part of a flow list. */
function quoteYaml(text: string, type: Scalar['type']): string {
  if (type === 'QUOTE_SINGLE') return `'${text.replaceAll("'", "''")}'`;
  if (type === 'QUOTE_DOUBLE') return JSON.stringify(text);
  try {
    const [read, ...others] = parseYaml(`[${text}]`) as unknown[];
    if (read === text && others.length === 0) return text;
  } catch {
    // It needs quotes.
  }
  return JSON.stringify(text);
}

function usesGradle({ managers }: ProjectSurvey): boolean {
  return managers.some(({ name }) => name === 'gradle');
}

/** A list of folders of tests, in braces or not. */
const testGlob = /\btests?\b[^\s"]*\/\*\*/;

interface Note {
  text: string;
  /** A gate of the preset cannot open. */
  isClosed: boolean;
}

function notesOn(preset: string, files: readonly PresetFile[], survey: ProjectSurvey): Note[] {
  const modes = files.find(({ name }) => name === '.claude/modes.yaml')?.text ?? '';
  const runs = /:\s*npm test\b/.test(modes);
  const reads = /\btests:\s*\{?\s*command: npm test\b/.test(modes);
  const splits = files.some(({ text }) => testGlob.test(text));
  const test = commandOf(survey, 'test');
  const [inside] = survey.inside;
  const [below] = survey.below;
  const change =
    below === undefined
      ? 'Put your own command there, or set the gate in words.'
      : `Run modes init in the folder of a project (${survey.below.join(', ')}), or put its command there with its folder, such as \`in: ${below}\`.`;
  const notes: (Note & { holds: boolean })[] = [
    {
      holds: runs && test === null,
      text: `No test command was found, so gates of ${preset} in .claude/modes.yaml name \`npm test\`. ${change}`,
      isClosed: reads,
    },
    {
      holds: reads && test !== null && test.runner === null,
      text: `No test runner was found: ${test?.why}. Gates of ${preset} in .claude/modes.yaml that read test results stay closed. A gate that needs no results can have \`fails: ${test?.text}\` or \`passes: ${test?.text}\`. ${change}`,
      isClosed: true,
    },
    {
      holds: usesGradle(survey) && files.some(({ text }) => text.search(testFolders) !== -1),
      text: 'Folders named test and tests count only in src, because Gradle writes its own results to such folders in build.',
      isClosed: false,
    },
    {
      holds: splits && inside !== undefined,
      text: `${inside} contains its own tests. A rule is for a whole file, so a mode that opens tests alone opens only files such as tests/*.rs and src/**/tests.rs.`,
      isClosed: false,
    },
  ];
  return [...notes.filter(({ holds }) => holds), ...serverNotes(survey)];
}

/** Advice on how to allow the read-only tools of the project's MCP servers. */
function serverNotes({ servers }: ProjectSurvey): Note[] {
  if (servers.length === 0) return [];
  const known = servers.flatMap(({ name, kind }) => (kind === null ? [] : [`${clientName(name)}: {kind: ${kind}}`]));
  const [other] = servers.filter(({ kind }) => kind === null);
  const add =
    known.length === 0
      ? ''
      : ` Modes knows these: add \`servers: {${known.join(', ')}}\` to .claude/modes.yaml if you trust them.`;
  const show = other === undefined ? '' : ` \`modes servers ${other.name}\` shows which tools of ${other.name} only read.`;
  const names = servers.map(({ name }) => name).join(', ');
  return [{ text: `Modes asks about each tool of the MCP servers here (${names}).${add}${show}`, isClosed: false }];
}

/** A fit as lines for a person: what was found, and what is written differently from the preset because of it. */
export function fitLines({ survey, replaced, added, notes, instead }: Fit): string[] {
  const found = surveyLines(survey);
  const changed = [
    ...replaced.map(({ from, to, files }) => `${from} → ${to}  (in ${files.length === 1 ? files[0] : `${files.length} files`})`),
    ...added.flatMap(({ file, texts }) => [file, ...[...new Set(texts)].map((text) => `  + ${text}`)]),
  ];
  return [
    ...(found.length === 0
      ? ['Nothing was found here that shows how the project is tested or built.']
      : ['Found in this project:', ...found.map((line) => `  ${line}`)]),
    ...(changed.length === 0 ? [] : ['The preset is fitted to it:', ...changed.map((line) => `  ${line}`)]),
    ...notes,
    ...(instead === null ? [] : [`modes init --preset ${instead} writes the same modes, with gates in words.`]),
  ];
}

/** A fit in few words, for a dialog that shows three rows: what was found, and what the preset cannot do. Ends with a blank. */
export function fitSummary({ survey, notes, instead }: Fit): string {
  const test = commandOf(survey, 'test');
  const found = [
    ...survey.managers.map(({ name }) => name),
    ...(test === null ? [] : [test.text]),
    ...survey.tests.map(({ glob }) => glob).slice(0, mostShown),
  ];
  return [
    found.length === 0 ? 'Nothing was found that shows how it is tested.' : `Found: ${found.join(', ')}.`,
    ...notes,
    ...(instead === null ? [] : [`The preset ${instead} has the same modes, with gates in words.`]),
    '',
  ].join(' ');
}

/** Most globs of test files in a summary. */
const mostShown = 3;
