// awk: its command line and its programs. A harmless program must not redirect output or start commands.

import { type Arg, argOf } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import { has, table } from '../options.ts';

const OPTIONS = table(
  '-F: -v: -f:r -b -c -g -h -n -N -O -P -r -s -S -t -V -C -e:  --field-separator: --assign: --file:r --characters-as-bytes --traditional --gen-pot --help --non-decimal-data --use-lc-numeric --optimize --posix --re-interval --no-optimize --sandbox --lint-old --version --copyright --source: --csv -k --bignum -M',
);

type Token = { kind: 'op' | 'name' | 'number' | 'string' | 'regex' | 'newline'; text: string };

/** Splits a program into tokens. Null if it is not understood. */
export function awkTokens(program: string): Token[] | null {
  const out: Token[] = [];
  let i = 0;
  const n = program.length;
  /** After a value a slash is a division. Otherwise it begins a regular expression. */
  const afterValue = (): boolean => {
    const last = out[out.length - 1];
    if (!last) return false;
    if (last.kind === 'number' || last.kind === 'string' || last.kind === 'regex') return true;
    if (last.kind === 'name') return !KEYWORDS.has(last.text);
    return last.text === ')' || last.text === ']' || last.text === '++' || last.text === '--';
  };
  while (i < n) {
    const c = program[i]!;
    if (c === ' ' || c === '\t' || (c === '\\' && program[i + 1] === '\n')) {
      i += c === '\\' ? 2 : 1;
      continue;
    }
    if (c === '\n') {
      out.push({ kind: 'newline', text: c });
      i++;
      continue;
    }
    if (c === '#') {
      while (i < n && program[i] !== '\n') i++;
      continue;
    }
    if (c === '"') {
      let k = i + 1;
      while (k < n && program[k] !== '"') {
        if (program[k] === '\n') return null;
        k += program[k] === '\\' ? 2 : 1;
      }
      if (k >= n) return null;
      out.push({ kind: 'string', text: program.slice(i, k + 1) });
      i = k + 1;
      continue;
    }
    // Implementations disagree here between a division and a regular expression.
    if (c === '/' && isDoubtful(out)) return null;
    if (c === '/' && !afterValue()) {
      let k = i + 1;
      while (k < n && program[k] !== '/') {
        if (program[k] === '\n') return null;
        if (program[k] === '[') {
          // Implementations disagree on a slash inside brackets.
          let e = k + 1;
          if (program[e] === '^') e++;
          if (program[e] === ']') e++;
          while (e < n && program[e] !== ']') {
            if (program[e] === '\n' || program[e] === '/') return null;
            const kind = /^\[[:.=][^\]/\n]*\]/.exec(program.slice(e, e + 40));
            e += kind ? kind[0].length : program[e] === '\\' ? 2 : 1;
          }
          k = e + 1;
          continue;
        }
        k += program[k] === '\\' ? 2 : 1;
      }
      if (k >= n) return null;
      out.push({ kind: 'regex', text: program.slice(i, k + 1) });
      i = k + 1;
      continue;
    }
    const name = /^[A-Za-z_]\w*/.exec(program.slice(i, i + 80));
    if (name) {
      out.push({ kind: 'name', text: name[0] });
      i += name[0].length;
      continue;
    }
    const number = /^(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)/.exec(program.slice(i, i + 60));
    if (number) {
      out.push({ kind: 'number', text: number[0] });
      i += number[0].length;
      continue;
    }
    const op = /^(?:\*\*=|\|&|\|\||&&|>>|\+\+|--|\+=|-=|\*=|\/=|%=|\^=|\*\*|==|<=|>=|!=|!~|[{}()[\];,+\-*/%^!<>|?:~$=@])/.exec(
      program.slice(i, i + 3),
    );
    if (!op) return null;
    out.push({ kind: 'op', text: op[0] });
    i += op[0].length;
  }
  return out;
}

/** True after `if (…)` and similar heads, after `do`, `else`, and `getline`, and after `length` without parentheses. */
function isDoubtful(tokens: Token[]): boolean {
  const last = tokens[tokens.length - 1];
  if (last?.kind === 'name') return /^(?:length|getline|do|else)$/.test(last.text);
  if (last?.text !== ')' || last.kind !== 'op') return false;
  let depth = 0;
  for (let i = tokens.length - 1; i >= 0; i--) {
    const t = tokens[i]!;
    if (t.kind !== 'op') continue;
    if (t.text === ')') depth++;
    else if (t.text === '(' && --depth === 0) return /^(?:if|while|for|switch)$/.test(tokens[i - 1]?.text ?? '');
  }
  return false;
}

