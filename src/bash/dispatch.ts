// From words to a judgement: resolves functions, wrappers and commands, one possible reading of the words at a time.
import type { Call } from './call.ts';
import { lookup } from './registry.ts';
import { basename } from './targets.ts';
import type { Arg } from './words.ts';

/** The client strips these before it looks at allow rules. */
const CLIENT_WRAPPERS = new Set(['timeout', 'time', 'nice', 'nohup', 'stdbuf', 'command', 'builtin', 'noglob']);

const MAX_READINGS = 16;

const SYSTEM_FOLDER = /^\/(?:usr\/)?s?bin\/[^/]+$/;

/** Judges a call and fills its entry. */
export function dispatch(call: Call): void {
  const readings = variants(call.args);
  if (readings.length === 1) {
    one(call, readings[0]!, call.args);
    return;
  }
  for (const args of readings) one(call, args, call.args);
}

/** Every combination of words of which the possible texts are known; the words as they are when those are too many. */
function variants(args: Arg[]): Arg[][] {
  if (!args.some((a) => a.texts && a.texts.length > 1)) return [args];
  let out: Arg[][] = [[]];
  for (const a of args) {
    const choices = a.texts && a.texts.length > 1 && !a.many ? a.texts.map((t) => a.as(t)) : [a];
    if (out.length * choices.length > MAX_READINGS) return [args];
    out = out.flatMap((prefix) => choices.map((c) => [...prefix, c]));
  }
  return out;
}

function describe(call: Call, written: Arg[]): void {
  const entry = call.host.effects.commands[call.entry]!;
  const text = written.map((a) => a.text).join(' ').trim();
  if (entry.text === '') {
    entry.name = written[0]?.literal ?? '';
    entry.argv = written.map((a) => (a.process ? null : a.literal));
    entry.text = text;
    spell(call, written, entry.text);
    return;
  }
  // A wrapper was stripped: the former text stays as a spelling.
  if (entry.text !== text) addSpelling(call, entry.text);
  entry.name = written[0]?.literal ?? '';
  entry.argv = written.map((a) => (a.process ? null : a.literal));
  entry.text = text;
  spell(call, written, text);
}

function addSpelling(call: Call, text: string): void {
  const entry = call.host.effects.commands[call.entry]!;
  if (text !== '' && !entry.spellings.includes(text)) entry.spellings.push(text);
}

function spell(call: Call, words: Arg[], text: string): void {
  const entry = call.host.effects.commands[call.entry]!;
  const name = words[0]?.literal;
  if (name?.includes('/')) addSpelling(call, [basename(name), ...words.slice(1).map((a) => a.text)].join(' '));
  const bare = words.map((a) => a.literal ?? a.text).join(' ');
  if (bare !== text) {
    addSpelling(call, bare);
    if (name?.includes('/')) addSpelling(call, [basename(name), ...words.slice(1).map((a) => a.literal ?? a.text)].join(' '));
  }
  if (call.prefix.length > 0) addSpelling(call, `${call.prefix.map((p) => p.text).join(' ')} ${text}`);
  entry.spellings = entry.spellings.filter((s) => s !== text);
}

function one(call: Call, args: Arg[], written: Arg[]): void {
  call.args = args;
  describe(call, written);
  const word = args[0];
  if (!word) {
    call.unknown('the command word may be empty');
    return;
  }
  if (word.literal === null) {
    call.unknown('which command is run is not known', word);
    return;
  }
  if (word.equals) {
    call.unknown('another shell expands =name to a path', word);
    return;
  }
  let name = word.literal;
  if (name.includes('/')) {
    if (!SYSTEM_FOLDER.test(name)) {
      const own = !name.startsWith('/') || name.startsWith(`${call.host.origin}/`);
      if (own) call.is('runs', `${name} is a program of the project`, word);
      else call.unknown(`${name} is a program outside the system's folders`, word);
      return;
    }
    name = basename(name);
    call.external = true;
  }
  call.name = name;
  if (call.function()) return;
  if (call.state.taint && !BUILTIN.has(name)) call.unknown(call.state.taint, word);
  const command = lookup(name);
  if (!command) {
    call.unknown(name === '' ? 'the command word is empty' : `${name} is not a command that is known`, word);
    return;
  }
  if (!CLIENT_WRAPPERS.has(name) && command.wrapper && !(name === 'xargs' && args[1] && !(args[1].literal ?? '-').startsWith('-'))) {
    call.host.effects.commands[call.entry]!.top = false;
  }
  command.judge(call);
}

/** Names that no PATH can change. */
const BUILTIN = new Set(
  ': . [ alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait'.split(
    ' ',
  ),
);
