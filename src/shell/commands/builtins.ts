// Shell builtins and their effects on the shell itself.
import type { NamePart, Outline } from '../../model/command.ts';
import type { Arg } from '../arg.ts';
import { checkAssignment } from '../assignments.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { openedInput } from '../inputs.ts';
import { type Given, has, type OptionTable, option } from '../options.ts';
import { HASH } from '../outputs.ts';
import { among, areNumbers, limited, type NameSearch, partlyKnown } from '../possible-names.ts';
import { printf as printed } from '../printed.ts';
import { ANYTHING, anyItems, arrayValue, COUNT, INTEGER, namesOf, readonlyValue, uncertain, type Value } from '../state.ts';
import { changeFolder } from '../targets.ts';
import { homeOf, parametersOf, valueOfWord } from '../words.ts';

const NAME = /^[A-Za-z_]\w*$/;

/** Options of `set -o` and `sh -o` that do not change how words are read. */
export const SHELL_OPTIONS = /^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber|errtrace|posix|noexec)$/;

/** zsh evaluates these operands as arithmetic, including commands in subscripts. */
function isNumber(arg: Arg): boolean {
  return arg.int || /^[-+]?\d+(?:\.\d+)?$/.test(arg.literal ?? '');
}

/** The number in a word. */
const counts = (arg: Arg): Value => (arg.vanishes ? COUNT : INTEGER);

function counted(call: CommandCall) {
  for (const a of call.rest)
    if (!isNumber(a)) call.evaluates(`some shells evaluate the operand of ${call.name} as arithmetic`, a);
}

function changeDirectory(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix', 'digits']);
  const before = call.state.cwds;
  const to = given.operands[0];
  const isPlain = !isSet(call, 'CDPATH');
  const isBack = to?.literal === '-' || /^[+-]\d+$/.test(to?.literal ?? '');
  let after: readonly string[] | null;
  if (given.problem || given.flaggy || given.operands.length > 1 || !isPlain || has(given, 'n')) after = null;
  else if (!to) after = call.name === 'cd' && !isSet(call, 'HOME') ? [call.host.home] : null;
  else if (isBack) after = null;
  else {
    const isPhysical = has(given, 'P');
    const enter = (text: string) =>
      text === '' ? before : isPhysical && text.includes('..') ? null : changeFolder(text, before);
    after = to.literal !== null ? enter(to.literal) : unionOf(textsOf(call, to)?.map(enter));
  }
  const failed = call.state.copy();
  // Each time a long path becomes longer, the whole path is processed again.
  if (after !== null && !call.host.look(after.join('').length / 8, call.at)) after = null;
  if (after !== null) call.state.cwds = after;
  // The limit is exceeded, so the call as a whole counts as not understood.
  else if (!call.host.look(lengthOf(call.state.candidateFolders) / 8, call.at)) call.state.loseFolder([]);
  else if (!isBack && isPlain && to?.literal != null && before === null) call.state.loseFolder(call.foldersNamed(to));
  else {
    const all = call.state.loseFolder([...(isBack ? [] : candidatesOf(call, to)), ...foldersBefore(call)]);
    if (!all) call.state.taint ??= 'it runs in one of more folders than Modes follows';
  }
  call.failure = failed;
}

/** All texts that the word of `cd` may have; null: unknown. A word that is not quoted may be empty and then leads home. */
function textsOf(call: CommandCall, { several, texts, found }: Arg): readonly string[] | null {
  if (!several && texts !== null) return texts;
  if (found?.isAll !== true || !found.names.every(({ how }) => how === 'one') || isSet(call, 'HOME')) return null;
  return ['', call.host.home, ...found.names.map(({ text }) => text)];
}

/** null: one of them is unknown. */
function unionOf(folders: readonly (readonly string[] | null)[] | undefined): readonly string[] | null {
  return folders?.every((one) => one !== null) ? [...new Set(folders.flat())] : null;
}

/** True if a variable is set in the shell, or for this command only: `CDPATH=src cd lib`. */
const isSet = ({ state, prefix }: CommandCall, name: string) => state.has(name) || prefix.some((one) => one.name === name);

