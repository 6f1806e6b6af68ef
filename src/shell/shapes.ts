// Forms of scripts that shells themselves parse incorrectly.
import { forEachChild, type ParameterExpansionPart, type Script, type SyntaxNode, type Word } from 'unbash';

const COMPOUND = new Set<SyntaxNode['type']>([
  'If',
  'For',
  'ArithmeticFor',
  'Select',
  'While',
  'Case',
  'BraceGroup',
  'Subshell',
  'Function',
  'Coproc',
]);

/** Searches for a node, but not inside other substitutions. */
function holds(node: SyntaxNode, wanted: (n: SyntaxNode) => boolean): boolean {
  let found = false;
  const visit = (n: SyntaxNode): void => {
    if (found || n.type === 'CommandExpansion' || n.type === 'ProcessSubstitution') return;
    if (wanted(n)) found = true;
    else forEachChild(n, visit);
  };
  visit(node);
  return found;
}

/**
 * True for a here-document together with a compound command inside a substitution. Bash 5.2 runs its own printed form of the
 * text, with the lines of the here-document at another place. Bash 3.2 counts the quotes in the here-document.
 */
export function isRewritten(script: Script): boolean {
  return holds(script, (n) => n.type === 'HereDoc') && holds(script, (n) => COMPOUND.has(n.type));
}

/** The source text of a word without its command substitutions, which are checked separately. */
function written({ text, parts }: Word): string {
  return parts ? parts.map((p) => (p.type === 'CommandExpansion' ? '' : p.text)).join('') : text;
}

/**
 * True if the operand of an expansion in double quotes or a here-document contains a single quote, together with a character that
 * ends the expansion or the surrounding text, or that starts another expansion. In double quotes, Bash may let the quote hide
 * that character, and other shells read the quote literally. In a here-document, Bash reads it literally too.
 */
export function hasDoubtfulQuotes(operation: NonNullable<ParameterExpansionPart['operation']>): boolean {
  return Object.values(operation).some((word: unknown) => {
    if (typeof word !== 'object' || word === null || !('text' in word)) return false;
    const text = written(word as Word).replace(/\$'[^'}"$`]*'/g, '');
    return text.includes("'") && /[}"`$]/.test(text);
  });
}