/** A statement continues on the next line after these. */
const OPEN_END = /^(?:,|&&|\|\||\?|:)$/;

const KEYWORDS = new Set([
  'print',
  'printf',
  'return',
  'in',
  'if',
  'else',
  'while',
  'do',
  'for',
  'case',
  'delete',
  'exit',
  'getline',
  'switch',
  'next',
  'break',
  'continue',
  'BEGIN',
  'END',
  'default',
]);

const SAFE_FUNCTIONS = new Set(
  'length substr index split sub gsub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper gensub strftime systime mktime asort asorti patsplit strtonum and or xor lshift rshift compl typeof isarray'.split(
    ' ',
  ),
);

/** Output to the standard output or error of the program. */
function isTerminal(text: string): boolean {
  return text === '"/dev/stderr"' || text === '"/dev/stdout"' || text === '"/dev/null"';
}

function ends(t: Token | undefined): boolean {
  return t === undefined || t.kind === 'newline' || t.text === ';' || t.text === '}';
}

/** Commands that only read their standard input and print. Their words are classified too. */
const FILTER = /^"(?:sort|uniq|wc|cat|head|tail|column|nl|tac)(?: -[A-Za-z0-9.,]+)*"$/;

/** Returns the reason why a program may be harmful, or null if it is certainly harmless. */
export function readAwk(program: string): string | null {
  const tokens = awkTokens(program);
  if (!tokens) return 'is not understood';
  let depth = 0;
  let printing = -1;
  const functions = new Set<string>();
  tokens.forEach((t, i) => {
    if (t.kind === 'name' && (t.text === 'function' || t.text === 'func')) functions.add(tokens[i + 1]?.text ?? '');
  });
  for (let i = 0; i < tokens.length; i++) {
    const t = tokens[i]!;
    const next = tokens[i + 1];
    if (t.kind === 'newline' || t.text === ';' || t.text === '}' || t.text === '{') {
      const goesOn = t.kind === 'newline' && tokens[i - 1]?.kind === 'op' && OPEN_END.test(tokens[i - 1]!.text);
      const broken = t.kind === 'newline' && tokens[i - 1]?.kind === 'newline';
      if (!goesOn && !broken && (t.kind === 'newline' || t.kind === 'op')) printing = -1;
      continue;
    }
    if (t.kind === 'op') {
      if (t.text === '(' || t.text === '[') depth++;
      else if (t.text === ')' || t.text === ']') depth--;
      else if (t.text === '@') return 'loads code or calls functions by name (@)';
      else if (t.text === '|' && printing >= 0 && depth <= printing && FILTER.test(next?.text ?? '') && ends(tokens[i + 2])) i++;
      else if (t.text === '|' || t.text === '|&') return 'starts a command (|)';
      else if (
        (t.text === '>>' || t.text === '>') &&
        printing >= 0 &&
        depth <= printing &&
        next?.kind === 'string' &&
        isTerminal(next.text) &&
        ends(tokens[i + 2])
      )
        i++;
      else if (t.text === '>>') return 'writes to a file (>>)';
      // After print, an unparenthesized > is always a redirection.
      else if (t.text === '>' && printing >= 0 && depth <= printing) return 'writes to a file (print >)';
      continue;
    }
    if (t.kind !== 'name') continue;
    if (t.text === 'print' || t.text === 'printf') {
      printing = depth;
      continue;
    }
    if (t.text === 'system') return 'starts a command (system)';
    if (t.text === 'getline') {
      for (let k = i + 1; k < tokens.length && !/^[;){}\n]$/.test(tokens[k]!.text); k++)
        if (tokens[k]!.text === '<' && !isPlainSource(tokens, k + 1)) return 'reads other files (getline <)';
      if (next?.text === '$') return 'reads other files (getline <)';
      continue;
    }
    if (t.text === 'close' || t.text === 'fflush') continue;
    if (/^(?:ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|FILENAME)$/.test(t.text)) {
      if (/^(?:SYMTAB|FUNCTAB|PROCINFO)$/.test(t.text)) return `uses ${t.text}`;
      if (/^(?:ARGV|ARGC)$/.test(t.text)) return 'may change which files are read (ARGV)';
      continue;
    }
    if (/^(?:function|func|namespace|include|load)$/.test(t.text)) continue;
    if (next?.text === '(' && !KEYWORDS.has(t.text) && !SAFE_FUNCTIONS.has(t.text) && !functions.has(t.text)) {
      // For a variable, `name (…)` with a blank is a concatenation. The tokens do not show the difference, so both forms are
      // rejected.
      return `calls ${t.text}, which is unknown`;
    }
  }
  return null;
}