/** Folders that `cd` may enter: by a partly known word, through CDPATH, or the home folder if there is no word. */
function candidatesOf(call: CommandCall, to: Arg | undefined): Outline[] {
  const given = (name: string, before: Value) => call.prefix.findLast((one) => one.name === name)?.value ?? before;
  const homes = given('HOME', homeOf(call.state, call.host));
  if (to === undefined) return namesIn(homes).flatMap((home) => call.foldersNamed(call.args[0]!.as(home)));
  const above = namesIn(given('CDPATH', call.state.get('CDPATH'))).flatMap((list) => list.split(':'));
  const below = above.map((folder) => `${folder || '.'}/${to.value ?? ''}`);
  return [...call.foldersNamed(to), ...below.flatMap((folder) => call.foldersNamed(call.args[0]!.as(folder)))];
}

function lengthOf(folders: readonly Outline[]): number {
  let length = 0;
  for (const folder of folders) for (const piece of folder) length += piece.length;
  return length;
}

const namesIn = (value: Value): string[] => (namesOf(value)?.names ?? []).map(({ text }) => text);

/** The folders where the shell may be now, and those where it was. */
function foldersBefore({ state, host }: CommandCall): Outline[] {
  return [...state.candidateFolders, ...[...host.visited].map((folder) => [folder])];
}

/** Builtins that take names of variables with optional values. */
function declare(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  if (given.problem) call.unknown(`${call.name} ${given.problem.text}`, given.problem.arg);
  if (given.flaggy) call.unknown(`${given.flaggy.text} may become an option of ${call.name}`, given.flaggy);
  if (has(given, 'f') && call.name === 'export') call.unknown('exports a function to other programs');
  if (has(given, 'i')) call.unknown(`${call.name} -i changes what later assignments mean`);
  // A reference to another variable, or another case: later values are not the text that is assigned.
  const odd = call.name === 'export' ? undefined : given.options.find((o) => /^[nlu]$/.test(o.name));
  if (odd) call.anything(`${call.name} ${odd.flag} changes the values of later assignments`, odd.arg);
  const own = call.name === 'local' || ((call.name === 'declare' || call.name === 'typeset') && !has(given, 'g'));
  if (has(given, 'F') && given.operands.some((o) => o.lead.includes('=') || o.literal === null))
    call.unknown(`${call.name} -F evaluates values as arithmetic in some shells`);
  const isReadonly = call.name === 'readonly' || has(given, 'r');
  const isInteger = has(given, 'i');
  const isAssociative = has(given, 'A') && call.name !== 'readonly';
  for (const arg of given.operands) {
    const text = arg.value ?? arg.lead;
    const m = /^([A-Za-z_]\w*)(\+?)(=)/.exec(text);
    const named = m?.[1] ?? arg.literal;
    if (isInteger && named !== null) call.host.markInteger(named);
    // A program may read a file that the variable names.
    if (!m && named !== null && (call.name === 'export' || has(given, 'x')))
      call.opaque(...(call.state.get(named).texts ?? []).map((text) => call.args[0]!.as(text)));
    if (m) {
      const assigned = m[2] ? ANYTHING : (arg.holds ?? (arg.int ? counts(arg) : valueOfWord(arg.after(m[0].length))));
      const value: Value = isInteger && !assigned.texts?.every((text) => /^(?:0|[1-9]\d*)$/.test(text)) ? INTEGER : assigned;
      if (has(given, 'i', 'n')) call.host.runEvaluated(assigned.texts ?? [], arg, call.state);
      if (arg.many) call.unknown('the number of the words that follow is unknown', arg);
      if (arg.literal?.slice(m[0].length).startsWith('(')) call.unknown(`${call.name} evaluates the words of an array`, arg);
      if (own) call.host.markLocal(m[1]!);
      setVariable(
        call,
        m[1]!,
        isReadonly ? readonlyValue(value) : isAssociative && isNew(call, m[1]!) ? { ...value, attribute: 'associative' } : value,
        call.name === 'export' || has(given, 'x') ? 'export' : 'plain',
        arg,
      );
    } else if (arg.literal !== null && NAME.test(arg.literal)) {
      if (own) call.host.markLocal(arg.literal);
      if (call.name === 'export' || has(given, 'x')) setVariable(call, arg.literal, call.state.get(arg.literal), 'export', arg);
      else
        call.state.set(
          arg.literal,
          isReadonly
            ? readonlyValue(call.state.get(arg.literal))
            : isAssociative && isNew(call, arg.literal)
              ? { ...ANYTHING, attribute: 'associative' }
              : uncertain(call.state.get(arg.literal)),
        );
    } else call.evaluates(`${call.name} with an unknown name`, arg);
  }
}

