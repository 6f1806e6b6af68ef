// Shapes of scripts that shells themselves get wrong.
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

/** Looks for a node, not inside further substitutions. */
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
 * A here-document together with a compound command inside a substitution: Bash 5.2 runs its own print of the text, which
 * moves the here-document's lines, and 3.2 counts the quotes in it.
 */
export function isRewritten(script: Script): boolean {
  return holds(script, (n) => n.type === 'HereDoc') && holds(script, (n) => COMPOUND.has(n.type));
}

/** A word as it is written, without its command substitutions, which are looked at by themselves. */
function written({ text, parts }: Word): string {
  return parts ? parts.map((p) => (p.type === 'CommandExpansion' ? '' : p.text)).join('') : text;
}

/**
 * A single quote in the operand of an expansion that stands in double quotes or a here-document, together with something that ends
 * the expansion or the text around it, or is expanded: for Bash the quote may hide it, for others it is a plain character, and in
 * here-documents it is one for Bash as well.
 */
export function hasDoubtfulQuotes(operation: NonNullable<ParameterExpansionPart['operation']>): boolean {
  return Object.values(operation).some((word: unknown) => {
    if (typeof word !== 'object' || word === null || !('text' in word)) return false;
    const text = written(word as Word).replace(/\$'[^'}"$`]*'/g, '');
    return text.includes("'") && /[}"`$]/.test(text);
  });
}
