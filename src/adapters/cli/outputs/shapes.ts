// Shapes that the outputs of several verbs share.
import {
  about,
  dictionary,
  flag,
  type JsonSchema,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
} from '../../../config/json-schema.ts';
import { INPUT_SCHEMA } from '../../../policy/schemas.ts';

export const TIME = about('ISO 8601, UTC.', text);
export const ANSWER = oneOf('deny', 'ask', 'allow', 'pass');
export const EFFECT = oneOf('allow', 'ask', 'deny');
export const MODE = about('null: it is not known.', nullable(text));
export const DECISION_ID = about('Id of a decision: modes explain ID tells more.', text);
export const PROJECT = about('Absolute.', text);

const PLACE = { file: about('Relative to the project, else absolute.', text), line: number, column: number };

export const PROBLEM = object({
  code: about('One of docs/errors.md.', text),
  severity: oneOf('error', 'warning'),
  message: text,
  remedy: about('What a person can do about it.', text),
  'file?': PLACE.file,
  'line?': about('From 1.', number),
  'column?': about('From 1.', number),
  'length?': about('Characters that the caret underlines.', number),
  'lineText?': about('The text of the line.', text),
});
export const PROBLEMS = list(PROBLEM);

/** Counts of problems. */
export const PROBLEM_LIST = {
  ok: about('There is no error.', flag),
  errors: number,
  warnings: number,
  problems: PROBLEMS,
};

export const ERROR = about(
  'Why there is no answer.',
  object({
    message: text,
    'code?': about('One of docs/errors.md.', text),
    'remedy?': about('What a person can do about it.', text),
    'problems?': about('Everything that is wrong with the configuration.', PROBLEMS),
  }),
);

export const FINDING = object({
  code: { ...text, pattern: '^F_[A-Z_]+$' },
  severity: oneOf('error', 'warning'),
  file: about('What is spoken of: a file, a folder, a program.', text),
  line: about('From 1; 1 where the place is not known.', number),
  column: number,
  what: text,
  means: text,
  remedy: text,
});

export const LAYER = object({ layer: oneOf('managed', 'user', 'project'), folder: text, files: list(text) });
export const CONTEXT = object({
  characters: number,
  limit: number,
  left: about('Characters of the instructions that do not fit.', number),
});

const RULE = {
  id: text,
  effect: EFFECT,
  text: about('As written.', text),
  matched: about('What of the call met it.', text),
  source: object(PLACE),
  'note?': text,
};
/** A rule that matched, with its line in the file. */
export const SHOWN_RULE = object({
  ...RULE,
  decided: flag,
  line: about(
    'null: the file is another one by now, or cannot be read.',
    nullable(object({ text, column: number, length: number })),
  ),
});

const DECIDED = {
  decision_id: text,
  decision: ANSWER,
  mode: MODE,
  tool: text,
  by: about(
    'The step of the order that decided.',
    oneOf('rule', 'protection', 'uncertainty', 'default', 'open', 'policy', 'bound', 'trouble', 'call', 'fault'),
  ),
  rules: about('Rules that decided.', list(object(RULE))),
  also: about('Rules that matched and did not decide.', list(object(RULE))),
  policies: about(
    'What custom policies said, of whatever effect; a log of before has no `effect`.',
    list(object({ name: text, 'effect?': EFFECT, file: text, line: number, reason: text })),
  ),
  protections: about('Built-in protections; `on` is what met them.', list(object({ name: text, on: text }))),
  reason: text,
  remedy: text,
  'advice?': about('What rules that only advise say against it.', text),
  'grants?': about('Grants that it needed.', list(object({ id: text, counted: flag }))),
  'evaluator?': about(
    'Who gave the verdict, where teams.yaml names an OPA server.',
    object({
      by: oneOf('opa', 'local', 'both'),
      server: about('Address of the server.', text),
      'note?': about('Why the server did not count, or what the two said that differ.', text),
    }),
  ),
  bundle: about('Hash of the policy; null: there is none.', nullable(text)),
  took_us: about('Microseconds.', { type: 'number', minimum: 0 }),
};