/** An indexed array remains indexed, even if it is declared as associative. */
function isNew({ state }: CommandCall, name: string): boolean {
  return !state.has(name) || state.get(name).attribute === 'associative';
}

function setVariable(call: CommandCall, name: string, value: Value, how: 'plain' | 'export', arg: Arg) {
  const verdict = checkAssignment(name, value, how);
  if (verdict.taint) call.unknown(verdict.taint, arg);
  // `export NAME` alone does not change the value.
  if (how === 'plain' || arg.literal !== name || call.state.has(name))
    call.host.assigned(name, value, arg, call.state, call.entry);
  if (how === 'export' && !verdict.safe && !verdict.known) call.state.envTaint ??= `${name} is exported to other programs`;
  call.state.set(name, value);
}

/** The names with the parts into which `IFS=:` and `read -d :` split them. */
function fieldsOf(call: CommandCall, { options }: Given, nameSearch: NameSearch | null): NameSearch | null {
  const isCut = options.some(({ name }) => name === 'n' || name === 'N');
  const own = call.prefix.find(({ name }) => name === 'IFS')?.value ?? (call.state.has('IFS') ? call.state.get('IFS') : null);
  const ends = options.flatMap(({ name, value }) => (name === 'd' ? [value?.literal ?? null] : []));
  if (nameSearch === null || (own === null && ends.length === 0 && !isCut)) return nameSearch;
  const texts = own === null ? [''] : own.texts;
  if (isCut || texts === null || ends.includes(null)) return { ...nameSearch, isAll: false, isListed: false };
  const separators = new Set([...texts, ...ends].join(''));
  const names = nameSearch.names.flatMap((name): readonly NamePart[] => {
    const cuts = [...name.text].flatMap((char, at) => (separators.has(char) ? [at] : [])).slice(0, MOST_FIELDS);
    // A field ends at any separator, or contains the rest.
    const starts = [0, ...cuts.map((at) => at + 1)];
    return starts.flatMap((start) =>
      [...cuts, name.text.length].flatMap((end) => (end > start ? [{ ...name, text: name.text.slice(start, end) }] : [])),
    );
  });
  return { ...nameSearch, names: limited(names) };
}

/** Most separators that are followed in one name. These already give more names than the limit. */
const MOST_FIELDS = 40;

function names(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  if (has(given, 'u')) call.stdin = openedInput(call.host.effects.opened);
  const nameSearch = fieldsOf(call, given, call.inputNames());
  // Any part of a number is a number or empty.
  const isCount = nameSearch !== null && areNumbers(nameSearch) && given.options.every(({ name }) => name === 'r');
  // A part of an object name never begins with a dash either.
  const hasObjects = call.name === 'read' && call.stdin.kind === 'pipe' && call.stdin.hasObjects === true;
  const kind = isCount ? COUNT : hasObjects ? HASH : ANYTHING;
  const value: Value = nameSearch ? { ...kind, found: nameSearch } : kind;
  call.accept(given);
  call.roles(given);
  for (const o of given.options) {
    if (/^[tnNu]$/.test(o.name) && o.value && !isNumber(o.value))
      call.evaluates(`some shells evaluate the value of ${call.name} ${o.flag} as arithmetic`, o.value);
    if (o.name !== 'a') continue;
    if (o.value?.literal == null || !NAME.test(o.value.literal))
      call.evaluates(`${call.name} -a with an unknown name`, o.value ?? o.arg);
    else setVariable(call, o.value.literal, arrayValue([value], false), 'plain', o.arg);
  }
  for (const arg of given.operands) {
    if (arg.literal === null || !NAME.test(arg.literal)) call.evaluates(`${call.name} evaluates a subscript in its operand`, arg);
    else setVariable(call, arg.literal, call.name === 'read' ? value : arrayValue([value], false), 'plain', arg);
  }
  if (given.operands.length === 0 && call.name === 'read') call.state.set('REPLY', value);
  if (given.operands.length === 0 && call.name !== 'read') call.state.set('MAPFILE', arrayValue([value], false));
}