/** True if the token comes after `print` and not inside parentheses. */
function isPrinted(tokens: Token[], at: number): boolean {
  for (let i = at - 1, depth = 0; i >= 0 && !ends(tokens[i]) && tokens[i]!.text !== '{'; i--) {
    const { kind, text } = tokens[i]!;
    if (kind === 'name' && (text === 'print' || text === 'printf')) return depth >= 0;
    if (kind === 'op' && (text === ')' || text === '(')) depth += text === ')' ? 1 : -1;
  }
  return false;
}

/** Names of output files. An unknown part of a name is `HOLE`. */
function awkTargets(program: string, given: ReadonlyMap<string, string>): string[] {
  const tokens = awkTokens(program) ?? [];
  const names = tokens.flatMap(({ kind, text }, i) =>
    kind === 'op' && /^>>?$/.test(text) && isPrinted(tokens, i) ? textsOf(expressionAt(tokens, i + 1, 1), tokens, given, 0) : [],
  );
  return [...new Set(names)].filter((name) => name !== '' && !isTerminal(`"${name}"`));
}

/** A part of a command text that is known only when the program runs. As a shell word it is a variable without a known value. */
const HOLE = `\${MODES_UNKNOWN}`;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\', '/': '/' };
/** Most command texts that are followed for one expression. */
const MOST_TEXTS = 16;

/** The text that a string token represents. */
function stringText(token: string): string {
  return token.slice(1, -1).replace(/\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|[\s\S])/g, (_, code: string) => {
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    if (/^x./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return ESCAPES[code] ?? code;
  });
}

/** Ends an expression that is a command or the value of a variable. */
const ENDS_EXPRESSION = /^(?:[;{}\n,=]|&&|\|\||\||\|&|[?:!~<>]|[<>=!]=|!~)$/;

/** The tokens from one position up to the end of the expression there, forward or backward. */
function expressionAt(tokens: readonly Token[], from: number, step: 1 | -1): Token[] {
  const out: Token[] = [];
  let depth = 0;
  for (let i = from; i >= 0 && i < tokens.length; i += step) {
    const t = tokens[i]!;
    if (t.kind === 'op' && (t.text === '(' || t.text === ')')) {
      depth += (t.text === '(') === (step === 1) ? 1 : -1;
      if (depth < 0) break;
    } else if (depth === 0 && (t.kind === 'newline' || (t.kind === 'op' && ENDS_EXPRESSION.test(t.text)))) break;
    else if (depth === 0 && t.kind === 'name' && KEYWORDS.has(t.text)) break;
    out.push(t);
  }
  return step === 1 ? out : out.reverse();
}

/** Operators that choose between texts. */
const CHOICE = /^(?:[?:,]|&&|\|\|)$/;

/** The tokens up to the parenthesis that ends the arguments of a function. */
function argumentsAt(tokens: readonly Token[], from: number): Token[] {
  let depth = 0;
  const end = tokens.findIndex(({ kind, text }, i) => {
    if (i < from || kind !== 'op') return false;
    if (text === '(') depth++;
    return text === ')' && --depth < 0;
  });
  return tokens.slice(from, end === -1 ? undefined : end);
}

/**
 * Command texts that the program passes to a shell with `system`, `|`, and `|&`. An unknown part of a text is `HOLE`.
 * @param given variables that the command line sets, with their texts
 */