const { $schema: _, $id, title: __, ...facts } = INPUT_SCHEMA;
export const FACTS: JsonSchema = about(`As ${$id}; null: the call could not be read.`, nullable(facts));
/** A decision with the facts that it is based on. */
export const DECISION = object({ ...DECIDED, facts: FACTS });
/** A decision as the log stores it. */
export const RESULT = object(DECIDED);

const CLASS = oneOf('read-only', 'writes', 'runs', 'unknown');
const ARGV = about('The words; null for one whose value is not known.', list(nullable(text)));
const WHY = list(object({ text, pos: about('Offset in the command, UTF-16.', number), end: about('Exclusive.', number) }));
const LOADS = about(
  'The class holds only while none of these files is there.',
  list(object({ files: list(text), folders: list(text) })),
);
const TARGET = {
  path: about('Absolute.', text),
  extent: about('This path, everything below it too, or a pattern.', oneOf('one', 'deep', 'glob')),
  via: about('How: `sed -i`, `>`.', text),
  command: about('Index into commands.', number),
  'listing?': about('Only names are listed.', flag),
};
const SKIPS = object({
  style: oneOf('rg', 'grep', 'git'),
  hidden: flag,
  ignored: flag,
  globs: list(object({ text, skip: flag, of: oneOf('file', 'folder', 'any') })),
  types: list(text),
  base: nullable(text),
});
const COMMAND = {
  name: text,
  argv: ARGV,
  text,
  class: CLASS,
  network: flag,
  'tags?': about('secrets: it prints credentials, or may.', list(oneOf('secrets'))),
  why: WHY,
  'loads?': LOADS,
};
const ANALYSED = { class: CLASS, network: flag, hosts: list(text), why: WHY };

/** The output of `modes bash` for a command. */
export const BASH = object({
  command: text,
  ...ANALYSED,
  writes: list(object(TARGET)),
  reads: list(object(TARGET)),
  commands: list(object(COMMAND)),
});

const WIDER_TARGET = object({
  ...TARGET,
  'within?': flag,
  'skips?': SKIPS,
  'database?': { anyOf: [flag, oneOf('written')] },
  'arrives?': flag,
  'keeps?': flag,
  'copied?': text,
  'follows?': about('Links below it are followed.', flag),
  'opens?': about('What lies below is named one by one to a program.', flag),
  'link?': about('The path is where a link of this name will lead.', object({ name: text, text })),
  'brings?': about('Links that may appear there.', oneOf('made', 'sources', 'tracked', 'any')),
});
/** All facts of the analyser about a command. */
export const BASH_FACTS = object({
  ...ANALYSED,
  writes: list(WIDER_TARGET),
  reads: list(WIDER_TARGET),
  commands: list(
    object({
      ...COMMAND,
      spellings: list(text),
      top: flag,
      'open?': list(text),
      'opaque?': list(text),
      'named?': list(text),
      'folders?': list(text),
      'cwds?': list(text),
    }),
  ),
  open: about(
    'Paths of which only parts are known before the command runs.',
    list(
      object({
        kind: oneOf('read', 'write'),
        outline: about('The pieces that are certain, with any text between two of them.', list(text)),
        'confined?': about('The unknown part is below the folder that the first piece names.', flag),
        via: text,
        command: number,
      }),
    ),
  ),
  'isOfDisk?': about('It rests on what the disk holds now.', flag),
  'views?': about(
    'What git prints of tracked files.',
    list(
      object({
        folder: text,
        via: text,
        command: number,
        paths: list(text),
        words: list(text),
        without: oneOf('top', 'here'),
        objects: list(text),
        isDeep: flag,
        isOnlyObjects: flag,
        isWorktree: flag,
        isOpen: flag,
      }),
    ),
  ),
  'tracks?': about('A command changes which files git tracks.', flag),
  uncertain: list(object({ command: nullable(number), class: CLASS, why: text, 'anything?': flag })),
  beyond: about('Why the text as a whole must not run; null: it may be judged.', nullable(text)),
});

export const COUNTS = { passed: number, failed: number, skipped: number };
/** Texts by name. */
export const TEXTS = dictionary(text);