const NUMERIC = /%[^%a-zA-Z]*(?:\*|[hlLqjzt]*[diouxXeEfFgGaA])/;
const CONVERSION = /%%|%[^%a-zA-Z]*[hlLqjzt]*[a-zA-Z]/g;

function printf(call: CommandCall) {
  repeats(call);
  const first = call.rest[0];
  if (first?.literal === '-v') {
    const name = call.rest[1]?.literal;
    if (name == null || !NAME.test(name)) call.evaluates('printf -v evaluates a subscript in the name', call.rest[1] ?? first);
    else setVariable(call, name, printed(call, call.rest.slice(2)), 'plain', first);
    return;
  }
  if (first && first.literal === null && (first.many || first.lead === '' || first.lead.startsWith('-'))) {
    call.unknown('the format of printf may become -v, which evaluates a name', first);
  } else if (first?.literal?.startsWith('-v')) call.unknown('printf -v evaluates a subscript in the name', first);
  const rest = first?.literal === '--' ? call.rest.slice(1) : call.rest;
  const format = rest[0]?.literal ?? '%d';
  const conversions = (format.match(CONVERSION) ?? []).filter((c) => c !== '%%');
  if (conversions.some((c) => c.endsWith('n'))) call.unknown('%n of printf sets the variable that it names', rest[0]);
  // zsh evaluates the arguments of %d and similar conversions as arithmetic.
  if (!NUMERIC.test(format)) return;
  const kinds = conversions.flatMap((c) => [...c.replace(/[^*a-zA-Z]|[hlLqjzt](?=[a-zA-Z])/g, '')]);
  const values = rest.slice(1);
  const many = values.findIndex((a) => a.several);
  // `%2$d` prints the second value.
  const isAnyOrder = /%\d+\$/.test(format);
  values.forEach((a, i) => {
    const numeric = isAnyOrder || (many >= 0 && many < i) || /[*diouxXeEfFgGaA]/.test(kinds[i % kinds.length] ?? 'd');
    if ((numeric || a.several) && !isNumber(a) && !(a.literal !== null && /^(?:['"].|0x[\da-fA-F]+|)$/.test(a.literal)))
      call.evaluates('some shells evaluate the operands of printf %d as arithmetic', a);
  });
}

function set(call: CommandCall) {
  const rest = call.rest;
  let i = 0;
  for (; i < rest.length; i++) {
    const text = rest[i]!.literal;
    if (text === null) {
      if (rest[i]!.many || rest[i]!.lead === '') call.unknown('set with unknown options', rest[i]);
      break;
    }
    if (text === '--') {
      i++;
      break;
    }
    if (!/^[-+]/.test(text)) break;
    // Other letters have other meanings in other shells, for example `-A` is an assignment.
    if (!/^[-+][Eeuxvfn]*o?$/.test(text)) call.unknown(`set ${text} is not understood`, rest[i]);
    if (text.endsWith('o')) {
      const name = rest[++i]?.literal;
      if (name != null && !SHELL_OPTIONS.test(name)) call.unknown(`set -o ${name} is not understood`, rest[i]);
    }
  }
  if (i < rest.length || rest.some((a) => a.literal === '--')) {
    const values = rest.slice(i);
    call.state.positional = parametersOf(values);
  }
}

function runEval(call: CommandCall) {
  const rest = call.rest[0]?.literal === '--' ? call.rest.slice(1) : call.rest;
  if (rest.length === 0) return;
  if (rest.some((a) => a.literal === null)) {
    for (const arg of rest.filter((a) => a.literal === null)) call.runsUnknownText('eval runs an unknown text', arg);
    call.host.runText(rest.map((a) => a.literal ?? '').join(' '), rest[0]!, call.state.copy());
    call.state.forgetVariables();
    call.state.cwds = null;
    return;
  }
  call.state.assigned(call.prefix);
  call.host.runText(rest.map((a) => a.literal).join(' '), rest[0]!, call.state);
}

/** The script of a Python environment. It puts the programs of the environment first on PATH, and stays in the folder. */
const ACTIVATION = /^(?!\/|.*\.\.)(?:\.\/)?[\w./-]+\/bin\/activate$/;

/** Scripts of version managers in the home folder, where a person put them. They define one function of their own, or change PATH. */
const MANAGERS = ['.nvm/nvm.sh', '.cargo/env', '.asdf/asdf.sh', 'miniconda3/etc/profile.d/conda.sh'];

function selectsVersions(call: CommandCall, { literal }: Arg): boolean {
  const [, ...more] = call.rest;
  if (more.length === 0 && ACTIVATION.test(literal ?? '')) return true;
  const isPlain = more.length === 0 || (more.length === 1 && more[0]?.literal === '--no-use');
  return isPlain && MANAGERS.some((name) => literal === `${call.host.home}/${name}`);
}

function source(call: CommandCall) {
  const file = call.rest[0];
  call.state.forgetVariables();
  if (file && selectsVersions(call, file)) {
    call.read(file, call.name);
    call.tag('checks');
    return call.is('runs', `${call.name} selects the environment of ${file.literal}`, file);
  }
  call.state.cwds = null;
  if (file) call.read(file, call.name);
  if (file) call.scriptFile(file, call.state.copy());
  else call.unknown(`${call.name} runs an unknown file`);
  call.state.taint ??= `${call.name} may have redefined commands`;
}

function none(text: string) {
  return (call: CommandCall) => call.unknown(`${call.name} ${text}`);
}

function quiet() {
  // Nothing to report, because the words are only text.
}

/** A text as a name, and also each of its lines and words as a name. */
function namesInText(text: string): NamePart[] {
  const lines = text.split(/\n|\\[n0]/);
  const words = /[\s\\]/.test(text) ? [...lines, ...lines.flatMap((line) => line.split(/\s+/))] : [text];
  return [...new Set(words)].filter(Boolean).map((name) => ({ text: name, how: 'one' }));
}

/** The words are only text. A later command may use them as names when they are printed. */
function repeats(call: CommandCall) {
  for (const a of call.rest) {
    if (a.found) call.lists(...a.found.names);
    if (a.value === null && a.texts === null) call.lists(...partlyKnown(a.outlines));
    if (a.found) continue;
    if (a.pattern && a.value !== null) call.lists({ text: a.value, how: 'glob' });
    else for (const text of a.value === null ? (a.texts ?? []) : [a.value]) call.lists(...namesInText(text));
  }
}

export const builtins: CommandEntry[] = [
  { names: ': true false', handle: quiet, examples: { ': anything': 'read-only' } },
  { names: 'echo', handle: repeats, examples: { 'echo -n $x *': 'read-only' } },
  { names: 'printf', handle: printf, examples: { "printf '%s\\n' a": 'read-only', "printf -v 'a[$(touch x)]' y": 'unknown' } },
  { names: 'test [', handle: test, examples: { '[ -f a ]': 'read-only', "test -v 'a[$(touch pwned)]'": 'unknown' } },
  { names: 'cd pushd', options: '-LPe@n', handle: changeDirectory },
  {
    names: 'popd',
    handle: (call) => {
      call.failure = call.state.copy();
      call.state.loseFolder(foldersBefore(call));
    },
  },
  { names: 'pwd', options: '-LP', operands: 'none' },
  { names: 'dirs', options: '-clpv', operands: 'text' },
  { names: 'type', options: '-afptP', operands: 'text', traits: ['any-option'] },
  { names: 'export', options: '-fnp', handle: declare },
  { names: 'readonly', options: '-aAfp', handle: declare },
  { names: 'declare typeset', options: '-aAfFgIilnprtux', handle: declare },
  { names: 'local', options: '-aAgIilnprtux', handle: declare },
  {
    names: 'unset',
    options: '-fvn',
    handle: (call, t) => {
      const given = call.parse(t, ['posix']);
      call.accept(given);
      for (const a of given.operands) {
        if (a.literal === null || !NAME.test(a.literal)) call.evaluates('unset evaluates a subscript in its operand', a);
        else {
          const verdict = checkAssignment(a.literal, ANYTHING, 'plain');
          if (verdict.taint && !/^(?:GIT|NODE|NPM|PYTHON)/.test(a.literal)) call.unknown(verdict.taint, a);
          call.state.set(a.literal, ANYTHING);
          call.state.doubt(a.literal);
        }
      }
    },
  },
  { names: 'read', options: '-ers -a: -d: -i: -n: -N: -p: -t: -u:', handle: names },
  { names: 'mapfile readarray', options: '-t -d: -n: -O: -s: -u: -C: -c:', handle: mapfile },
  {
    names: 'getopts',
    handle(call) {
      const [, name, ...words] = call.rest;
      if (name?.literal && NAME.test(name.literal)) setVariable(call, name.literal, ANYTHING, 'plain', name);
      else call.unknown('getopts with an unknown name');
      const given = words.length > 0 ? words.map(valueOfWord) : (call.state.positional?.values ?? []);
      const texts = given.flatMap((value) => value.texts ?? []).flatMap((text) => [text, text.slice(2)]);
      call.state.set('OPTARG', {
        ...ANYTHING,
        found: among(texts.filter(Boolean).map((text) => ({ text, how: 'one' }))) ?? undefined,
      });
    },
  },
  {
    names: 'let',
    handle: (call) => {
      for (const a of call.rest) {
        const m = /^([A-Za-z_]\w*)(?:\+\+|--|([-+*]?)=(\d+))$/.exec(a.literal ?? '');
        if (m && (m[2] === '' ? m[3] : call.state.get(m[1]!).int)) setVariable(call, m[1]!, INTEGER, 'plain', a);
        else call.evaluates('let evaluates text as arithmetic', a);
      }
    },
  },
  { names: 'set', handle: set },
  {
    names: 'shift',
    handle: (call) => {
      counted(call);
      const { positional } = call.state;
      const by = call.rest.length === 0 ? 1 : Number(call.rest[0]!.literal ?? Number.NaN);
      if (positional !== null)
        call.state.positional =
          positional.isExact && Number.isInteger(by)
            ? { values: positional.values.slice(by), isExact: true }
            : anyItems(positional.values);
    },
  },
  {
    names: 'shopt',
    options: '-supqo',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      const fine =
        /^(?:nullglob|globstar|dotglob|nocasematch|failglob|lastpipe|extglob|inherit_errexit|pipefail|errexit|nounset)$/;
      for (const a of given.operands) {
        if (/^(?:autocd|cdable_vars|cdspell|dirspell)$/.test(a.literal ?? ''))
          call.anything(`${a.text} changes where cd leads`, a);
        else if (!fine.test(a.literal ?? '')) call.unknown(`shopt ${a.text} is not understood`, a);
      }
    },
  },
  {
    names: 'exit logout',
    handle: (call) => {
      counted(call);
      call.ends = 'shell';
    },
  },
  {
    names: 'return break continue',
    handle: (call) => {
      counted(call);
      call.ends = 'loop';
    },
  },
  {
    names: 'wait',
    options: '-nf -p:',
    operands: 'text',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      const name = option(given, 'p')?.value;
      if (name) call.evaluates('wait -p sets a variable and evaluates a subscript in its name', name);
    },
    examples: { 'wait -n': 'read-only', 'wait -n -p pid': 'unknown' },
  },
  { names: 'jobs', options: '-lnprs', operands: 'text' },
  { names: 'times caller', operands: 'none' },
  {
    names: 'hash',
    options: '-lrt',
    handle: (call, t) => {
      const given = call.parse(t);
      for (const a of call.rest) if (/^-[lrt]*p/.test(a.lead)) call.anything('hash -p changes what a name means', a);
      call.accept(given);
      for (const o of given.operands)
        if (o.lead.includes('=') || o.literal === null) call.unknown('hash NAME=PATH changes the program of a name', o);
    },
  },
  { names: 'umask', options: '-pS', operands: 'text' },
  {
    names: 'ulimit',
    options: '-HSabcdefiklmnpqrstuvxPRT',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      if (given.operands.length > 0 || given.problem !== null) call.host.effects.isLimited = true;
    },
  },
  { names: 'alias', options: '-p', handle: alias },
  { names: 'trap', handle: trap },
  {
    names: 'history',
    // A number limits the output to the last lines. Any other word is an option or an error.
    handle: (call) => {
      const [count, more] = call.rest;
      if (count && (more || !/^\d+$/.test(count.literal ?? ''))) call.unknown('history with unrecognized arguments', count);
    },
    examples: { 'history 20': 'read-only', 'history -c': 'unknown', 'history $x': 'unknown', 'history 5 -c': 'unknown' },
  },
  { names: 'help', options: '-dms', operands: 'text' },
  { names: 'eval', handle: runEval },
  {
    names: 'source .',
    handle: source,
    examples: {
      'source venv/bin/activate && pytest': 'runs',
      '. ~/.nvm/nvm.sh && nvm use && npm test': 'runs',
      'source ~/.nvm/nvm.sh --no-use': 'runs',
      '. ./nvm.sh && npm test': 'unknown',
      'HOME=$X; . ~/.nvm/nvm.sh && npm test': 'unknown',
      '. ~/.nvm/../x/nvm.sh && npm test': 'unknown',
      '. ~/.nvm/nvm.sh install && npm test': 'unknown',
    },
  },
  { names: 'exec', options: '-cl -a:', handle: exec },
  { names: 'command', options: '-pvV', handle: command },
  {
    names: 'builtin',
    handle: (call) => {
      call.skipFunctions = true;
      if (call.rest.length > 0) call.unwrap(call.rest);
    },
    traits: ['wrapper'],
  },
  {
    names: 'compgen',
    options: '-abcdefgjksuv -A: -C: -F: -W: -o: -G: -P: -S: -X:',
    handle: compgen,
    examples: { 'compgen -A function x': 'read-only', "compgen -W '$(rm x)'": 'unknown', "compgen -C 'rm x'": 'unknown' },
  },
  { names: 'complete bind fc', handle: registers, examples: { "complete -C 'rm x' y": 'unknown' } },
  {
    names:
      'compopt enable bg fg disown suspend emulate autoload zmodload zcompile setopt unsetopt repeat coproc functions unfunction unhash rehash zle bindkey vared print',
    handle: none('changes the shell or is not Bash'),
  },
];

function mapfile(call: CommandCall, t: OptionTable) {
  names(call, t);
  const callback = option(call.parse(t, ['posix']), 'C');
  if (callback?.value) {
    call.unknown('mapfile -C runs a command for the lines that it reads', callback.arg);
    call.later(callback.value);
  }
}

/** Lists words. Danger: -C and -F run a command, and -W expands its value. */
function compgen(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  for (const { name, value, flag, arg } of given.options) {
    if (!/^[CFW]$/.test(name) || !value) continue;
    call.unknown(`compgen ${flag} runs commands`, arg);
    call.later(name === 'W' && value.literal !== null ? value.as(`: "${value.literal.replace(/"/g, '')}"`) : value);
  }
}

/** Stores commands that run later: for a key, for a completion, or as an editor. */
function registers(call: CommandCall) {
  call.unknown(`${call.name} changes the shell or is not Bash`);
  for (const word of call.rest) {
    const text = word.literal ?? '';
    // The command comes after the key, in the notation of readline.
    const bound = /^\s*"(?:[^"\\]|\\.)*"\s*:\s*"?(.*?)"?$/s.exec(text)?.[1];
    if (bound !== undefined) call.later(word.as(bound));
    else if (/\s/.test(text)) call.later(word);
  }
}