export function awkCommands(program: string, given: ReadonlyMap<string, string> = new Map()): string[] {
  const tokens = awkTokens(program);
  // Some text that is not understood may still contain `system("git push")`.
  if (tokens === null) return [...program.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([quoted]) => stringText(quoted)).concat(HOLE);
  const out: string[] = [];
  const add = (expression: readonly Token[]): void => {
    out.push(...textsOf(expression, tokens, given, 0));
    // The parts of a condition are separate texts.
    if (expression.some((t) => t.kind === 'op' && CHOICE.test(t.text)))
      for (const { kind, text } of expression) if (kind === 'string') out.push(stringText(text));
  };
  tokens.forEach((t, i) => {
    if (t.kind === 'name' && t.text === 'system' && tokens[i + 1]?.text === '(') add(argumentsAt(tokens, i + 2));
    if (t.kind !== 'op') return;
    // A function that is called by a computed name may be `system`.
    if (t.text === '@') out.push(HOLE);
    if (t.text !== '|' && t.text !== '|&') return;
    if (tokens[i + 1]?.text === 'getline') add(expressionAt(tokens, i - 1, -1));
    else add(expressionAt(tokens, i + 1, 1));
  });
  return [...new Set(out)];
}

/** All texts that a concatenation may produce. */
function textsOf(expression: readonly Token[], tokens: Token[], given: ReadonlyMap<string, string>, depth: number): string[] {
  let texts = [''];
  const append = (ends: readonly string[]): void => {
    texts = texts.flatMap((text) => ends.map((end) => text + end)).slice(0, MOST_TEXTS);
  };
  let isCall = 0;
  for (const [i, t] of expression.entries()) {
    // The words of a function call are one unknown part.
    if (isCall > 0) {
      if (t.text === '(') isCall++;
      else if (t.text === ')') isCall--;
      if (isCall === 1) isCall = 0;
    } else if (t.text === '$') {
      append([HOLE]);
      if (expression[i + 1]?.text === '(') isCall = 1;
    } else if (expression[i - 1]?.text === '$') continue;
    else if (t.kind === 'string') append([stringText(t.text)]);
    else if (t.kind === 'number') append([t.text]);
    else if (t.kind === 'op' && /^[()]$/.test(t.text)) continue;
    else if (t.kind === 'name' && expression[i + 1]?.text !== '[') {
      append(expression[i + 1]?.text === '(' ? [HOLE] : valuesOf(t.text, tokens, given, depth));
      if (expression[i + 1]?.text === '(') isCall = 1;
    } else append([HOLE]);
  }
  return texts.map((text) => text.replace(/(?:\$\{MODES_UNKNOWN\})+/g, HOLE));
}

/** The possible values of a variable: the texts assigned to it, and `HOLE` if it may have another value. */
function valuesOf(name: string, tokens: Token[], given: ReadonlyMap<string, string>, depth: number): string[] {
  const out = given.has(name) ? [given.get(name)!] : [];
  if (depth > 2) return [HOLE];
  let isOpen = tokens.some(({ text }) => /^(?:sub|gsub|split|match|patsplit|function|func)$/.test(text));
  tokens.forEach((t, i) => {
    if (t.kind !== 'name' || t.text !== name) return;
    if (tokens[i + 1]?.text === '=') out.push(...textsOf(expressionAt(tokens, i + 2, 1), tokens, given, depth + 1));
    else if (/^(?:.=|\+\+|--|in)$/.test(tokens[i + 1]?.text ?? '') || /^(?:getline|\+\+|--)$/.test(tokens[i - 1]?.text ?? ''))
      isOpen ||= !/^[=!<>]=$/.test(tokens[i + 1]?.text ?? '');
  });
  return isOpen || out.length === 0 ? [...out, HOLE] : out;
}

/** True if a quoted name is the whole operand of `getline <`. Any following text could be part of the name. */
function isPlainSource(tokens: readonly Token[], at: number): boolean {
  const name = tokens[at];
  const next = tokens[at + 1];
  return (
    name?.kind === 'string' &&
    /^"[^"\\]+"$/.test(name.text) &&
    !/^"(?:\/inet|\/dev|-"|.*:\/\/)/.test(name.text) &&
    (next === undefined || /^(?:[;){}\n]|&&|\|\||[<>!=]=?|==)$/.test(next.text))
  );
}

/** Longest variable between `getline` and `<`, in tokens. */
const MOST_VARIABLE = 5;

/** Names of input files that are known. There may be others. */
function awkSources(program: string, given: ReadonlyMap<string, string>): string[] {
  const tokens = awkTokens(program) ?? [];
  if (!tokens.some(({ text }) => text === 'getline')) return [];
  const isSource = (at: number): boolean =>
    tokens[at]!.text === '<' && tokens.slice(Math.max(0, at - MOST_VARIABLE), at).some(({ text }) => text === 'getline');
  const names = tokens.flatMap((_, i) => (isSource(i) ? textsOf(expressionAt(tokens, i + 1, 1), tokens, given, 0) : []));
  return [...new Set(names)].filter((name) => name !== '' && !name.includes(HOLE));
}

