// A target in the project's Makefile that tests its rules and policies.
import path from 'node:path';
import { exists, refuseText, type SetupStep, textOf } from './step.ts';

/** In the order in which make searches for them. */
const NAMES = ['GNUmakefile', 'makefile', 'Makefile'] as const;
const HAS_TARGET = /^(?:[^\t#:=\r\n]*[ \t])?policy-test(?:[ \t][^:=\r\n]*)?&?::?(?!=)/m;
const TARGET = `MODES ?= modes

.PHONY: policy-test
policy-test: ## test the rules and policies of .claude
\t$(MODES) policy test
`;

/** Appends the target to the project's Makefile. null if it already has a target of that name, or is not a regular text file. */
export function makefileStep(root: string): SetupStep | null {
  const name = NAMES.find((one) => exists(path.join(root, one))) ?? 'Makefile';
  if (refuseText(root, name) !== null) return null;
  const file = path.join(root, name);
  const before = textOf(file);
  const text = before ?? '';
  if (HAS_TARGET.test(text)) return null;
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  const kind = before === null ? 'create' : 'change';
  return { kind, file, what: 'make policy-test', before, text: `${text}${gap}${TARGET}` };
}