function alias(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  if (given.problem || given.flaggy) call.unknown('alias with unrecognized options');
  for (const a of given.operands) {
    if (a.literal === null || a.literal.includes('=')) {
      call.anything('an alias changes the meaning of later words', a);
      if (a.literal !== null) call.later(a.as(a.literal.slice(a.literal.indexOf('=') + 1)));
      call.state.taint ??= 'an alias may have changed its meaning';
    }
  }
}

function trap(call: CommandCall) {
  const rest = call.rest[0]?.literal === '--' ? call.rest.slice(1) : call.rest;
  if (
    rest.length === 0 ||
    rest[0]!.literal === '-p' ||
    rest[0]!.literal === '-l' ||
    rest[0]!.literal === '-' ||
    rest[0]!.literal === ''
  )
    return;
  // For other signals, the trap runs between later commands and may change the folder for them.
  if (!rest.slice(1).every((a) => /^(?:SIG)?(?:EXIT|0|INT|TERM|HUP|QUIT|PIPE)$/.test(a.literal ?? '')))
    call.unknown('the trap may run between any commands that follow', rest[0]);
  call.later(rest[0]!);
}

function exec(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  call.accept({ ...given, flaggy: given.operands[0] === given.flaggy ? null : given.flaggy });
  if (given.operands.length === 0) {
    const { stdin } = call;
    if (stdin.kind === 'file' || (stdin.kind === 'text' && stdin.text !== ''))
      call.unknown('exec changes what later commands read from standard input');
    return;
  }
  // Many programs depend on the name that starts them.
  if (has(given, 'a')) call.unknown('exec -a runs a program under another name');
  call.external = true;
  const entry = call.host.effects.commands[call.entry];
  if (entry) entry.top = false;
  call.unwrap(given.operands);
  call.ends = 'shell';
}