/** Programs that print lines by number, with any numbers: `NR==5`, `NR>=2 && NR<=9 {print $1}`. */
const NUMBERED =
  /^\s*NR\s*(?:==|[<>]=?)\s*\d+(?:\s*(?:&&|\|\|)\s*NR\s*(?:==|[<>]=?)\s*\d+)*\s*(?:\{\s*print(?:\s+\$\d+)?\s*;?\s*(?:exit)?\s*\})?\s*$/;

export function classifyAwk(call: CommandCall) {
  const given = call.parse(OPTIONS, ['posix']);
  call.accept(given);
  const stored = given.options.filter((o) => o.name === 'f' || o.name === 'file').map((o) => o.value!);
  const only = given.options.find((o) => o.value !== null && !/^(?:[Fvf]|file)$/.test(o.name));
  // Some versions ignore an unknown option and run the program after it.
  if (has(given, 'help', 'version', 'h', 'V') && given.operands.length === 0 && !only && stored.length === 0) return;
  if (only && call.name !== 'gawk') call.unknown(`an awk without ${only.flag} reads another word as the program`, only.arg);
  const programs: Arg[] = given.options.filter((o) => o.name === 'e' || o.name === 'source').map((o) => o.value!);
  let files = given.operands;
  for (const file of stored) {
    if (file.literal !== '-') call.read(file, 'awk');
    programs.push(...call.programFile(file, true).map((text) => file.as(text)));
  }
  if (programs.length === 0 && stored.length === 0) {
    if (files.length === 0) return call.unknown('awk without a program');
    programs.push(files[0]!);
    files = files.slice(1);
  }
  if (programs.length === 1 && NUMBERED.test(programs[0]!.numbered ?? '')) programs[0] = programs[0]!.as(programs[0]!.numbered!);
  const hidden = programs.find((p) => p.literal === null);
  if (hidden) call.unknown('the awk program is unknown', hidden);
  // A statement may continue in the next part.
  const program = programs.map((p) => p.literal ?? '').join('\n');
  const problem = readAwk(program);
  if (problem) {
    call.unknown(`the awk program ${problem}`, programs[0]);
    call.opaque(...programs);
  }
  const variables = new Map<string, string>();
  if (problem || program.includes('|')) {
    for (const word of [...given.options.filter((o) => /^(?:v|assign)$/.test(o.name)).map((o) => o.value), ...files]) {
      const set = /^([A-Za-z_]\w*)=(.*)$/s.exec(word?.literal ?? '');
      if (set) variables.set(set[1]!, set[2]!);
    }
    for (const file of awkTargets(program, variables)) call.write(partly(programs[0]!, file), 'awk');
    const commands = awkCommands(program, variables);
    // Data in a command text may contain another command.
    if (problem && commands.some((text) => text.includes(HOLE))) call.anything('awk runs an unknown command', programs[0]);
    for (const text of commands) call.host.runText(text, programs[0]!, call.state.fresh(call.cwds));
  }
  for (const file of awkSources(program, variables)) call.read(programs[0]!.as(file), 'awk');
  // The names may come from the lines of the files.
  if (problem?.includes('getline')) call.mayOpen(files.map((file) => call.appended(true, call.namesInFile(file))));
  for (const f of files) {
    if (SOCKET.test(f.value ?? f.lead)) connects(call, f);
    else if (f.literal !== '-' && !/^[A-Za-z_]\w*=/.test(f.literal ?? '')) call.read(f, 'awk');
  }
}

/** A word for a name with unknown parts. */
function partly(program: Arg, name: string): Arg {
  const outline = name.split(HOLE);
  const { text, pos, end } = program;
  return outline.length === 1 ? program.as(name) : argOf({ lead: outline[0]!, text, pos, end, outlines: [outline] });
}

/** Names that gawk reads as network connections and not as files. */
const SOCKET = /^\/inet[46]?\//;

/** In `/inet/tcp/0/HOST/80`, the parts before the host select the protocol and the local port. */
function connects(call: CommandCall, address: Arg): void {
  call.network(address.literal?.split('/')[4]);
  if (address.literal === null) call.carries('the host that gawk connects to is unknown and', address);
}
