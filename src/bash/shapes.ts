// Shapes of scripts that shells themselves get wrong.
import { forEachChild, type Script, type SyntaxNode } from 'unbash';

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
