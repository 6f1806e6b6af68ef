// Explains a command and its facts to a person, part by part: the effect of each command, its targets, and the reasons for its
// class.
import { measureWidth, showUnseen } from '../config/text.ts';
import { type BashClass, type BashFacts, type BashTarget, commandTags, type Why } from '../model/command.ts';

export interface CommandExplanationOptions {
  /** With ANSI colors. */
  colour?: boolean;
}

const MEANING: Record<BashClass, string> = {
  'read-only': 'changes nothing',
  writes: 'changes only what is named below',
  runs: 'runs code of the project, which may change anything',
  unknown: 'not understood, so it may change anything',
};

const COLOUR: Record<BashClass, string> = { 'read-only': '32', writes: '33', runs: '35', unknown: '31' };

const TARGET_SUFFIX = { one: '', within: '', deep: ' and everything below', glob: ' (as the shell expands it)' } as const;

/** Shows newlines as `⏎` and tabs as spaces. Escapes everything that could move a terminal's cursor. */
const visible = (text: string): string => showUnseen(text.replaceAll('\n', '⏎').replaceAll('\t', ' '));

const WIDTH = 100;

/** The part of the command that a reason is about, with carets below it. */
function pointer(command: string, why: Why): string[] {
  if (why.end <= why.pos || (why.pos === 0 && why.end >= command.length)) return [];
  const from = Math.max(0, why.pos - 40);
  const to = Math.min(command.length, from + WIDTH);
  const before = visible(command.slice(from, why.pos));
  const marked = visible(command.slice(why.pos, Math.min(why.end, to)));
  if (marked === '') return [];
  const after = visible(command.slice(Math.min(why.end, to), to));
  const start = from > 0 ? '…' : '';
  return [
    `${start}${before}${marked}${after}${to < command.length ? '…' : ''}`,
    `${' '.repeat(measureWidth(start + before))}${'^'.repeat(Math.max(1, measureWidth(marked)))}`,
  ];
}

function target(t: BashTarget): string {
  return `${visible(t.path)}${'what' in t && t.what === 'names' ? ' (names only)' : TARGET_SUFFIX[t.extent]}  [${visible(t.via)}]`;
}

/**
 * Renders facts for a person. Pure: the same input gives the same text, which does not end with a newline. Text of the command is
 * escaped for a terminal.
 */
export function explain(command: string, facts: BashFacts, options: CommandExplanationOptions = {}): string {
  const paint = (code: string, text: string) => (options.colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const label = (cls: BashClass) => paint(`1;${COLOUR[cls]}`, cls);
  const dim = (text: string) => paint('2', text);
  const out: string[] = [];
  const network = facts.network
    ? `; reaches ${facts.hosts.length > 0 ? facts.hosts.map(visible).join(', ') : 'the network'}`
    : '';
  out.push(`${label(facts.class)}: ${MEANING[facts.class]}${network}`);
  const reasons = (list: Why[]) => {
    for (const why of list) {
      out.push(`     ${dim('why')}     ${visible(why.text)}`);
      for (const line of pointer(command, why)) out.push(`             ${dim(line)}`);
    }
  };
  facts.commands.forEach((part, index) => {
    const name = visible(part.text || '(redirection)');
    out.push(
      '',
      `${String(index + 1).padStart(3)}  ${paint('1', name)}  ${label(part.class)}${part.top ? '' : dim('  inside another part')}`,
    );
    for (const t of facts.writes) if (t.command === index) out.push(`     ${paint('33', 'writes')}  ${target(t)}`);
    for (const t of facts.reads) if (t.command === index) out.push(`     ${dim('reads')}   ${target(t)}`);
    if (part.network) out.push(`     ${dim('network')}`);
    for (const tag of part.tags ?? []) out.push(`     ${dim(tag)} ${commandTags[tag]}`);
    reasons(part.why);
  });
  const own = new Set(facts.commands.flatMap((c) => c.why));
  const rest = facts.why.filter((w) => !own.has(w));
  if (rest.length > 0) {
    out.push('', '     the text as a whole');
    reasons(rest);
  }
  return out.join('\n');
}
