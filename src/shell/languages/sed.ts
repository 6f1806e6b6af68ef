// sed: its command line and its scripts. Every command in a harmless script must be known and only print.

import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import { type Given, has, option, table } from '../options.ts';

const OPTIONS = table(
  '-nErsuz -e: -f:r -i? -l: -b --quiet --silent --expression: --file:r --in-place? --regexp-extended --separate --unbuffered --null-data --zero-terminated --line-length: --posix --sandbox --debug --follow-symlinks --binary --help --version',
);

export interface SedScript {
  /** Files that `w` and `s///w` write. */
  writes: string[];
  reads: string[];
  /** Command texts that `e` runs. */
  commands: string[];
  /** May run other commands: lines that it edits (`e` alone, and `s///e`), or a part that is not understood. */
  isOpen: boolean;
  /** The reason why the script is not understood, or null if it is. */
  problem: string | null;
  /** sed itself stops at this problem before it does anything. */
  error: boolean;
}

/**
 * Reads a sed script. Anything that is not certainly harmless is a problem.
 * In GNU sed 4.9 and later, `[/]` hides the delimiter, as POSIX requires. In older versions it does not. Both readings must be
 * harmless.
 */
export function readSed(script: string): SedScript {
  const hiding = readAs(script, true);
  if (!/\[/.test(script)) return hiding;
  const plain = readAs(script, false);
  if (plain.error && !hasEffects(plain)) return hiding;
  if (hiding.error && !hasEffects(hiding)) return plain;
  return {
    writes: [...new Set([...hiding.writes, ...plain.writes])],
    reads: [...new Set([...hiding.reads, ...plain.reads])],
    commands: [...new Set([...hiding.commands, ...plain.commands])],
    isOpen: hiding.isOpen || plain.isOpen,
    problem: hiding.problem ?? plain.problem,
    error: false,
  };
}

/** True if sed does something to another file or program before it finds the error. */
function hasEffects({ writes, commands }: SedScript): boolean {
  return writes.length > 0 || commands.length > 0;
}

function readAs(script: string, brackets: boolean): SedScript {
  const out: SedScript = { writes: [], reads: [], commands: [], isOpen: false, problem: null, error: false };
  const n = script.length;
  let i = 0;
  const fail = (text: string, error = false): SedScript => {
    out.problem ??= text;
    out.error = error && out.commands.length === 0 && !out.isOpen;
    out.isOpen ||= !error;
    return out;
  };
  /** Skips a delimited part and moves i past its closing delimiter. Returns false if the part is unterminated. */
  const part = (delimiter: string, regex: boolean): boolean => {
    while (i < n) {
      const c = script[i]!;
      if (c === '\\') {
        i += 2;
        continue;
      }
      if (c === '\n' && regex) return false;
      if (c === '[' && regex && brackets) {
        const close = bracketEnd(script, i);
        if (close > 0) {
          i = close;
          continue;
        }
      }
      i++;
      if (c === delimiter) return true;
    }
    return false;
  };
  const toLineEnd = (): string => {
    const end = script.indexOf('\n', i);
    const text = script.slice(i, end < 0 ? n : end);
    i = end < 0 ? n : end;
    return text;
  };
  /** The text after a command: up to the first line without a trailing backslash. */
  const commandText = (): string => {
    for (let text = ''; ; ) {
      const line = toLineEnd();
      text += line;
      if (i >= n || !/(?:^|[^\\])(?:\\\\)*\\$/.test(line)) return text;
      text += '\n';
      i++;
    }
  };
  let depth = 0;
  while (i < n) {
    const c = script[i]!;
    if (/[\s;]/.test(c)) {
      i++;
      continue;
    }
    // Addresses.
    for (let k = 0; k < 2; k++) {
      if (script[i] === '/' || script[i] === '\\') {
        let d = '/';
        if (script[i] === '\\') {
          d = script[++i] ?? '';
          if (d === '' || d === '\n' || d === '\\') return fail('has an address that is not understood');
        }
        i++;
        if (!part(d, true)) return fail('has an address that is not understood', i >= n);
        while (script[i] === 'I' || script[i] === 'M') i++;
      } else {
        const m = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/.exec(script.slice(i, i + 24));
        if (m) i += m[0].length;
      }
      while (script[i] === ' ' || script[i] === '\t') i++;
      if (k === 0 && script[i] === ',') {
        i++;
        while (script[i] === ' ' || script[i] === '\t') i++;
      } else break;
    }
    while (script[i] === '!' || script[i] === ' ' || script[i] === '\t') i++;
    const command = script[i++];
    if (command === undefined) return fail('ends in an address');
    switch (command) {
      case '{':
        depth++;
        continue;
      case '}':
        if (--depth < 0) return fail('has an unmatched }');
        break;
      case '#':
        toLineEnd();
        continue;
      case '=':
      case 'd':
      case 'D':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'n':
      case 'N':
      case 'p':
      case 'P':
      case 'x':
      case 'z':
      case 'F':
        break;
      case 'l':
      case 'L':
      case 'q':
      case 'Q': {
        const m = /^[ \t]*\d*/.exec(script.slice(i, i + 16))!;
        i += m[0].length;
        break;
      }
      case ':':
      case 'b':
      case 't':
      case 'T': {
        const m = /^[ \t]*[A-Za-z0-9_.-]*[ \t]*/.exec(script.slice(i))!;
        i += m[0].length;
        break;
      }
      case 'a':
      case 'i':
      case 'c':
        // Versions differ on whether the second backslash continues the text.
        if (/^[ \t]*\\[ \t]+\\/.test(script.slice(i))) return fail(`has a text after ${command} that is not understood`);
        commandText();
        continue;
      case 's':
      case 'y': {
        const d = script[i++];
        if (d === undefined || d === '\n' || d === '\\') return fail('has an unrecognized substitution');
        const from = part(d, command === 's') ? i : -1;
        if (from < 0 || !part(d, false)) return fail('has an unrecognized substitution', i >= n);
        if (command === 'y') break;
        const replacement = script.slice(from, i - 1);
        for (;;) {
          const f = script[i];
          if (f === undefined || !/[gpiImM0-9ew]/.test(f)) break;
          i++;
          if (f === 'e') {
            out.problem ??= 'runs a command (s///e)';
            out.isOpen = true;
            // Without references to what matched, the replacement may be the whole command.
            if (!/[&\\]/.test(replacement)) out.commands.push(replacement);
          }
          if (f === 'w') {
            out.writes.push(toLineEnd().trimStart());
            break;
          }
        }
        break;
      }
      case 'w':
      case 'W':
        out.writes.push(toLineEnd().trimStart());
        continue;
      case 'r':
      case 'R':
        out.reads.push(toLineEnd().trimStart());
        continue;
      case 'e': {
        const text = commandText().replace(/^[ \t]*(?:\\[ \t]*\n?)?/, '');
        out.problem ??= 'runs a command (e)';
        if (text === '') out.isOpen = true;
        else out.commands.push(text);
        continue;
      }
      default:
        return fail(`has an unknown command (${command})`, command !== 'v');
    }
    const rest = /^[ \t]*(?:$|[;\n}#])/.exec(script.slice(i));
    if (!rest) return fail('has an unrecognized text after a command', true);
    i += rest[0].endsWith('}') || rest[0].endsWith('#') ? rest[0].length - 1 : rest[0].length;
  }
  return out;
}

/** Index after the `]` that closes the bracket expression at i, or -1 if it is not closed. */
function bracketEnd(text: string, i: number): number {
  let k = i + 1;
  if (text[k] === '^') k++;
  if (text[k] === ']') k++;
  for (; k < text.length; k++) {
    if (text[k] === '\n') return -1;
    if (text[k] === '[' && /[.:=]/.test(text[k + 1] ?? '')) {
      const end = text.indexOf(`${text[k + 1]}]`, k + 2);
      if (end < 0) return -1;
      k = end + 1;
    } else if (text[k] === ']') return k + 1;
  }
  return -1;
}

export function classifySed(call: CommandCall) {
  const given = withNumbers(call);
  call.accept(given);
  call.roles(given);
  // sed reads the scripts before these options and opens their files before it prints its version.
  if (has(given, 'help', 'version') && !has(given, 'e', 'expression', 'f', 'file')) return;
  for (const o of given.options)
    if (/^(?:l|line-length)$/.test(o.name) && !/^\d+$/.test(o.value?.literal ?? ''))
      call.unknown('some versions of sed read the word after -l as an option', o.arg);
  const scripts: Arg[] = given.options.filter((o) => o.name === 'e' || o.name === 'expression').map((o) => o.value!);
  let files = given.operands;
  const stored = given.options.filter((o) => o.name === 'f' || o.name === 'file').map((o) => o.value!);
  for (const file of stored) scripts.push(...call.programFile(file, true).map((text) => file.as(text)));
  if (scripts.length === 0 && stored.length === 0) {
    if (files.length === 0) return call.unknown('sed without a script');
    scripts.push(files[0]!);
    files = files.slice(1);
  }
  if (scripts.every((s) => s.literal !== null)) {
    const script = readSed(scripts.map((s) => s.literal).join('\n'));
    if (script.problem) {
      call.unknown(`the sed script ${script.problem}`, scripts[0]);
      call.opaque(...scripts);
    }
    if (script.isOpen) call.anything('sed may run an unknown command', scripts[0]);
    for (const text of script.commands) call.host.runText(text, scripts[0]!, call.state.fresh(call.cwds));
    for (const w of script.writes) call.write(scripts[0]!.as(w), 'sed w', { why: 'a w in the sed script writes to a file' });
    for (const r of script.reads) call.read(scripts[0]!.as(r), 'sed r');
  } else if (!scripts.every((s) => s.int || NUMBERED.test(s.literal ?? s.numbered ?? ''))) {
    call.unknown(
      'the sed script is unknown',
      scripts.find((s) => s.literal === null),
    );
  }
  const inPlace = option(given, 'i', 'in-place');
  // BSD sed reads the word after -i as the suffix, and the next word as the script.
  if (inPlace && !inPlace.value && given.operands[0]?.literal === '' && files.length < given.operands.length) bsd(call, files[0]);
  for (const f of files) {
    if (inPlace) {
      call.write(f, 'sed -i', { old: 'kept', why: 'sed -i changes its files in place' });
      const suffix = inPlace.value;
      if (suffix && suffix.text !== '') {
        if (suffix.literal === null || f.literal === null) call.unknown('the name of the backup is unknown', inPlace.arg);
        else call.write(f.as(backup(f.literal, suffix.literal)), 'sed -i', { why: 'sed -i keeps a backup' });
      }
    } else if (f.literal !== '-') call.read(f, 'sed');
  }
  if (inPlace && files.length === 0) call.unknown('sed -i without a file');
}

/**
 * Parses the words with a script such as `$((n-5)),${n}p`, of which only numbers are unknown. If it begins with a negative number,
 * sed stops at an unknown option.
 */
function withNumbers(call: CommandCall): Given {
  const given = call.parse(OPTIONS);
  const script = given.flaggy;
  if (script === null || script !== given.operands[0] || !NUMBERED.test(script.numbered ?? '')) return given;
  if (has(given, 'e', 'expression', 'f', 'file')) return given;
  call.args = call.args.map((arg) => (arg === script ? script.as(script.numbered!) : arg));
  return call.parse(OPTIONS);
}

/** Scripts that print, delete, count, or stop at lines, with any line numbers: `5p`, `3,7d`, `$=;9q`. */
const NUMBERED = /^\s*(?:(?:[\d$]+(?:,[+~]?[\d$]+)?\s*)?(?:!\s*)?[pdq=](?:[ \t]*[;\n]\s*|[ \t]*$))+$/;

/** `sed -i '' SCRIPT FILE…`. GNU sed reads this script as a file name. */
function bsd(call: CommandCall, script: Arg | undefined) {
  if (!script) return;
  const sedScript = script.literal === null ? null : readSed(script.literal);
  if (!sedScript || (sedScript.problem && !sedScript.error)) call.unknown('the script of sed -i is not understood', script);
  for (const w of sedScript?.writes ?? []) call.write(script.as(w), 'sed w', { why: 'a w in the sed script writes to a file' });
}

function backup(file: string, suffix: string): string {
  const cut = file.lastIndexOf('/') + 1;
  const name = file.slice(cut);
  if (!suffix.includes('*')) return file + suffix;
  const made = suffix.replaceAll('*', name);
  return made.includes('/') ? made : file.slice(0, cut) + made;
}
