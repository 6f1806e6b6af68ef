// Programs that query JSON, YAML, and databases.
import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { readSql } from '../languages/sql.ts';
import { MISSING } from '../loads.ts';
import { has, type OptionTable } from '../options.ts';

/** A jq program may include files at its beginning. */
const TAKES_IN = /^\s*(?:#[^\n]*\n\s*)*(?:module|import|include)\b/;

/**
 * Operators of one yq that read files or evaluate a text as an expression. After a dash, they are only part of a name if a name
 * comes before the dash.
 */
const OTHER_FILES = /(?<![.\w"']|[\w.]-)(?:(?:str)?load|eval)|(?<![\w.-])\d+-(?:(?:str)?load|eval)/;

/** jq can neither write files nor start programs. Only the words that are files must be known. */
function jq(call: CommandCall, t: OptionTable) {
  const words: typeof call.args = [call.args[0]!];
  const files: typeof call.args = [];
  // Operands before --args are files.
  let rest: number | null = null;
  for (let i = 1; i < call.args.length; i++) {
    const a = call.args[i]!;
    const text = a.literal;
    if (text === '--arg' || text === '--argjson') i += 2;
    else if (text === '--slurpfile' || text === '--rawfile') {
      i += 2;
      if (call.args[i]) files.push(call.args[i]!);
    } else if (text === '--args' || text === '--jsonargs') rest ??= words.length;
    else words.push(a);
  }
  call.args = words;
  const given = call.parse(t);
  // jaq has an option that writes.
  call.accept(given, call.name !== 'jaq');
  call.roles(given);
  const isFile = has(given, 'f', 'from-file');
  const operands = isFile ? given.operands : given.operands.slice(1);
  const program = isFile ? undefined : given.operands[0];
  if (TAKES_IN.test(program?.literal ?? '')) call.unknown('the program includes other files', program);
  const ends = rest === null ? [] : words.slice(rest);
  files.push(...operands.filter((o) => !ends.includes(o)));
  for (const f of files) if (f.literal !== '-') call.read(f, 'jq');
}

function yq(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  let operands = given.operands;
  if (/^(?:e|eval|ea|eval-all)$/.test(operands[0]?.literal ?? '')) operands = operands.slice(1);
  else if (operands[0]?.literal === 'shell-completion') return call.unknown('yq shell-completion is unknown');
  const programs = [...operands, ...given.options.flatMap(({ name, value }) => (name === 'expression' && value ? value : []))];
  for (const o of programs)
    if (OTHER_FILES.test(o.literal ?? '') || TAKES_IN.test(o.literal ?? '')) call.unknown('the expression reads other files', o);
  // The first operand is a file if a file with that name exists.
  const inPlace = has(given, 'i', 'inplace', 'in-place');
  for (const f of operands) {
    if (/^[-.]$/.test(f.literal ?? '')) continue;
    if (inPlace) call.write(f, 'yq -i', { old: 'kept', why: 'yq -i changes its files in place' });
    else call.read(f, 'yq');
  }
}

function sqlite(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['single-dash']);
  call.accept(given);
  const [db, ...statements] = given.operands;
  let isUnderstood = true;
  const fail = (why: string, at?: Arg): void => {
    isUnderstood = false;
    call.unknown(why, at);
  };
  const texts = [...given.options.filter((o) => o.name === 'cmd').map((o) => o.value!), ...statements];
  // The text of --cmd runs before sqlite3 prints its version and exits.
  const tells = has(given, 'version', 'help');
  if (statements.length === 0 && !tells) {
    if (call.stdin.kind === 'text') {
      const problem = readSql(call.stdin.text);
      if (problem) fail(`sqlite3 reads statements that ${problem}`);
    } else fail('sqlite3 runs its standard input');
  }
  for (const s of texts) {
    if (s.literal === null) fail('the statement is unknown', s);
    else {
      const problem = readSql(s.literal);
      if (problem) fail(`the statement ${problem}`, s);
    }
  }
  if (!db || db.literal === ':memory:' || tells) return;
  if (has(given, 'readonly') && !(db.literal ?? 'file:').startsWith('file:')) {
    call.read(db, 'sqlite3', { what: 'database' });
    return;
  }
  if (db.literal === null || /^file:/.test(db.literal)) return call.unknown('the database is unknown', db);
  call.read(db, 'sqlite3', { what: 'written database' });
  if (!isUnderstood) call.write(db, 'sqlite3', { old: 'kept', why: 'sqlite3 may change its database' });
  // Even a query creates the file if it is missing.
  call.loads([MISSING + db.literal]);
}

export const structured: CommandEntry[] = [
  {
    names: 'jq gojq jaq',
    options:
      '-rncseSCMajRghVb0 -f:r -L:l --raw-output --raw-output0 --null-input --compact-output --slurp --exit-status --sort-keys --color-output --monochrome-output --ascii-output --join-output --raw-input --seq --stream --stream-errors --unbuffered --tab --indent: --from-file:r --binary --help --version --yaml-input --yaml-output',
    handle: jq,
    examples: {
      "jq -r '.a | keys[]' x.json": 'read-only',
      'jq --arg a "$b" .x f.json': 'read-only',
      "jq '.include | import_path' f.json": 'read-only',
      'jq -n \'import "a" as $d {search: "./"}; $d\'': 'unknown',
      'jq \'# all\n include "a"; .\' f.json': 'unknown',
      'jq -n $\'# a\\rb\\nimport "a" as $d; $d\'': 'unknown',
    },
  },
  {
    names: 'yq tomlq',
    options:
      '-rycnPCMNejSi --inplace --in-place -o: -p: -I: --raw-output --yaml-output --yaml-roundtrip --compact-output --null-input --prettyPrint --colors --no-colors --no-doc --exit-status --output-format: --input-format: --indent: --tojson --unwrapScalar? --from-file:r --expression: --header-preprocess? --width: --version -V --help -h',
    handle: yq,
    examples: {
      "yq -r '.list[]' data.yaml": 'read-only',
      "yq '.load' f.yaml": 'read-only',
      "yq '.pre-load' f.yaml": 'read-only',
      'yq \'[.a] -load("x")\' f.yaml': 'unknown',
      'yq \'."a"-load("x")\' f.yaml': 'unknown',
      'yq \'0-load("x").n\' f.yaml': 'unknown',
      'yq \'.a = load("x")\' f.yaml': 'unknown',
      'yq \'eval("lo" + "ad(...)")\' f.yaml': 'unknown',
      "yq '.a.eval, .upload' f.yaml": 'read-only',
      'yq --expression \'strload("x")\' f.yaml': 'unknown',
      'yq \'import "a" as $d; $d\' f.yaml': 'unknown',
      'tomlq -r .project.name pyproject.toml': 'read-only',
      "tomlq -i '.a=1' f.toml": 'writes',
      'tomlq -L d .a f.toml': 'unknown',
      "yq -i '.a=1' f.yaml": 'writes',
      "yq --inplace '.a=1' f.yaml": 'writes',
      'yq -i -s .a f.yaml': 'unknown',
      "yq -i '.a=1' $x": 'unknown',
    },
  },
  {
    names: 'sqlite3',
    options:
      '--readonly --csv --json --column --line --list --html --quote --header --noheader --separator: --nullvalue: --newline: --batch --bail --table --box --markdown --tabs --ascii --safe --cmd: --version --help',
    handle: sqlite,
    examples: {
      "sqlite3 -readonly t.db 'select count(*) from t'": 'read-only',
      "sqlite3 t.db 'select 1'": 'writes',
      "sqlite3 t.db 'insert into t values (1)'": 'unknown',
      "sqlite3 $x 'select 1'": 'unknown',
      "sqlite3 file:t.db 'select 1'": 'unknown',
      "sqlite3 -readonly t.db '.shell touch x'": 'unknown',
      "sqlite3 -readonly t.db \"select writefile('x','y')\"": 'unknown',
    },
  },
  {
    names: 'xmllint',
    options:
      '--noout --format --xpath: --html --recover --nonet --noent --huge --valid --shell! --pretty: --encode: --noblanks --c14n --version',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      const taken = given.options.find(({ name }) => /^(?:valid|noent|c14n)$/.test(name));
      if (taken) call.unknown(`xmllint ${taken.flag} reads the files that the document names`, taken.arg);
      // Some of these files are fetched from a server.
      if (taken && !has(given, 'nonet')) call.network();
      for (const o of given.operands) {
        const address = /^file:(?:\/\/(?:localhost(?=\/))?)?/i.exec(o.value ?? o.lead);
        if (address) call.read(o.after(address[0].length), 'xmllint');
        else if (/^[a-z]+:\/\//i.test(o.value ?? o.lead)) call.url(o);
        else if (o.literal !== '-') call.read(o, 'xmllint');
      }
    },
    examples: {
      'xmllint --noout a.xml': 'read-only',
      'xmllint --output f a.xml': 'unknown',
      'xmllint --noent a.xml': 'unknown',
      'xmllint --valid --noout a.xml': 'unknown',
      'xmllint --c14n --nonet a.xml': 'unknown',
    },
  },
];