function command(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  if (given.problem) call.unknown(`command ${given.problem.text}`, given.problem.arg);
  if (has(given, 'v') || has(given, 'V')) return;
  if (given.operands.length === 0) return;
  call.skipFunctions = true;
  call.unwrap(given.operands);
}

const COMPARES = /^-(?:eq|ne|lt|le|gt|ge)$/;

/**
 * `[ … ]` and `test`. Danger: -v evaluates subscripts, and zsh reads the operands of -t, -eq, and similar operators as
 * arithmetic.
 */
function test(call: CommandCall) {
  const words = call.name === '[' ? call.rest.slice(0, -1) : call.rest;
  const integer = (a: Arg | undefined) =>
    a !== undefined && (a.int || a.shape?.kind === 'count' || /^-?\d+$/.test(a.literal ?? ''));
  words.forEach((arg, i) => {
    const next = words[i + 1];
    if (arg.literal === '-v' || arg.literal === '-R') {
      if (next && (next.literal === null || !/^\w+$/.test(next.literal)))
        call.evaluates('test -v evaluates a subscript in its operand', next);
    } else if (arg.literal === '-t') {
      if (next && !integer(next)) call.evaluates('some shells evaluate the descriptor of test -t as arithmetic', next);
    } else if (COMPARES.test(arg.literal ?? '')) {
      // With only one other word, nothing is compared.
      if (words.length > 2 && !(integer(words[i - 1]) && integer(next)))
        for (const side of [words[i - 1], next])
          if (side && !integer(side)) call.evaluates(`some shells evaluate what test ${arg.literal} compares`, side);
    } else if (arg.literal === null && !arg.int && arg.lead === '') {
      // It may expand to -v or -eq.
      if (arg.many || arg.pattern) call.unknown('an unquoted expansion inside [ ] may become -v', arg);
      else if (next && (next.literal === null || /[[(`$]/.test(next.literal)) && !integer(next))
        call.unknown('an unknown word may become -v', arg);
    }
  });
}
